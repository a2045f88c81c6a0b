// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF && PNG && JPEG
import GainMap
import HDRCore
import ImageCodecs
import TestSupport
import Testing

@testable import Conformance
@testable import HDRConversion
@testable import ImageFiles

/// Verdicts that follow from what other readers find, and how samples are scaled.
@Suite("Verdicts about gain maps and significant bits") struct GainMapVerdictTests {
  private func verdict(_ rule: String, of bytes: [UInt8]) throws -> Verdict? {
    try RuleTests.checked(bytes).judgments().first { $0.rule.id == rule }?.verdict
  }

  private func usable(_ bytes: [UInt8]) throws -> [GainMapFlavor]? {
    try ImageFile(parsing: ByteSource(bytes)).gainMaps().applicable?.usableFlavors
  }

  private func jpeg(
    xmp: Bool = true, iso: Bool = true, _ change: (inout JPEGFile) throws -> Void
  ) throws -> [UInt8] {
    var file = try JPEGFile(
      parsing: ByteSource(try GainMapFiles.ultraHDR(xmp: xmp, iso: iso)))
    try change(&file)
    return try file.serialized().allBytes()
  }

  /// Skia and libultrahdr find a gain map by the container directory as well.
  @Test func directories() throws {
    let listed = try jpeg { try $0.primary.replace(.multiPicture, with: []) }
    #expect(try usable(listed) == [.xmp])
    #expect(try verdict("uhdr/mpf", of: listed) == .deviates)
    let unlisted = try jpeg {
      try $0.primary.replace(.multiPicture, with: [])
      try $0.primary.setXMP(
        GainMapFiles.primaryPacket(length: 1, semantics: []))
    }
    #expect(try usable(unlisted) == [])
    #expect(try verdict("uhdr/mpf", of: unlisted) == .broken)
    let checked = try RuleTests.checked(unlisted)
    let fixed = try FixedFile(fixing: checked, by: checked.applicableStandards)
    let bytes = try #require(fixed.bytes).allBytes()
    #expect(try usable(bytes) == [.iso, .xmp])
    #expect(try verdict("uhdr/mpf", of: bytes) == .pass)
  }

  /// The announcement of one kind of metadata is found, whether or not the other does.
  @Test func announcements() throws {
    let iso = try jpeg {
      let length = $0.images[1].serialized().count
      try $0.primary.setXMP(GainMapFiles.primaryPacket(length: length, version: nil))
    }
    #expect(try usable(iso) == [.iso])
    #expect(try verdict("uhdr/primary-version", of: iso) == .deviates)
    let xmp = try jpeg { try $0.primary.setISOGainMap(nil) }
    #expect(try usable(xmp) == [.xmp])
    #expect(try verdict("uhdr/iso-version", of: xmp) == .advice)
    let alone = try jpeg(iso: false) {
      let length = $0.images[1].serialized().count
      try $0.primary.setXMP(GainMapFiles.primaryPacket(length: length, version: nil))
    }
    #expect(try usable(alone) == [])
    #expect(try verdict("uhdr/primary-version", of: alone) == .broken)
  }

  @Test func trailingBytes() throws {
    let bytes = try jpeg(xmp: false) { file in
      let payload = ISO21496Payload(GainMapFiles.metadata).serialized + [1, 2, 3]
      var map = file.images[1]
      try map.setISOGainMap(payload)
      file.replaceImage(1, with: map)
    }
    #expect(try usable(bytes) == [.iso])
    #expect(try verdict("21496-1/metadata", of: bytes) == .deviates)
  }

  /// Samples of 10 bits as 16 bits: 1 becomes 64 by a shift or by replication and 64.06 by the
  /// equation, 600 becomes 38400, 38437 and 38437, 1023 becomes 65472 by a shift.
  ///
  /// Source: PNG Third Edition, 12.4.
  @Test(arguments: [
    ([64, 38_437, 65_535], Verdict.pass), ([64, 38_400, 65_472], .pass),
    ([5061, 38_437, 65_535], .pass), ([64, 38_400, 65_535], .broken), ([65, 0, 0], .broken),
  ])
  func scalings(samples: [UInt16], expected: Verdict) throws {
    let layout = ImageLayout(
      width: samples.count, height: 1, components: .gray, samples: .integer(bits: 16))
    let plane = Plane<UInt16>(width: samples.count, height: 1) { row in
      for sample in samples { row.append(sample) }
    }
    let image = Image(
      ImagePlanes(layout: layout, planes: .integer([plane])),
      CICP(primaries: .bt2020, transfer: .pq, matrix: .identity))
    var file = try PNGFile(parsing: ByteSource(try TestImages.encoded(OutputImage(image), .png)))
    file.set(PNGSignificantBits(bits: [10]))
    #expect(try verdict("22028-5/H5-BIT-2", of: file.serialized().allBytes()) == expected)
  }

  /// The size of a layer, which only the header of its frame has.
  @Test func layers() throws {
    var file = try HEIFFile(parsing: ByteSource(try #require(Fixture.bytes[.avif])))
    let id = try file.primaryItem.id
    file.updateItem(id) {
      $0.setProperty("ispe", to: .imageSpatialExtents(.init(width: 35, height: 32)))
    }
    #expect(try verdict("heif/extents", of: file.serialized()) == .broken)
    file.updateItem(id) { item in
      item.setProperty("a1op", to: .av1OperatingPoint(AV1OperatingPointBox(index: 1)))
    }
    #expect(try verdict("heif/extents", of: file.serialized()) == .pass)
    try file.correctStructure()
    let size = file.item(id)?.property(ImageSpatialExtentsBox.self)
    #expect(size == .init(width: 35, height: 32))
  }

  @Test func selectedLayer() throws {
    var file = try HEIFFile(parsing: ByteSource(try #require(Fixture.bytes[.avif])))
    let id = try file.primaryItem.id
    for (layer, expected) in [(UInt16(0), Verdict.pass), (0xFFFF, .pass), (5, .broken)] {
      let box = LayerSelectorBox(layerID: layer)
      file.updateItem(id) { $0.setProperty("lsel", to: .layerSelector(box)) }
      #expect(try verdict("avif/selected-layer", of: file.serialized()) == expected)
    }
    file.updateItem(id) { $0.setProperty("lsel", to: .layerSelector(.init(layerID: 0xFFFF))) }
    // The sequence header of a file of libavif's tests: layers 0 to 2, 0 to 1, and 0.
    let layered = file.addItem(
      "av01", properties: [.imageSpatialExtents(.init(width: 360, height: 182))],
      data: .itemDataBox(hex("0a0f002701298094404b5366ed97e08020")))
    // Operating points that do not exist are read as the first.
    for (point, layer, expected) in [
      (0, 2, Verdict.pass), (1, 1, .pass), (1, 2, .broken), (2, 0, .pass), (2, 1, .broken),
      (3, 2, .pass), (2, 0xFFFF, .pass),
    ] {
      file.updateItem(layered) { item in
        item.setProperty("a1op", to: .av1OperatingPoint(.init(index: UInt8(point))))
        item.setProperty("lsel", to: .layerSelector(.init(layerID: UInt16(layer))))
      }
      #expect(try verdict("avif/selected-layer", of: file.serialized()) == expected)
    }
  }
}
#endif
