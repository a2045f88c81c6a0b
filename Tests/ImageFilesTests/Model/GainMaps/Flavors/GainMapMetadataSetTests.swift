// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

@Suite("Gain map metadata in each flavor") struct GainMapMetadataSetTests {
  @Test func parametersStayTheSame() throws {
    let metadata = try metadata()
    let description = try GainMapMetadataSet(
      of: metadata, in: [.iso, .xmp], mapIsGray: true)
    #expect(description.iso == metadata && description.xmp == metadata)
    #expect(description.apple == nil && description.worstError == 0)
    #expect(description.notices.isEmpty)
  }

  /// XMP can represent gain in the alternate image's primaries only if the primaries do not matter.
  @Test func xmpNeedsTheBaseColorSpace() throws {
    let metadata = try metadata(usesBaseColorSpace: false)
    let gray = try GainMapMetadataSet(of: metadata, in: [.xmp], mapIsGray: true)
    #expect(gray.xmp?.usesBaseColorSpace == true)
    #expect(throws: ImageError.self) {
      _ = try GainMapMetadataSet(of: metadata, in: [.xmp], mapIsGray: false)
    }
  }

  /// Primaries of the alternate image that equal those of the baseline image do not prevent XMP.
  @Test func xmpTakesEqualPrimaries() throws {
    var detached = FoundGainMap(
      [.init(flavor: .iso, metadata: try metadata(usesBaseColorSpace: false), numbers: [])],
      layout: .init(width: 4, height: 4, componentCount: 3, bits: 8))
    func describe(
      _ alternate: FoundGainMap.AlternateImage, base: ColorPrimaries?
    ) throws -> GainMapMetadataSet {
      detached.alternate = alternate
      return try GainMapMetadataSet(of: detached, in: [.iso, .xmp], baseMakerNote: nil, base: base)
    }
    let p3 = CICP(primaries: .displayP3, transfer: .pq)
    let profile = ICCProfile.generate(primaries: .displayP3, curve: .srgb, description: "P3")
    for alternate in [
      FoundGainMap.AlternateImage(cicp: p3), .init(icc: profile), .init(),
      .init(cicp: CICP(primaries: .unspecified, transfer: .pq)),
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
    let map = try GainMapMetadata(appleHeadroom: Headroom(ratio: 4))
    let description = try GainMapMetadataSet(
      of: map, in: [.iso, .apple], mapIsGray: true)
    #expect(description.apple == map && description.xmp == nil)
    #expect(description.worstError <= 0.0535 && description.worstError > 0.053)
    #expect(description.notices.map(\.category) == [.assumed])
    let back = try GainMapMetadataSet(
      of: try #require(description.iso), in: [.apple], mapIsGray: true)
    #expect(isClose(try #require(back.apple).fullHeadroom.ratio, 4, relative: 1e-6))
    #expect(isClose(back.worstError, description.worstError, absolute: 1e-9))
  }

  /// A linear curve and Apple's curve differ too much; the conversion is an error.
  @Test func whatIsTooFarOffIsRefused() throws {
    let line = try metadata(maximum: 3, gamma: 1, baseOffset: 0, alternateOffset: 0)
    #expect(throws: ImageError.self) {
      _ = try GainMapMetadataSet(of: line, in: [.apple], mapIsGray: true)
    }
    let offsets = try metadata(maximum: 3)
    #expect(throws: ImageError.self) {
      _ = try GainMapMetadataSet(of: offsets, in: [.apple], mapIsGray: true)
    }
  }
}

/// Files of phones with ISO 21496-1 and Apple metadata for the same samples.
@Suite("Metadata written by phones", .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
struct KeptWordsTests {
  static let phones = [
    "heic-apple-tmap/iphone16-26-3-mattes.heic", "heic-apple-tmap/iphone15pro-18-7-portrait.heic",
  ]

  private func described(
    _ name: String, in flavors: Set<GainMapFlavor>
  ) throws -> (old: HEIFFile, new: HEIFFile, result: RewrittenFile) {
    let file = try Corpus.heif(name)
    let result = try ImageFile(.heif(file)).describingGainMap(in: flavors)
    return (file, try HEIFFile(parsing: ByteSource(try result.bytes.allBytes())), result)
  }

  /// XMP of the gain map and Exif of the baseline image.
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

  /// The difference between a phone's two descriptions is reported when the preferred one is
  /// dropped.
  @Test(arguments: phones)
  func anotherDescriptionCounts(name: String) throws {
    let (old, _, result) = try described(name, in: [.apple])
    let carriers = try #require(GainMapInventory(of: old).applicable).carriers
    let metadata = carriers.compactMap(\.metadata)
    try #require(metadata.count == 2)
    let worst = (0...255).map { code in
      let gains = metadata.map { $0.logGain(ofSample: Double(code) / 255, component: 0) }
      return abs(gains[0] - gains[1])
    }.max()
    #expect(result.worstError == worst && result.worstError > 0.01)
    #expect(result.notices.contains { $0.category == .conflict })
    #expect(result.notices.contains { $0.code.id == "gain-map/alternate-color-dropped" })
    #expect(try described(name, in: [.iso, .apple]).result.worstError == 0)
  }

  /// Stale maker notes are reported, and transformative properties come after descriptive ones.
  @Test(arguments: phones)
  func withoutApple(name: String) throws {
    let (old, new, result) = try described(name, in: [.iso])
    let dropped = try ImageFile(.heif(old)).droppingGainMaps()
    for notices in [result.notices, dropped.notices] {
      #expect(notices.count { $0.code.id == "gain-map/stale-maker-note" } == 1)
    }
    for item in new.items {
      let isTransformative = item.properties.map { ["irot", "imir", "clap"].contains($0.type) }
      let first = isTransformative.firstIndex(of: true) ?? isTransformative.endIndex
      #expect(isTransformative[first...].allSatisfy { $0 }, "item \(item.id)")
    }
  }

  /// Gain in the primaries of the alternate image equals gain in equal primaries of the baseline
  /// image.
  @Test func sharedPrimaries() throws {
    let name = "avif-gainmap/libavif-seine-hdrbase.avif"
    let (_, new, result) = try described(name, in: [.iso, .xmp])
    let carriers = try #require(GainMapInventory(of: new).applicable).carriers
    #expect(Set(carriers.map(\.flavor)) == [.iso, .xmp])
    for carrier in carriers { #expect(carrier.metadata?.usesBaseColorSpace == true) }
    #expect(result.worstError == 0)
    let kept = try GainMapInventory(of: try described(name, in: [.iso]).new).applicable
    #expect(kept?.metadata?.usesBaseColorSpace == false)
  }
}
