// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

/// Every gain map of the corpus in every flavor that can represent it.
///
/// Coded data is unchanged; only metadata changes.
@Suite("Writing gain maps into files", .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
struct GainMapWritingCorpusTests {
  static let choices: [Set<GainMapFlavor>] = [
    [.iso], [.xmp], [.apple], [.iso, .xmp], [.iso, .apple],
  ]

  @Test func jpegs() throws {
    var count = 0
    for entry in Corpus.mapEntries where entry.isJPEG && entry.expected == "ok" {
      let file = try Corpus.jpeg(entry.name)
      let inventory = try GainMapInventory(of: file)
      guard let found = inventory.applicable, case .image(let index) = found.location,
        let meaning = found.metadata
      else {
        Issue.record("\(entry.name): no gain map")
        continue
      }
      let map = file.images[index]
      for flavors in Self.choices {
        guard let description = try? description(of: found, meaning, flavors) else { continue }
        var edited = file
        _ = try edited.setGainMap(map, description)
        let written = try JPEGFile(
          parsing: ByteSource(try edited.serialized().allBytes()))
        let place = "\(entry.name) as \(flavors)"
        #expect(try scans(written.primary) == scans(file.primary), "\(place)")
        #expect(written.trailers.map(\.content) == file.trailers.map(\.content), "\(place)")
        let again = try GainMapInventory(of: written)
        check(again, meaning, flavors, description, place)
        guard case .image(let newIndex) = again.applicable?.location else {
          Issue.record("\(place): no gain map")
          continue
        }
        #expect(try scans(written.images[newIndex]) == scans(map), "\(place)")
        try checkDirectories(written, map: newIndex, flavors, place)
        count += 1
      }
      var bare = file
      try bare.removeGainMaps()
      let flat = try JPEGFile(parsing: ByteSource(try bare.serialized().allBytes()))
      #expect(try GainMapInventory(of: flat).maps.isEmpty, "\(entry.name)")
      #expect(try GainMapInventory(of: flat).notices.isEmpty, "\(entry.name)")
      #expect(try scans(flat.primary) == scans(file.primary), "\(entry.name)")
    }
    #expect(count >= 40)
  }

  @Test func heifs() throws {
    var count = 0
    for entry in Corpus.mapEntries where entry.isHEIF && entry.expected == "ok" {
      let file = try Corpus.heif(entry.name)
      guard let found = try GainMapInventory(of: file).applicable,
        case .item(let id) = found.location,
        let meaning = found.metadata
      else {
        Issue.record("\(entry.name): no gain map")
        continue
      }
      for flavors in Self.choices {
        guard let description = try? description(of: found, meaning, flavors) else { continue }
        var edited = file
        _ = try edited.setGainMap(id, description)
        let written = try HEIFFile(parsing: ByteSource(try edited.serialized()))
        let place = "\(entry.name) as \(flavors)"
        #expect(try images(written) == images(file), "\(place)")
        check(try GainMapInventory(of: written), meaning, flavors, description, place)
        #expect(written.fileType.compatibleBrands.contains("tmap") == flavors.contains(.iso))
        count += 1
      }
      var bare = file
      try bare.removeGainMaps()
      let flat = try HEIFFile(parsing: ByteSource(try bare.serialized()))
      #expect(try GainMapInventory(of: flat).maps.isEmpty, "\(entry.name)")
      #expect(!flat.items.contains { $0.type == "tmap" || $0.id == id }, "\(entry.name)")
      #expect(try flat.data(of: flat.primaryItem.id) == file.data(of: file.primaryItem.id))
    }
    #expect(count >= 20)
  }

  private func description(
    of found: FoundGainMap, _ meaning: GainMapMetadata, _ flavors: Set<GainMapFlavor>
  ) throws -> GainMapMetadataSet {
    try GainMapMetadataSet(
      of: meaning, in: flavors, mapIsGray: found.layout?.componentCount == 1,
      alternate: found.alternate, bits: found.layout?.bits ?? 8)
  }

  private func check(
    _ inventory: GainMapInventory, _ old: GainMapMetadata, _ flavors: Set<GainMapFlavor>,
    _ description: GainMapMetadataSet, _ place: String
  ) {
    let descriptions = inventory.applicable?.carriers.compactMap(\.description) ?? []
    #expect(Set(descriptions.map(\.flavor)) == flavors, "\(place)")
    #expect(inventory.maps.count == 1, "\(place)")
    for new in descriptions.map(\.metadata) {
      switch (new.isApple, old.isApple) {
      case (false, false):
        #expect(
          new.disagreements(with: old).filter { !$0.hasPrefix("primaries") } == [], "\(place)")
      case (true, true):
        let ratios = [new, old].map { $0.fullHeadroom.ratio }
        #expect(isClose(ratios[0], ratios[1], relative: 1e-6), "\(place)")
      case (false, true):
        #expect(new == description.iso ?? description.xmp, "\(place)")
      case (true, false):
        #expect(isClose(new.fullHeadroom.stops, old.fullHeadroom.stops, absolute: 0.02))
      }
    }
  }

  /// Checks the sizes and offsets that readers need.
  private func checkDirectories(
    _ file: JPEGFile, map index: Int, _ flavors: Set<GainMapFlavor>, _ place: String
  ) throws {
    let (format, header) = try #require(try file.primary.multiPicture())
    let map = try #require(file.images[index].stored)
    #expect(
      format.entries.contains {
        header + Int($0.offset) == map.lowerBound && Int($0.size) == map.count
      }, "\(place)")
    guard flavors.contains(.xmp) else { return }
    var notices: [Notice] = []
    let packet = try XMPPacket(parsing: try #require(try file.primary.xmp(notices: &notices)))
    let item = packet.containerItems.first { $0.semantic == "GainMap" }
    #expect(item?.length == map.count, "\(place)")
    #expect(packet.containerItems.first?.semantic == "Primary", "\(place)")
  }

  private func scans(_ image: JPEGImage) throws -> [[UInt8]] {
    let bytes = try image.serialized().allBytes()
    let alone = try JPEGImage(parsing: ByteSource(bytes))
    return alone.scans.map { Array(bytes[$0]) }
  }

  /// The coded data of all images, by item.
  private func images(_ file: HEIFFile) throws -> [UInt32: [UInt8]] {
    var data: [UInt32: [UInt8]] = [:]
    for item in file.items where ["hvc1", "av01", "grid"].contains(item.type) {
      data[item.id] = try file.data(of: item.id)
    }
    return data
  }
}
