// SPDX-License-Identifier: Apache-2.0
#if JPEG && PNG && TIFF
@testable import HDRConversion
import HDRCore
import Testing

@testable import ImageCodecs
@testable import ImageFiles

@Suite("Print resolution") struct PrintResolutionTests {
  private static let formats: [FileFormat] = [.jpeg, .png, .tiff]

  /// An image with 300 pixels per inch in JFIF, `pHYs` or the tags of TIFF alone.
  private static func file(_ format: FileFormat) throws -> ImageFile {
    var options = ConversionOptions.plain(format)
    (options.transfer, options.primaries) = (.srgb, .bt709)
    let sink = MemorySink()
    var document = SourceImage.white()
    if format == .tiff {
      document.exif = try ExifBlock.adding(SIMD2(300, 300), to: nil)
    }
    _ = try ImageConverter(options).write(document, to: sink)
    var bytes = sink.bytes
    if format == .jpeg {
      var file = try JPEGFile(parsing: ByteSource(bytes))
      try file.primary.setPixelsPerInch(SIMD2(300, 300))
      bytes = try file.serialized().allBytes()
    } else if format == .png {
      var file = try PNGFile(parsing: ByteSource(bytes))
      file.set(try #require(PNGPixelSize(pixelsPerInch: SIMD2(300, 300))))
      bytes = try file.serialized().allBytes()
    }
    return try ImageFile(parsing: ByteSource(bytes))
  }

  /// The resolution that a format stores itself.
  private static func resolution(_ bytes: [UInt8], _ format: FileFormat) throws -> SIMD2<Double>? {
    let source = ByteSource(bytes)
    switch format {
    case .jpeg: return try JPEGFile(parsing: source).primary.pixelsPerInch
    case .png: return try PNGFile(parsing: source).content(PNGPixelSize.self)?.pixelsPerInch
    default:
      return try ExifBlock.pixelsPerInch(
        of: TIFFFile(parsing: source, limits: ImageLimits()).exif())
    }
  }

  @Test(arguments: formats, formats)
  func `conversions keep it, also at another size`(input: FileFormat, output: FileFormat) throws {
    let file = try Self.file(input)
    for longSide in [nil, 4] {
      var request = ConversionRequest(format: output, quality: 80, longSide: longSide)
      if longSide != nil { request.geometry.isEnlarged = true }
      let bytes = try file.converted(request).bytes
      #expect(try Self.resolution(bytes, output) == SIMD2(300, 300))
      let again = try SourceImage(decoding: ByteSource(bytes))
      #expect(try ExifBlock.pixelsPerInch(of: again.exif) == SIMD2(300, 300))
    }
  }

  @Test func `Exif comes first, and units are inches`() throws {
    let exif = try #require(try ExifBlock.adding(SIMD2(240, 120), to: nil))
    #expect(try ExifBlock.adding(SIMD2(300, 300), to: exif) == exif)
    #expect(try ExifBlock.describesPrintAlone(exif))
    var block = try ExifBlock(parsing: exif)
    try block.addToMain([.init(tag: .resolutionUnit, type: .short, values: [0, 3])])
    #expect(try ExifBlock.pixelsPerInch(of: block.bytes) == SIMD2(240, 120) * 2.54)
    try block.addToMain([.init(tag: .resolutionUnit, type: .short, values: [0, 1])])
    #expect(try ExifBlock.pixelsPerInch(of: block.bytes) == nil)
    // Readers assume 72.
    #expect(try ExifBlock.adding(SIMD2(72, 72), to: nil) == nil)
    #expect(try ExifBlock.adding(SIMD2(300, 300), to: [1]) == [1])
  }

  @Test func `numbers that a format cannot store are left out`() throws {
    for number in [1e-3, 1e9] {
      var image = try JPEGFile(parsing: Self.file(.jpeg).source).primary
      try image.setPixelsPerInch(SIMD2(number, 300))
      #expect(image.pixelsPerInch == SIMD2(300, 300))
      #expect(PNGPixelSize(pixelsPerInch: SIMD2(300, number)) == nil)
    }
    // 11800 pixels per meter are not those of a whole number.
    var size = try #require(PNGPixelSize(pixelsPerInch: SIMD2(300, 300)))
    #expect(size.perUnitX == 11_811)
    size.perUnitX = 11_800
    #expect(size.pixelsPerInch == SIMD2(11_800 * 0.0254, 11_811 * 0.0254))
    size.isPerMeter = false
    #expect(size.pixelsPerInch == nil)
  }
}
#endif
