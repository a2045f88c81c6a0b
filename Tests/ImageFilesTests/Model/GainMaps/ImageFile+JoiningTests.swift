// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

/// Every gain map of the corpus extracted and joined again.
@Suite(
  "Joining baseline images and gain maps", .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
struct ImageFileJoiningTests {
  @Test func thereAndBack() throws {
    var (count, apples) = (0, 0)
    for entry in Corpus.mapEntries where entry.expected == "ok" {
      let file = try Corpus.container(entry.name)
      // Digests of large files are slow without optimization.
      guard file.source.count < 1 << 20 else { continue }
      let inventory = try file.gainMaps()
      let found = try #require(inventory.applicable)
      let detached = try FoundGainMap(json: try file.detachedGainMap().json())
      let before = Set(found.flavors)
      let words = try appleMetadata(of: file)
      let alone: SplicedBytes
      switch found.location {
      case .image(let index): alone = try file.standaloneFile(ofItem: UInt32(index))
      case .item(let id): alone = try file.standaloneFile(ofItem: id)
      case .box, .chunk, .file: continue
      }
      let map = try ImageFile(parsing: ByteSource(try alone.allBytes()))
      let bare = try ImageFile(
        parsing: ByteSource(try file.droppingGainMaps().bytes.allBytes()))
      for base in [file, bare] {
        let joined = try base.joining(map, detached)
        let written = try ImageFile(parsing: ByteSource(try joined.bytes.allBytes()))
        let again = try written.gainMaps()
        #expect(again.maps.count == 1, "\(entry.name)")
        let found = try #require(again.applicable, "\(entry.name)")
        try check(found, detached, entry.name)
        #expect(before.isSubset(of: joined.after), "\(entry.name)")
        if before.contains(.apple) {
          #expect(try appleMetadata(of: written) == words, "\(entry.name)")
          apples += 1
        }
        let digests = try joined.payloads.map { try $0.sha256() }
        for payload in try map.codedPayloads() {
          #expect(digests.contains(try payload.sha256()), "\(entry.name): \(payload.name)")
        }
      }
      count += 1
    }
    #expect(count >= 18 && apples >= 4)
  }

  /// Values that Apple's readers use: XMP of the gain map, and the maker note of the baseline
  /// image.
  private func appleMetadata(of file: ImageFile) throws -> [String?] {
    let found = try #require(try file.gainMaps().applicable)
    let xmp = try file.xmp(of: found).flatMap { AppleGainMapXMP($0) }
    let note = try file.appleMakerNote
    return [
      xmp?.version.map { "\($0)" }, xmp?.headroom.map { "\($0)" },
      note?.hdrHeadroom.map { "\($0)" }, note?.hdrGain.map { "\($0)" },
    ]
  }

  /// Defaults for the SDR alternate image of an HDR baseline image: sRGB transfer and 8 bits.
  @Test func usualAlternate() throws {
    let file = try Corpus.container("avif-gainmap/libavif-seine-hdrbase.avif")
    let found = try #require(try file.gainMaps().applicable)
    guard case .item(let id) = found.location else {
      Issue.record("no item")
      return
    }
    let map = try ImageFile(parsing: ByteSource(try file.standaloneFile(ofItem: id).allBytes()))
    var detached = try file.detachedGainMap()
    detached.alternate = FoundGainMap.AlternateImage()
    let joined = try file.joining(map, detached, in: [.iso])
    let written = try HEIFFile(parsing: ByteSource(try joined.bytes.allBytes()))
    let toneMap = try #require(written.items.first { $0.type == "tmap" })
    #expect(toneMap.cicp?.transfer == .srgb)
    #expect(toneMap.cicp?.primaries == (try written.primaryItem.cicp?.primaries))
    #expect(toneMap.property(PixelInformationBox.self)?.bitsPerChannel == [8, 8, 8])
  }

  private func check(_ new: FoundGainMap, _ old: FoundGainMap, _ name: String) throws {
    let (new, old) = (try #require(new.metadata), try #require(old.metadata))
    #expect(new.appleCurve == old.appleCurve, "\(name)")
    let ratios = [new, old].map { $0.fullHeadroom.ratio }
    if old.isApple { #expect(isClose(ratios[0], ratios[1], relative: 1e-6), "\(name)") }
    #expect(new.disagreements(with: old).filter { !$0.hasPrefix("primaries") } == [], "\(name)")
  }

  /// An extracted JPEG gain map contains its own metadata.
  @Test func mapsThatSpeakForThemselves() throws {
    let file = try Corpus.container("jpeg-uhdr/lrc14-1-xmp-iso.jpg")
    let map = try ImageFile(
      parsing: ByteSource(try file.standaloneFile(ofItem: 1).allBytes()))
    let detached = try map.detachedGainMap()
    #expect(detached.metadata == (try file.detachedGainMap()).metadata)
    #expect(throws: ImageError.self) {
      _ = try ImageFile(parsing: ByteSource(file.standaloneFile(ofItem: 0).allBytes()))
        .detachedGainMap()
    }
  }

  /// XMP that agrees with the gain map metadata is kept byte for byte; other XMP is rewritten.
  @Test(arguments: ["jpeg-uhdr/lrc14-1-xmp-iso.jpg"])
  func wordsOfAdobesStay(name: String) throws {
    let file = try Corpus.container(name)
    let found = try #require(try file.gainMaps().applicable)
    let authored = try #require(try file.xmp(of: found)?.bytes)
    let alone =
      switch found.location {
      case .image(let index): try file.standaloneFile(ofItem: UInt32(index))
      case .item(let id): try file.standaloneFile(ofItem: id)
      case .box, .chunk, .file: throw ImageError(ErrorCode("test", .unsuitable, "no image"))
      }
    let map = try ImageFile(parsing: ByteSource(try alone.allBytes()))
    let bare = try ImageFile(parsing: ByteSource(try file.droppingGainMaps().bytes.allBytes()))
    func joined(_ detached: FoundGainMap) throws -> XMPPacket {
      let bytes = try bare.joining(map, detached, in: [.iso, .xmp]).bytes.allBytes()
      let written = try ImageFile(parsing: ByteSource(bytes))
      let map = try #require(try written.gainMaps().applicable)
      return try #require(try written.xmp(of: map))
    }
    var detached = try FoundGainMap(json: try file.detachedGainMap().json())
    #expect(try joined(detached).bytes == authored)
    let metadata = try #require(detached.metadata)
    let headroom = try #require(
      UnsignedRational(approximating: metadata.alternateHeadroom.value + 0.25))
    let brighter = try GainMapMetadata(
      channels: metadata.channels, baseHeadroom: metadata.baseHeadroom, alternateHeadroom: headroom,
      usesBaseColorSpace: metadata.usesBaseColorSpace)
    detached.replaceMetadata(with: brighter, dropsOthers: false)
    var notices: [Notice] = []
    let rewritten = try GainMapXMP.description(of: try joined(detached), notices: &notices).metadata
    #expect(isClose(rewritten.alternateHeadroom.value, headroom.value, relative: 1e-5))
  }

  @Test func codecsMustAgree() throws {
    let jpeg = try Corpus.container("jpeg-uhdr/lrc14-1-xmp-iso.jpg")
    let avif = try Corpus.container("avif-gainmap/libavif-seine-sdr.avif")
    let heic = try Corpus.container("heic-gainmap-other/tohdr-both-512.heic")
    #expect(try [jpeg, avif, heic].map { try $0.stillCodec } == [.jpeg, .av1, .hevc])
    for (base, map) in [(jpeg, avif), (avif, heic), (heic, jpeg)] {
      let detached = try map.detachedGainMap()
      #expect(throws: ImageError.self) { _ = try base.joining(map, detached) }
    }
  }
}
