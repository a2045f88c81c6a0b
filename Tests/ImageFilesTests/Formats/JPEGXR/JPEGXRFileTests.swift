// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("JPEG XR files") struct JPEGXRFileTests {
  private static func open(
    _ file: SyntheticJPEGXR, options: OpeningOptions = OpeningOptions()
  ) throws -> ImageFile {
    try ImageFile(parsing: ByteSource(file.bytes), options: options)
  }

  private static let half = SyntheticJPEGXR(0x3B, SyntheticJPEGXR.header(depth: 4))
  private static let bytes = SyntheticJPEGXR(0x0D, SyntheticJPEGXR.header(depth: 1))

  @Test func suffixesAndSignatures() throws {
    for suffix in ["jxr", "wdp", "hdp"] { #expect(FileFormat(suffix: suffix) == .jpegXR) }
    #expect(FileFormat.sniff(Self.half.bytes) == .jpegXR)
    var old = Self.half
    old.version = 0
    #expect(FileFormat.sniff(old.bytes) == .jpegXR)
  }

  /// Source: T.832, table 24; the rotation is applied before the flips.
  @Test(arguments: [(0, 1), (1, 4), (2, 2), (3, 3), (4, 6), (5, 7), (6, 5), (7, 8), (8, 1)])
  func orientation(value: UInt32, exif: Int) throws {
    var file = Self.half
    file.set(0xBC02, value)
    #expect(try Self.open(file).primaryImage().orientation.rawValue == exif)
  }

  @Test func samplesWithoutDeclarationsAreSRGBOrScRGB() throws {
    let linear = try Self.open(Self.half).primaryImage()
    #expect(linear.color.referenceWhite == 80)
    #expect(linear.color.primaries == .bt709 && linear.color.gamma == 1)
    let integers = try Self.open(Self.bytes).primaryImage()
    #expect(integers.color.isMarkedSRGB && integers.color.referenceWhite == nil)
  }

  @Test func codePointsDeclarePQ() throws {
    var file = SyntheticJPEGXR(0x14, SyntheticJPEGXR.header(depth: 9))
    file.set(0xBC05, type: 1, [9, 16, 0, 1])
    let contents = try Self.open(file).contents()
    let color = try #require(contents.primary.color)
    #expect(color.encoding.transfer == .pq && color.encoding.primaries == .bt2020)
    #expect(color.transferFrom == "PTM_COLOR_INFO")
    #expect(contents.primary.format.samples == .integer(bits: 10))
  }

  @Test func resolutionBecomesExif() throws {
    var file = Self.half
    file.set(0xBC82, type: 11, [0, 0, 0xC0, 0x42])
    file.set(0xBC83, type: 11, [0, 0, 0xC0, 0x42])
    let exif = try #require(try Self.open(file).primaryImage().metadata.exif)
    #expect(exif.number(.xResolution) == 96 && exif.number(.resolutionUnit) == 2)
  }

  @Test(arguments: [
    (0x1C, "32bppCMYK"), (0x20, "24bpp3Channels"), (0x39, "144bpp8ChannelsAlpha"),
    (0x48, "24bppYCC444"),
  ])
  func otherColorModelsAreRefusedByName(number: UInt8, name: String) throws {
    let file = try Self.open(SyntheticJPEGXR(number, SyntheticJPEGXR.header(depth: 1)))
    let error = try #require(throws: ImageError.self) { try file.primaryImage() }
    #expect(error.category == .unsupported && error.message.contains(name))
    #expect(try file.contents().images.count == 1)
  }

  @Test func alphaIsInOnePlane() throws {
    let luma = SyntheticJPEGXR.header(color: 0, depth: 4)
    let planar = SyntheticJPEGXR(0x3A, SyntheticJPEGXR.header(depth: 4), alpha: luma)
    #expect(try Self.open(planar).primaryImage().layout.hasAlpha)
    let interleaved = SyntheticJPEGXR(0x3A, SyntheticJPEGXR.header(depth: 4, hasAlpha: true))
    #expect(try Self.open(interleaved).primaryImage().layout.hasAlpha)
    let missing = SyntheticJPEGXR(0x3A, SyntheticJPEGXR.header(depth: 4))
    #expect(throws: ImageError.self) { try Self.open(missing).primaryImage() }
    let other = SyntheticJPEGXR(
      0x3A, SyntheticJPEGXR.header(depth: 4),
      alpha: SyntheticJPEGXR.header(color: 0, depth: 4, size: 17))
    #expect(throws: ImageError.self) { try Self.open(other).primaryImage() }
  }

  @Test func contradictionsAndTruncation() throws {
    let wrong = SyntheticJPEGXR(0x3B, SyntheticJPEGXR.header(depth: 1))
    #expect(throws: ImageError.self) { try Self.open(wrong).primaryImage() }
    var size = Self.half
    size.set(0xBC80, 17)
    let declared = try Self.open(size).primaryImage()
    #expect(declared.layout.width == 16)
    #expect(declared.notices.map(\.code) == [.jpegXRSizeDiffers])
    var long = Self.half
    long.excess = 1
    let error = try #require(throws: ImageError.self) { try Self.open(long).primaryImage() }
    #expect(error.category == .truncated)
    for tag: UInt16 in [0xBC01, 0xBC80, 0xBC81] {
      var file = Self.half
      file.remove(tag)
      #expect(throws: ImageError.self) { try Self.open(file).primaryImage() }
    }
  }

  /// Tiles beyond the image would make jxrlib allocate memory for each.
  @Test func tilesAreWithinTheImage() throws {
    var header = SyntheticJPEGXR.header(depth: 4)
    header[9] = 0x84  // TILING_FLAG, INDEXTABLE_PRESENT_FLAG
    header.replaceSubrange(16..<16, with: [0x00, 0x10, 0x00, 0x01])
    let error = try #require(throws: ImageError.self) {
      try Self.open(SyntheticJPEGXR(0x3B, header)).primaryImage()
    }
    #expect(error.message.contains("TILE_WIDTH_IN_MB"))
  }

  @Test func truncatedHeadersAreErrors() throws {
    let bytes = Self.half.bytes
    for count in 0..<bytes.count - 8 {
      #expect(throws: ImageError.self, "\(count) bytes") {
        try ImageFile(parsing: ByteSource(Array(bytes.prefix(count)))).primaryImage()
      }
    }
  }

  @Test func imagesOfAFile() throws {
    var options = OpeningOptions()
    options.image = .number(2)
    #expect(throws: ImageError.self) { try Self.open(Self.half, options: options) }
    options.image = .name("IFD 0")
    #expect(try Self.open(Self.half, options: options).contents().primary.number == 1)
  }
}
