import HDRCore
import ImageContainers
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

@Suite("Descriptions of gain maps in the words of each flavor") struct GainMapDescriptionTests {
  @Test func parametersStayTheSame() throws {
    let metadata = try metadata()
    let description = try GainMapDescription(
      of: .parameters(metadata), in: [.iso, .xmp], mapIsGray: true)
    #expect(description.iso == metadata && description.xmp == metadata)
    #expect(description.apple == nil && description.worstError == 0)
    #expect(description.notices.isEmpty)
  }

  /// XMP takes what is about the alternate's primaries only where they make no difference.
  @Test func xmpNeedsTheBaseColorSpace() throws {
    let metadata = try metadata(usesBaseColorSpace: false)
    let gray = try GainMapDescription(of: .parameters(metadata), in: [.xmp], mapIsGray: true)
    #expect(gray.xmp?.usesBaseColorSpace == true)
    #expect(throws: ImageError.self) {
      _ = try GainMapDescription(of: .parameters(metadata), in: [.xmp], mapIsGray: false)
    }
  }

  /// Primaries of the alternate are no obstacle for XMP where they are the base's, however told.
  @Test func xmpTakesEqualPrimaries() throws {
    var record = GainMapRecord(
      FoundGainMap.Description(
        flavor: .iso, meaning: .parameters(try metadata(usesBaseColorSpace: false)), numbers: []),
      layout: .init(width: 4, height: 4, componentCount: 3, bits: 8))
    func describe(
      _ alternate: AlternateRendition, base: ColorPrimaries?
    ) throws -> GainMapDescription {
      record.alternate = alternate
      return try GainMapDescription(of: record, in: [.iso, .xmp], besides: nil, base: base)
    }
    let p3 = CICP(primaries: .displayP3, transfer: .pq)
    let profile = ICCProfile.generate(primaries: .displayP3, curve: .srgb, description: "P3")
    for alternate in [
      AlternateRendition(cicp: p3), AlternateRendition(icc: profile), AlternateRendition(),
      AlternateRendition(cicp: CICP(primaries: .unspecified, transfer: .pq)),
    ] {
      let description = try describe(alternate, base: .displayP3)
      #expect(description.xmp?.usesBaseColorSpace == true)
    }
    #expect(throws: ImageError.self) { try describe(.init(cicp: p3), base: .bt709) }
    #expect(throws: ImageError.self) { try describe(.init(icc: profile), base: .bt2020) }
    #expect(throws: ImageError.self) { try describe(.init(cicp: p3), base: nil) }
  }

  /// Source: `gainmap-conversion.md`, section 3, route C for H = 4.
  @Test func appleMapsAreFitted() throws {
    let map = try AppleGainMap(headroom: Headroom(ratio: 4))
    let description = try GainMapDescription(
      of: .apple(map), in: [.iso, .apple], mapIsGray: true)
    #expect(description.apple == map && description.xmp == nil)
    #expect(description.worstError <= 0.0535 && description.worstError > 0.053)
    #expect(description.notices.map(\.kind) == [.assumed])
    let back = try GainMapDescription(
      of: .parameters(try #require(description.iso)), in: [.apple], mapIsGray: true)
    #expect(isClose(try #require(back.apple).headroom.ratio, 4, relative: 1e-6))
    #expect(isClose(back.worstError, description.worstError, absolute: 1e-9))
  }

  /// A straight line and Apple's curve have nothing in common; nobody gets that silently.
  @Test func whatIsTooFarOffIsRefused() throws {
    let line = try metadata(maximum: 3, gamma: 1, baseOffset: 0, alternateOffset: 0)
    #expect(throws: ImageError.self) {
      _ = try GainMapDescription(of: .parameters(line), in: [.apple], mapIsGray: true)
    }
    let offsets = try metadata(maximum: 3)
    #expect(throws: ImageError.self) {
      _ = try GainMapDescription(of: .parameters(offsets), in: [.apple], mapIsGray: true)
    }
  }
}

/// Files of phones with ISO 21496-1 and Apple's words on the same samples.
@Suite("Words of a phone's own", .enabled(if: Corpus.isPresent, "no corpus"))
struct KeptWordsTests {
  static let phones = [
    "heic-apple-tmap/iphone16-26-3-mattes.heic", "heic-apple-tmap/iphone15pro-18-7-portrait.heic",
  ]

  private func described(
    _ name: String, in flavors: Set<GainMapFlavor>
  ) throws -> (old: HEIFFile, new: HEIFFile, result: RearrangedFile) {
    let file = try Corpus.heif(name)
    let result = try ImageFile(.heif(file)).describingGainMap(in: flavors)
    return (file, try HEIFFile(parsing: ByteSource(try result.bytes.allBytes())), result)
  }

  /// XMP of the map and Exif of the base.
  private func words(_ file: HEIFFile) throws -> [[UInt8]] {
    let found = try #require(GainMapInventory(of: file).applicable)
    let xmp = try #require(try ImageFile(.heif(file)).xmp(of: found))
    let exif = try #require(
      file.metadataItems(describing: try file.primaryItem.id, type: "Exif").first)
    return [xmp.bytes, try file.exif(ofItem: exif.id)]
  }

  @Test(arguments: phones, [[.iso, .apple], [.apple]] as [Set<GainMapFlavor>])
  func appleWordsStay(name: String, flavors: Set<GainMapFlavor>) throws {
    let (old, new, result) = try described(name, in: flavors)
    #expect(try words(old) == words(new))
    #expect(Set(result.after) == flavors)
    #expect(!result.notices.contains { $0.code.id == "gain-map/stale-maker-note" })
  }

  /// The difference between the two descriptions of the phone is told when the one that counts goes.
  @Test(arguments: phones)
  func anotherDescriptionCounts(name: String) throws {
    let (old, _, result) = try described(name, in: [.apple])
    let spellings = try #require(GainMapInventory(of: old).applicable).spellings
    let meanings = spellings.compactMap { $0.reading?.meaning }
    try #require(meanings.count == 2)
    let worst = (0...255).map { code in
      let gains = meanings.map { $0.logGain(ofSample: Double(code) / 255, component: 0) }
      return abs(gains[0] - gains[1])
    }.max()
    #expect(result.worstError == worst && result.worstError > 0.01)
    #expect(result.notices.contains { $0.kind == .conflict })
    #expect(result.notices.contains { $0.code.id == "gain-map/alternate-color-dropped" })
    #expect(try described(name, in: [.iso, .apple]).result.worstError == 0)
  }

  /// Numbers that a maker note keeps, and properties that describe before those that turn.
  @Test(arguments: phones)
  func withoutApple(name: String) throws {
    let (old, new, result) = try described(name, in: [.iso])
    let dropped = try ImageFile(.heif(old)).droppingGainMaps()
    for notices in [result.notices, dropped.notices] {
      #expect(notices.count { $0.code.id == "gain-map/stale-maker-note" } == 1)
    }
    for item in new.items {
      let isTurn = item.properties.map { ["irot", "imir", "clap"].contains($0.type) }
      let first = isTurn.firstIndex(of: true) ?? isTurn.endIndex
      #expect(isTurn[first...].allSatisfy { $0 }, "item \(item.id)")
    }
  }

  /// Gain in the primaries of the alternate is gain in the base's, where both have the same.
  @Test func sharedPrimaries() throws {
    let name = "avif-gainmap/libavif-seine-hdrbase.avif"
    let (_, new, result) = try described(name, in: [.iso, .xmp])
    let spellings = try #require(GainMapInventory(of: new).applicable).spellings
    #expect(Set(spellings.map(\.flavor)) == [.iso, .xmp])
    for spelling in spellings {
      guard case .parameters(let metadata)? = spelling.reading?.meaning else {
        Issue.record("other words")
        continue
      }
      #expect(metadata.usesBaseColorSpace)
    }
    #expect(result.worstError == 0)
    guard
      case .parameters(let kept)? = try #require(
        GainMapInventory(of: try described(name, in: [.iso]).new).applicable
      ).reading?.meaning
    else { throw ImageError(ErrorCode("test", .unsuitable, "no ISO 21496-1")) }
    #expect(!kept.usesBaseColorSpace)
  }
}
