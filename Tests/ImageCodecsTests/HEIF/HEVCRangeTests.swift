// SPDX-License-Identifier: Apache-2.0
#if HEIF
import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

/// HEVC whose bitstream does not signal the range of its samples: x265 without VUI.
///
/// pillow-heif 1.3 (libheif 1.23) and ffmpeg 5.1 show black and white, as limited range.
@Suite("Range of HEVC") struct HEVCRangeTests {
  private static let icc = ICCProfile.generate(
    primaries: .displayP3, curve: .srgb, description: "test")

  private func file() throws -> HEIFFile {
    try HEIFFile(parsing: ByteSource(try Vectors.bytes("HEIF/hevc-without-vui.heic")))
  }

  /// The range of the image, and the code values of its darkest and brightest luma.
  private func opened(_ file: HEIFFile) throws -> (document: SourceImage, luma: [UInt16]) {
    let document = try SourceImage(decoding: ByteSource(try file.serialized()))
    let planes = try document.image.makeReader().read(rows: 0..<document.image.layout.height)
    let luma = planes.codes[0]
    return (document, [luma.min() ?? 0, luma.max() ?? 0])
  }

  @Test func withoutColor() throws {
    let (document, luma) = try opened(file())
    #expect(!document.image.color.isFullRange)
    #expect(luma == [16, 235])
    #expect(document.notices.contains { $0.code.id == "color/range-inferred" })
  }

  /// An ICC profile does not specify a range, and the brand `miaf` does not change it.
  @Test func withProfile() throws {
    var file = try file()
    let id = try file.primaryItem.id
    file.updateItem(id) { $0.setColor(cicp: nil, icc: Self.icc) }
    file.fileType.compatibleBrands.append("miaf")
    let document = try opened(file).document
    #expect(!document.image.color.isFullRange)
    #expect(document.image.color.primaries == .displayP3)
  }

  @Test func nclxOverrides() throws {
    var file = try file()
    let id = try file.primaryItem.id
    file.updateItem(id) {
      $0.setColor(cicp: CICP(primaries: .bt709, transfer: .srgb, matrix: .bt601), icc: nil)
    }
    let document = try opened(file).document
    #expect(document.image.color.isFullRange)
    #expect(!document.notices.contains { $0.code.id == "color/range-inferred" })
  }

  /// Tiles of a grid have the range of their bitstream.
  @Test func grid() throws {
    var file = try file()
    let tile = try file.primaryItem
    let grid = file.addItem(
      "grid",
      properties: [
        .imageSpatialExtents(ImageSpatialExtentsBox(width: 128, height: 96)),
        .colorInformation(.unrestrictedICC(Self.icc)),
      ], data: .itemDataBox([SourceBytes([0, 0, 0, 0, 0, 128, 0, 96])]))
    file.addReference("dimg", from: grid, to: [tile.id])
    file.primaryItemID = grid
    let (document, luma) = try opened(file)
    #expect(!document.image.color.isFullRange)
    #expect(luma == [16, 235])
  }

  /// Alpha is not scaled by other readers either: its codes are its values.
  @Test func alpha() throws {
    var file = try file()
    let image = try file.primaryItem
    let alpha = file.addItem(
      "hvc1",
      properties: image.properties.map(\.box) + [
        .auxiliaryType(AuxiliaryTypeBox("urn:mpeg:hevc:2015:auxid:1"))
      ], data: image.data)
    file.addReference("auxl", from: alpha, to: [image.id])
    let document = try opened(file).document
    #expect(document.image.layout.hasAlpha)
    let planes = try document.image.makeReader().read(rows: 0..<document.image.layout.height)
    #expect(planes.codes.last?.min() == 16)
    #expect(planes.codes.last?.max() == 235)
  }

  /// The notice contains the code points that `tag --set cicp` takes to repair the file.
  @Test func contradictingRange() throws {
    let file = try ImageFile(
      parsing: ByteSource(try Vectors.bytes("HEIF/nclx-limited-vui-full.heic")))
    let notice = try #require(
      file.primaryImage().notices.first { $0.code.id == "color/bitstream-differs" })
    #expect(notice.parameters["repaired"] == .text("1/13/5/full"))
    let document = try SourceImage(decoding: file)
    #expect(!document.image.color.isFullRange)
  }
}
#endif
