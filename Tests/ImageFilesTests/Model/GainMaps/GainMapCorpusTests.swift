// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

/// Every gain map of the corpus compared with the result of independent parsers.
@Suite("Gain maps of the corpus", .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
struct GainMapCorpusTests {
  @Test(arguments: Corpus.mapEntries)
  func matchesTheManifest(_ entry: Corpus.Entry) throws {
    let (inventory, offsets) = try inventory(of: entry)
    let expected = Dictionary(grouping: entry.maps, by: \.place)
    #expect(inventory.maps.count == expected.count)
    for map in inventory.maps {
      let place: Int =
        switch map.location {
        case .image(let index): offsets[index]
        case .item(let id): Int(id)
        case .box, .chunk, .file: -1
        }
      let parts = try #require(expected[place])
      #expect(map.layout?.width == parts[0].width)
      #expect(map.layout?.height == parts[0].height)
      #expect(parts[0].componentCount == map.layout?.componentCount)
      #expect(map.toneMapItem.map(Int.init) == parts.lazy.compactMap(\.toneMapItem).first)
      #expect(map.auxiliary?.auxiliaryType == parts.lazy.compactMap(\.auxiliaryType).first)
      guard entry.expected == "ok" else { continue }
      for part in parts { check(map, part, entry) }
    }
    switch entry.expected {
    case "ok":
      #expect(inventory.applicable != nil)
      #expect(inventory.applicable?.flavor == flavors(entry).first)
    case "ok-base", "reject-or-base":
      #expect(inventory.applicable == nil)
      #expect(!inventory.notices.isEmpty)
    default: Issue.record("what does '\(entry.expected)' ask for?")
    }
  }

  /// Files without a gain map yield none, and a notice only if they declare one.
  @Test func othersHaveNone() throws {
    var count = 0
    for entry in Corpus.entries where entry.maps.isEmpty && (entry.isJPEG || entry.isHEIF) {
      guard let (inventory, _) = try? inventory(of: entry) else { continue }
      #expect(inventory.maps.isEmpty, "\(entry.name)")
      #expect(inventory.notices.isEmpty == (entry.expected != "ok-sdr"), "\(entry.name)")
      count += 1
    }
    #expect(count >= 40)
  }

  /// Gain map metadata of independent writers compared with the parameters given to them.
  @Test(arguments: [
    "uhdr202-api0-xmp.jpg", "uhdr202-avif-gray.avif", "uhdr202-avif-rgb.avif",
    "uhdr202-heic-gray.heic", "uhdr202-heic-rgb.heic", "uhdr202-jpg-gray.jpg",
    "uhdr202-jpg-rgb.jpg", "avifgm-hdrbase.avif", "avifgm-sdrbase.avif",
    "avifgm-sdrbase-gray10-half.avif",
  ])
  func peers(name: String) throws {
    let inventory =
      name.hasSuffix(".jpg")
      ? try GainMapInventory(of: try Corpus.jpeg("peer-made/" + name))
      : try GainMapInventory(of: try Corpus.heif("peer-made/" + name))
    let map = try #require(inventory.applicable)
    let metadata = try #require(map.metadata)
    #expect(
      metadata.isBaseHDR
        == (name == "avifgm-hdrbase.avif"))
    #expect(map.layout?.componentCount == (name.contains("gray") ? 1 : 3))
    #expect(map.layout?.bits == (name.contains("gray10") ? 10 : 8))
  }

  /// Color and light metadata of the alternate image are read from the `tmap` item.
  @Test func alternates() throws {
    let seine = try GainMapInventory(of: try Corpus.heif("avif-gainmap/libavif-seine-sdr.avif"))
    #expect(seine.applicable?.alternate.cicp?.transfer == .pq)
    let phone = try GainMapInventory(
      of: try Corpus.heif("heic-apple-tmap/iphone15pro-26-3-landscape.heic"))
    #expect(phone.applicable?.alternate.icc != nil)
    #expect(phone.applicable?.carriers.map(\.flavor) == [.iso, .apple])
    #expect(phone.notices == [])
    let canvas = try GainMapInventory(of: try Corpus.jpeg("jpeg-iso/hdrcanvas-red-iso.jpg"))
    #expect(canvas.applicable?.alternate.icc != nil)
    #expect(canvas.applicable?.metadata?.usesBaseColorSpace == false)
  }

  /// Maker notes compared with ExifTool.
  @Test func makerNotes() throws {
    var count = 0
    for entry in Corpus.mapEntries {
      guard let expected = entry.makerNote else { continue }
      let exif: [UInt8]?
      if entry.isJPEG {
        exif = try Corpus.jpeg(entry.name).primary.exif
      } else {
        let file = try Corpus.heif(entry.name)
        exif = try file.items.first { $0.type == "Exif" }.map { try file.exif(ofItem: $0.id) }
      }
      let block = try ExifBlock(parsing: try #require(exif))
      let note = try #require(try AppleMakerNote(block))
      func agrees(_ ours: Double?, _ theirs: Double?) -> Bool {
        guard let ours, let theirs else { return ours == nil && theirs == nil }
        return isClose(ours, theirs, relative: 1e-9, absolute: 1e-9)
      }
      #expect(agrees(note.hdrHeadroom, expected.headroom), "\(entry.name)")
      #expect(agrees(note.hdrGain, expected.gain), "\(entry.name)")
      count += 1
    }
    #expect(count >= 10)
  }

  // MARK: Comparison

  private func inventory(
    of entry: Corpus.Entry
  ) throws -> (inventory: GainMapInventory, offsets: [Int]) {
    guard entry.isJPEG else { return (try GainMapInventory(of: try Corpus.heif(entry.name)), []) }
    let file = try Corpus.jpeg(entry.name)
    return (try GainMapInventory(of: file), file.images.map { $0.stored?.lowerBound ?? -1 })
  }

  private func flavors(_ entry: Corpus.Entry) -> [GainMapFlavor] {
    var flavors: [GainMapFlavor] = []
    if entry.maps.contains(where: { !$0.iso.isEmpty }) { flavors.append(.iso) }
    if entry.maps.contains(where: { !$0.hdrgm.isEmpty }) { flavors.append(.xmp) }
    if entry.maps.contains(where: { $0.appleVersion != nil }) { flavors.append(.apple) }
    return flavors
  }

  private func check(_ map: FoundGainMap, _ part: Corpus.Map, _ entry: Corpus.Entry) {
    func metadata(_ flavor: GainMapFlavor) -> GainMapMetadata? {
      map.carriers.first { $0.flavor == flavor }?.metadata
    }
    if !part.iso.isEmpty {
      guard let iso = metadata(.iso) else { return record("no ISO") }
      checkISO(iso, part.iso)
    }
    if !part.hdrgm.isEmpty {
      guard let xmp = metadata(.xmp) else { return record("no XMP") }
      checkXMP(xmp, part.hdrgm)
    }
    if part.appleVersion != nil {
      guard let apple = metadata(.apple), apple.isApple else { return record("no Apple map") }
      let expected =
        part.appleHeadroom
        ?? AppleMakerNote(hdrHeadroom: entry.makerNote?.headroom, hdrGain: entry.makerNote?.gain)
        .headroom?.ratio
      #expect(isClose(apple.fullHeadroom.ratio, expected ?? .nan, relative: 1e-9))
    }
  }

  private func record(_ message: Comment) { Issue.record(message) }

  private func checkISO(_ metadata: GainMapMetadata, _ expected: [String: [Double]]) {
    let channels = metadata.channels.all
    func agrees(_ name: String, _ values: [Double]) -> Bool {
      let wanted = expected[name] ?? []
      return wanted.count == values.count
        && zip(wanted, values).allSatisfy { abs($0 - $1) <= 1e-6 * max(1, abs($0)) }
    }
    #expect(agrees("base_headroom_log2", [metadata.baseHeadroom.value]))
    #expect(agrees("alt_headroom_log2", [metadata.alternateHeadroom.value]))
    #expect(agrees("min", channels.map(\.minimum.value)))
    #expect(agrees("max", channels.map(\.maximum.value)))
    #expect(agrees("gamma", channels.map(\.gamma.value)))
    #expect(agrees("base_offset", channels.map(\.baseOffset.value)))
    #expect(agrees("alt_offset", channels.map(\.alternateOffset.value)))
    #expect(agrees("use_base_cg", [metadata.usesBaseColorSpace ? 1 : 0]))
  }

  private func checkXMP(_ metadata: GainMapMetadata, _ expected: [String: [String]]) {
    let isBaseHDR = expected["BaseRenditionIsHDR"] == ["True"]
    func agrees(
      _ field: String, absent: Double, _ value: (GainMapMetadata.Channel) -> Double
    ) {
      let texts = expected[field] ?? ["\(absent)"]
      let wanted = (0..<3).map { Double(texts[min($0, texts.count - 1)]) ?? .nan }
      #expect(wanted == (0..<3).map { value(metadata.channels[$0]) }, "\(field)")
    }
    let (low, high) =
      isBaseHDR
      ? (metadata.alternateHeadroom, metadata.baseHeadroom)
      : (metadata.baseHeadroom, metadata.alternateHeadroom)
    agrees("GainMapMin", absent: 0) { $0.minimum.value }
    agrees("GainMapMax", absent: .nan) { $0.maximum.value }
    agrees("Gamma", absent: 1) { $0.gamma.value }
    agrees("OffsetSDR", absent: 0.015625) {
      (isBaseHDR ? $0.alternateOffset : $0.baseOffset).value
    }
    agrees("OffsetHDR", absent: 0.015625) {
      (isBaseHDR ? $0.baseOffset : $0.alternateOffset).value
    }
    agrees("HDRCapacityMin", absent: 0) { _ in low.value }
    agrees("HDRCapacityMax", absent: .nan) { _ in high.value }
    #expect(metadata.usesBaseColorSpace)
  }
}
