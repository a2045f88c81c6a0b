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
    #expect(FileFormat(detectedIn: Self.half.bytes) == .jpegXR)
    var old = Self.half
    old.version = 0
    #expect(FileFormat(detectedIn: old.bytes) == .jpegXR)
  }

  /// Source: T.832, table 24; the rotation is applied before the flips.
  @Test(arguments: [(0, 1), (1, 4), (2, 2), (3, 3), (4, 6), (5, 7), (6, 5), (7, 8), (8, 1)])
  func orientation(value: UInt32, exif: Int) throws {
    var file = Self.half
    file.set(0xBC02, value)
    let declared = try Self.open(file).primaryImage()
    #expect(declared.orientation.rawValue == exif)
    #expect(declared.notices.map(\.code) == (value > 7 ? [.jpegXRTransformationUnknown] : []))
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
    #expect(color.transferSource == "PTM_COLOR_INFO")
    #expect(contents.primary.layout.samples == .integer(bits: 10))
    #expect(contents.notices.isEmpty && contents.primary.isFullRange)
  }

  /// Integers of 8 bits or more can be limited to a range; no sample is Y'CbCr.
  @Test func matrixAndRangeAreUsedOrReported() throws {
    var packed = SyntheticJPEGXR(0x14, SyntheticJPEGXR.header(depth: 9))
    packed.set(0xBC05, type: 1, [9, 16, 9, 0])
    let limited = try Self.open(packed).contents()
    #expect(limited.primary.color?.encoding.isFullRange == false && !limited.primary.isFullRange)
    #expect(limited.notices.map(\.code) == [.jpegXRMatrixIgnored])
    var half = Self.half
    half.set(0xBC05, type: 1, [1, 8, 2, 0])
    let full = try Self.open(half).contents()
    #expect(full.primary.color?.encoding.isFullRange == true)
    #expect(full.notices.map(\.code) == [.jpegXRRangeIgnored])
    half.set(0xBC05, type: 1, [9, 16, 0])
    let short = try Self.open(half).primaryImage()
    #expect(
      short.color.cicp == nil
        && short.notices.map(\.code.english) == ["ignored: PTM_COLOR_INFO of {size byte}; it has 4"]
    )
  }

  /// A profile takes precedence over the pixel format; floating-point values may exceed 1.0 with any.
  @Test func floatingPointWithAProfileIsHDR() throws {
    var file = Self.half
    let profile = ICCProfile.generate(primaries: .bt709, curve: .srgb, description: "sRGB")
    file.set(34675, type: 7, profile)
    let contents = try Self.open(file).contents()
    let color = try #require(contents.primary.color)
    #expect(color.encoding.transfer == .srgb && color.transferSource == "ICC_PROFILE")
    #expect(contents.isHighDynamicRange)
  }

  @Test func metadataAreExtracted() throws {
    var file = SyntheticJPEGXR(0x1C, SyntheticJPEGXR.header(depth: 1))
    file.set(700, type: 1, XMPPacket.empty)
    file.set(34675, type: 7, [1, 2, 3, 4, 5])
    file.set(271, type: 2, Array("Maker\0".utf8))
    // The image is CMYK, which cannot be decoded.
    let opened = try Self.open(file)
    let summary = try opened.metadataSummary()
    #expect(summary.xmp == XMPPacket.empty && summary.profile == [1, 2, 3, 4, 5])
    let exif = try ExifBlock(parsing: try #require(summary.exif))
    #expect(try exif.text(.make) == "Maker")
    #expect(throws: ImageError.self) { try opened.metadataSummary(ofItem: 1) }
    var edit = MetadataEdit()
    edit.xmp = .drop
    let edited = try opened.edited(by: edit).after
    #expect(edited.xmp == nil && edited.profile == summary.profile)
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
    let size = try #require(throws: ImageError.self) { try Self.open(other).primaryImage() }
    #expect(
      size.code.english == "the alpha plane is {alpha}, the image {size pixel}"
        && size.message.contains("17x17"))
    let depth = SyntheticJPEGXR(
      0x3A, SyntheticJPEGXR.header(depth: 4), alpha: SyntheticJPEGXR.header(color: 0, depth: 1))
    let error = try #require(throws: ImageError.self) { try Self.open(depth).primaryImage() }
    #expect(
      error.code.english
        == "the alpha plane has {count component} of bit depth {depth}, not the one of {format}")
  }

  @Test func alphaThatIsNotUsedIsReported() throws {
    let luma = SyntheticJPEGXR.header(color: 0, depth: 4)
    let planar = SyntheticJPEGXR(0x3B, SyntheticJPEGXR.header(depth: 4), alpha: luma)
    let interleaved = SyntheticJPEGXR(0x3B, SyntheticJPEGXR.header(depth: 4, hasAlpha: true))
    let both = SyntheticJPEGXR(
      0x3A, SyntheticJPEGXR.header(depth: 4, hasAlpha: true), alpha: luma)
    for file in [planar, interleaved, both] {
      let declared = try Self.open(file).primaryImage()
      #expect(
        declared.notices.map(\.code.english) == [
          "ignored: {count alpha plane} more than {format} has"
        ])
    }
    var straight = SyntheticJPEGXR(0x3A, SyntheticJPEGXR.header(depth: 4), alpha: luma)
    straight.codestream[10] |= 2  // PREMULTIPLIED_ALPHA_FLAG
    let declared = try Self.open(straight).primaryImage()
    #expect(
      declared.notices.map(\.code.english) == [
        "ignored: premultiplied alpha in the codestream; alpha of {format} is straight"
      ])
    #expect(!declared.layout.isAlphaPremultiplied)
  }

  @Test func versionsAndSizesOfZeroAreNamed() throws {
    var file = Self.half
    file.version = 2
    let version = try #require(throws: ImageError.self) { try Self.open(file) }
    #expect(version.category == .unsupported && version.message.contains("FILE_VERSION_ID"))
    var empty = Self.half
    empty.set(0xBC80, 0)
    let size = try #require(throws: ImageError.self) { try Self.open(empty).primaryImage() }
    #expect(size.code == .invalidValue && size.message.contains("IMAGE_WIDTH"))
  }

  @Test func contradictionsAndTruncation() throws {
    let wrong = SyntheticJPEGXR(0x3B, SyntheticJPEGXR.header(depth: 1))
    #expect(throws: ImageError.self) { try Self.open(wrong).primaryImage() }
    var size = Self.half
    size.set(0xBC80, 17)
    let declared = try Self.open(size).primaryImage()
    #expect(declared.layout.width == 16)
    #expect(
      declared.notices.map(\.code.english) == [
        "ignored: size of {size pixel} in the container; the codestream is {coded}"
      ])
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

  /// Tiles with the same offset would be decoded from the same bytes.
  @Test func macroblocksHaveData() throws {
    var header = SyntheticJPEGXR.header(depth: 4)
    header.replaceSubrange(12..<16, with: [0x03, 0xFF, 0x03, 0xFF])
    let error = try #require(throws: ImageError.self) {
      try Self.open(SyntheticJPEGXR(0x3B, header)).primaryImage()
    }
    #expect(
      error.code.english
        == "the codestream of {count byte} is too short for an image of {size pixel}"
        && error.category == .truncated)
    let bits = [UInt8](repeating: 0, count: 64 * 64 / 8)
    #expect(throws: Never.self) {
      try Self.open(SyntheticJPEGXR(0x3B, header + bits)).primaryImage()
    }
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
