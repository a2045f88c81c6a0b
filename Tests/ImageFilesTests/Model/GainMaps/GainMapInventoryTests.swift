// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

/// Synthetic files, for cases that real files do not cover.
@Suite("Finding gain maps") struct GainMapInventoryTests {
  /// A gain of two stops with both offsets 1/64.
  static let payload = Array(ISO21496PayloadTests.items[3].bytes.dropFirst())

  static func hdrgm(_ maximum: String) -> [UInt8] {
    Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
       xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
       xmlns:g="\(GainMapXMP.namespace)" g:Version="1.0" g:GainMapMax="\(maximum)"
       g:HDRCapacityMax="\(maximum)"/></rdf:RDF></x:xmpmeta>
      """.utf8)
  }

  // MARK: HEIF

  /// A baseline image (item 1), a gain map (item 2) and a `tmap` (item 3).
  private func heif(
    brand: FourCC = "tmap", payload: [UInt8] = [0] + payload, inputs: [UInt32] = [1, 2],
    group: [UInt32] = [3, 1],
    alternate: CICP = CICP(primaries: .bt2020, transfer: .pq, matrix: .identity)
  ) -> HEIFFile {
    var file = HEIFFile(
      fileType: FileTypeBox(majorBrand: "heic", compatibleBrands: ["mif1", "heic", brand]))
    file.addItem("hvc1")
    file.addItem(
      "hvc1", isHidden: true,
      properties: [
        .imageSpatialExtents(.init(width: 40, height: 30)),
        .pixelInformation(.init(bitsPerChannel: [8])),
      ])
    file.addItem(
      "tmap",
      properties: [.colorInformation(.nclx(alternate))], data: .itemDataBox(payload))
    file.primaryItemID = 1
    file.addReference("dimg", from: 3, to: inputs)
    if !group.isEmpty { file.addGroup("altr", of: group) }
    return file
  }

  @Test func toneMap() throws {
    let inventory = try GainMapInventory(of: heif())
    let map = try #require(inventory.applicable)
    #expect(map.location == .item(2))
    #expect(map.toneMapItem == 3)
    #expect(map.layout == .init(width: 40, height: 30, componentCount: 1, bits: 8))
    #expect(map.alternate.cicp?.transfer == .pq)
    #expect(map.metadata?.alternateHeadroom.value == 2)
    #expect(inventory.notices == [])
  }

  /// Reserved code points of the alternate image are unspecified, with a notice.
  @Test func reservedCodePoints() throws {
    let reserved = CICP(
      primaries: .init(rawValue: 3), transfer: .pq, matrix: .init(rawValue: 200))
    let inventory = try GainMapInventory(of: heif(alternate: reserved))
    let alternate = try #require(inventory.applicable).alternate
    #expect(
      alternate.cicp == CICP(primaries: .unspecified, transfer: .pq, matrix: .unspecified))
    #expect(inventory.notices.map(\.code.id) == ["color/code-points-reserved"])
    #expect(inventory.notices.first?.location.path == ["item 3", "nclx"])
  }

  /// Irregular structures are accepted, except that a file may prefer its baseline image.
  @Test func groupsAndBrands() throws {
    for odd in [heif(brand: "mif1"), heif(group: []), heif(group: [3, 2])] {
      let inventory = try GainMapInventory(of: odd)
      #expect(inventory.applicable != nil)
      #expect(inventory.notices.map(\.category) == [.irregular])
    }
    let reversed = try GainMapInventory(of: heif(group: [1, 3]))
    #expect(reversed.applicable == nil)
    #expect(reversed.maps.first?.metadata != nil)
    #expect(reversed.notices.count == 1)
  }

  @Test(arguments: [[], [1], [1, 1], [1, 2, 2], [1, 9], [1, 3]])
  func badInputs(inputs: [UInt32]) throws {
    let inventory = try GainMapInventory(of: heif(inputs: inputs))
    #expect(inventory.maps.isEmpty)
    #expect(inventory.notices.count == 1)
  }

  /// Wrong lengths and a gain map of another image cause a notice only.
  @Test func brokenToneMaps() throws {
    for length in 0..<Self.payload.count {
      let inventory = try GainMapInventory(
        of: heif(payload: Array(([0] + Self.payload).prefix(length))))
      #expect(inventory.maps.count == 1)
      #expect(inventory.applicable == nil)
      #expect(inventory.notices.count == 1)
    }
    let huge = try GainMapInventory(of: heif(payload: [UInt8](repeating: 0, count: 2 << 20)))
    #expect(huge.maps.first?.carriers.first?.failure?.category == .limitExceeded)
    var other = heif()
    other.primaryItemID = 2
    #expect(try GainMapInventory(of: other).applicable == nil)
    other.primaryItemID = nil
    #expect(try GainMapInventory(of: other).maps.isEmpty)
  }

  @Test func manyToneMaps() throws {
    var file = heif()
    for _ in 0..<5000 {
      let id = file.addItem("tmap", data: .itemDataBox([0] + Self.payload))
      file.addReference("dimg", from: id, to: [1, 2])
    }
    let inventory = try GainMapInventory(of: file)
    #expect(inventory.maps.count == 16)
    #expect(inventory.applicable?.toneMapItem == 3)
  }

  /// One auxiliary image with a `tmap` and XMP is one gain map with two carriers.
  ///
  /// The auxiliary type may be Adobe's, Samsung's or unknown.
  @Test(arguments: [
    GainMapAuxiliary.adobeType, GainMapAuxiliary.samsungType, "urn:com:vendor:2031:aux:hdrgainmap",
  ])
  func auxiliaryBeside(type: String) throws {
    var file = heif()
    file.updateItem(2) { $0.setProperty("auxC", to: .auxiliaryType(.init(type))) }
    file.addReference("auxl", from: 2, to: [1])
    file.addXMP(Self.hdrgm("2"), describing: [2])
    var inventory = try GainMapInventory(of: file)
    #expect(inventory.maps.count == 1)
    #expect(inventory.applicable?.carriers.map(\.flavor) == [.iso, .xmp])
    #expect(inventory.applicable?.auxiliary?.auxiliaryType == type)
    #expect(inventory.notices == [])

    // Without the `tmap`, XMP is used; if the two differ, ISO 21496-1 is used, with a notice.
    var alone = file
    alone.removeItem(3)
    inventory = try GainMapInventory(of: alone)
    #expect(inventory.applicable?.flavor == .xmp)
    #expect(inventory.applicable?.toneMapItem == nil)
    let packet = try #require(file.xmpItems(describing: 2).first)
    file.removeItem(packet.id)
    file.addXMP(Self.hdrgm("2.1"), describing: [2])
    inventory = try GainMapInventory(of: file)
    #expect(inventory.applicable?.flavor == .iso)
    #expect(inventory.notices.map(\.category) == [.conflict])
    // If the payload cannot be read, XMP is used.
    file.updateItem(3) { $0.data = .itemDataBox([9]) }
    inventory = try GainMapInventory(of: file)
    #expect(inventory.applicable?.flavor == .xmp)
    #expect(inventory.notices.map(\.category) == [.irregular])
  }

  @Test func appleAuxiliary() throws {
    var file = heif()
    file.removeItem(3)
    file.updateItem(2) {
      $0.setProperty("auxC", to: .auxiliaryType(.init(GainMapAuxiliary.appleType)))
    }
    file.addReference("auxl", from: 2, to: [1])
    var inventory = try GainMapInventory(of: file)
    #expect(inventory.maps.count == 1)
    #expect(inventory.applicable == nil)  // The headroom is missing.
    #expect(inventory.notices.count == 1)
    file.addExif(
      AppleMakerNoteTests.exif(AppleMakerNoteTests.note((33, 1, 1), (48, 0, 1))), describing: [1])
    inventory = try GainMapInventory(of: file, appleCurve: .bt709)
    #expect(inventory.notices == [])
    #expect(inventory.applicable?.metadata?.alternateHeadroom.value == 3)
    #expect(inventory.applicable?.metadata?.appleCurve == .bt709)
    file.addXMP(try AppleGainMapXMPTests.packet("4").bytes, describing: [2])
    inventory = try GainMapInventory(of: file)
    #expect(inventory.applicable?.metadata?.alternateHeadroom.value == 2)
    #expect(inventory.notices.map(\.category) == [.conflict])
  }

  @Test func staleHint() throws {
    var file = heif()
    file.removeItem(3)
    #expect(try GainMapInventory(of: file).notices == [])
    file.addXMP(Self.hdrgm("2"), describing: [1])
    #expect(try GainMapInventory(of: file).notices.count == 1)
  }

  // MARK: JPEG

  private func segment(_ marker: UInt8, _ name: String, _ body: [UInt8]) -> [UInt8] {
    let payload = Array(name.utf8) + [0] + body
    return [0xFF, marker, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 255)]
      + payload
  }
  private func iso(_ body: [UInt8]) -> [UInt8] {
    segment(0xE2, JPEGSegments.isoGainMap, body)
  }
  private func xmp(_ packet: [UInt8]) -> [UInt8] {
    segment(0xE1, "http://ns.adobe.com/xap/1.0/", packet)
  }
  private func image(_ segments: [UInt8]...) -> [UInt8] {
    [0xFF, 0xD8] + segments.joined()
      + hex("FFC0000B080002000301011100 FFDA0008010100003F00 1234 FFD9")
  }
  private func inventory(_ images: [UInt8]...) throws -> GainMapInventory {
    try GainMapInventory(of: try JPEGFile(parsing: ByteSource(Array(images.joined()))))
  }

  /// A preview, a gain map with ISO 21496-1 and one with XMP are listed; the first gain map is
  /// applied.
  @Test func severalMaps() throws {
    let found = try inventory(
      image(iso(ISO21496Payload.versionOnly)), image(), image(xmp(Self.hdrgm("1"))),
      image(iso(Self.payload)))
    #expect(found.maps.map(\.location) == [.image(3), .image(2)])
    #expect(found.applicable?.flavor == .iso)
    #expect(found.maps[0].layout == .init(width: 3, height: 2, componentCount: 1, bits: 8))
    #expect(found.notices.count == 1)
  }

  @Test func fallsBackToXMP() throws {
    let found = try inventory(
      image(iso(ISO21496Payload.versionOnly)),
      image(iso(Array(Self.payload.prefix(40))), xmp(Self.hdrgm("1"))))
    #expect(found.applicable?.flavor == .xmp)
    #expect(found.maps[0].carriers.map { $0.failure?.category } == [.truncated, nil])
    #expect(found.notices.map(\.location.path.first) == ["image 1"])
  }

  @Test func hints() throws {
    let unannounced = try inventory(image(), image(iso(Self.payload)))
    #expect(unannounced.applicable != nil)
    #expect(unannounced.notices.count == 1)
    let stale = try inventory(image(iso(ISO21496Payload.versionOnly)), image())
    #expect(stale.maps.isEmpty)
    #expect(stale.notices.count == 1)
    let lone = try inventory(image(xmp(Self.hdrgm("2"))))
    #expect(lone.maps.isEmpty)
    #expect(lone.notices.count == 1)
    #expect(try inventory(image(), image()).notices == [])
  }

  /// Draft payloads make the gain map unusable, not the image; the form of libultrahdr is read.
  @Test func draftPayloads() throws {
    let hint = image(iso(ISO21496Payload.versionOnly))
    let common = hex(
      "00000000 08 000003e8 00000000 00000514 00000000 00000514 000003e8 00000010 00000010")
    let found = try inventory(hint, image(iso(common)))
    #expect(found.applicable?.metadata?.alternateHeadroom.value == 1.3)
    // The common denominator, and unspecified primaries of the alternate image.
    #expect(found.notices.map(\.category) == [.irregular, .assumed])
    let draft = try inventory(hint, image(iso([UInt8](repeating: 0, count: 58))))
    #expect(draft.applicable == nil)
    #expect(draft.maps.first?.carriers.first?.failure?.category == .unsupported)
  }

  // MARK: JPEG XL

  /// A Brotli stream of one uncompressed meta-block.
  ///
  /// Source: RFC 7932, 9.1 and 9.2.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let header = (bytes.count - 1) << 4 | 1 << 20
    return [UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16)] + bytes + [3]
  }

  private func jxl(_ boxes: [UInt8]...) throws -> GainMapInventory {
    let head = hex("0000000C 4A584C20 0D0A870A 00000014 66747970 6A786C20 00000000 6A786C20")
    let stream = box("jxlc", hex("FF0A00A0"))
    return try GainMapInventory(
      of: try JPEGXLFile(parsing: ByteSource(head + stream + boxes.joined())))
  }
  private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    [0, 0, 0, UInt8(8 + content.count)] + Array(type.utf8) + content
  }

  @Test func jpegXL() throws {
    var linear = Self.payload
    linear[4] = 0  // Applied in the primaries of the alternate image.
    let map = [0, 0, 61] + linear + hex("03 50B400 00000000 FF0A00A0")
    let found = try jxl(box("jhgm", map))
    #expect(found.notices == [])
    #expect(found.applicable?.layout?.width == 1)
    #expect(found.applicable?.alternate.cicp?.primaries == .bt709)
    #expect(found.applicable?.location == .box(44))
    #expect(try jxl(box("jhgm", Array(map.dropLast(4)))).applicable == nil)
    #expect(try jxl(box("jhgm", [1] + map.dropFirst())).applicable == nil)
    #expect(try jxl(box("brob", Array("jhgm".utf8) + [1, 2, 3])).notices.count == 1)
    #if JPEGXL
    let compressed = try jxl(box("brob", Array("jhgm".utf8) + Self.stored(map)))
    #expect(compressed.applicable?.layout == found.applicable?.layout)
    #expect(compressed.notices == [])
    #endif
    #expect(try jxl(box("jhgm", [0, 1])).notices.count == 1)
  }

  /// Bytes after the fields are ignored, as by libultrahdr and Skia; PNG is in `PNGGainMapTests`.
  ///
  /// In a `tmap` item, libavif and CrabbyAvif reject them, unless a later writer added them.
  @Test(arguments: [0, 1] as [UInt8]) func trailingBytes(writerVersion: UInt8) throws {
    var payload = Self.payload + [7, 7, 7]
    payload[3] = writerVersion
    let code = writerVersion == 0 ? "gain-map/trailing-bytes-ignored" : "gain-map/writer-version"
    let box = box(
      "jhgm", [0, 0, UInt8(payload.count)] + payload + hex("03 50B400 00000000 FF0A00A0"))
    for found in [
      try inventory(image(iso(ISO21496Payload.versionOnly)), image(iso(payload))), try jxl(box),
    ] {
      #expect(found.applicable?.metadata?.alternateHeadroom.value == 2)
      #expect(found.notices.map(\.code.id).contains(code))
    }
    let item = try GainMapInventory(of: heif(payload: [0] + payload))
    #expect((item.applicable == nil) == (writerVersion == 0))
    let failure = item.maps.first?.carriers.first?.failure
    #expect(failure?.code.id == (writerVersion == 0 ? "gain-map/trailing-bytes" : nil))
  }

  @Test(.enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
  func placeholderInJPEGXL() throws {
    let path = Corpus.folder.appending(path: "jxl-broken/jxlrs-jhgm-dummy.jxl").path
    let found = try GainMapInventory(of: try JPEGXLFile(parsing: ByteSource(path: path)))
    #expect(found.maps.count == 1)
    #expect(found.applicable == nil)
    #expect(found.maps[0].carriers[0].failure?.category == .unsupported)
  }
}
