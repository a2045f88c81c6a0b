// SPDX-License-Identifier: Apache-2.0
import GainMap
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

#if JPEG
@Suite("JPEG reading") struct JPEGReaderTests {
  /// Sizes, subsampling, and CRC-32 of luma as 16-bit integers.
  ///
  /// Source: Pillow (libjpeg-turbo), luma before any conversion.
  @Test(
    .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"),
    arguments: [
      ("jpeg-apple/iphone13mini-old.jpg", 384, 512, ChromaSubsampling.yuv420, 0xB89B_1EFE),
      ("jpeg-iso/uhdr-iso-lrc15-500.jpg", 500, 750, .yuv444, 0x6A9F_2E1F),
      ("jpeg-uhdr/acr155-seine-sdr.jpg", 400, 300, .yuv444, 0xD9D3_A6B7),
      ("jpeg-uhdr/libavif-paris-icc.jpg", 403, 302, .yuv420, 0x7BE5_6D82),
      ("jpeg-uhdr/glide-android-xmp-iso.jpg", 1056, 1879, .yuv420, 0xAA8C_4EDE),
    ])
  func corpus(
    path: String, width: Int, height: Int, chroma: ChromaSubsampling, checksum: UInt32
  ) throws {
    let document = try Corpus.open(path)
    #expect(document.image.layout.width == width)
    #expect(document.image.layout.height == height)
    #expect(document.image.layout.components == .ycbcr(chroma))
    #expect(document.image.color.matrix == .bt601)
    #expect(document.gainMap?.location == .image(1))
    #expect(try luma(document.image.decode(stripHeight: 50)) == checksum)
  }

  @Test(
    .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"),
    arguments: Corpus.files(in: ["jpeg-apple", "jpeg-iso", "jpeg-uhdr"]))
  func allOpen(path: String) throws {
    let document = try Corpus.open(path)
    // One of the files contains a curve of 42 samples.
    let isTable = path.hasSuffix("instagram-ref-up3.jpg")
    #expect((document.image.color.transfer == .srgb) != isTable)
    let reader = try document.image.makeReader()
    _ = try reader.read(rows: 0..<16)
  }

  /// Files of one image of 37 × 23 pixels.
  ///
  /// Source: files written by Pillow and imagecodecs; Pillow decodes the same luma from all.
  @Test(arguments: [
    ("444-progressive", ImageLayout.Components.ycbcr(.yuv444)), ("422", .ycbcr(.yuv422)),
    ("420-restart", .ycbcr(.yuv420)), ("gray", .gray),
  ])
  func planes(name: String, components: ImageLayout.Components) throws {
    let image = try Vectors.open("JPEG/\(name).jpg").image
    #expect(image.layout.components == components)
    #expect(image.color.chromaLocation == .center)
    let whole = try image.decode(stripHeight: 23)
    #expect(try luma(whole) == 0x7BE5_21A2)
    let reader = try image.makeReader()
    for rows in [16..<23, 2..<6, 14..<18, 0..<2, 0..<23] {
      #expect(try reader.read(rows: rows).checksum == whole.strip(rows: rows).checksum)
    }
  }

  /// An image that is decoded at a fraction of its size; subsampled chroma then has all of its samples.
  ///
  /// Source: Pillow 12 (`Image.draft`), CRC-32 of luma, and of the chroma of 4:2:0, as 16-bit integers.
  @Test(
    arguments: [
      (2, 19, 12, 0x6E78_6EDC, 0x08FD_51F8), (4, 10, 6, 0xBBD0_64E9, 0x7B79_D097),
      (8, 5, 3, 0x167D_066E, 0x4043_7C5A),
    ] as [(Int, Int, Int, UInt32, UInt32)])
  func reduced(factor: Int, width: Int, height: Int, lumaSum: UInt32, chromaSum: UInt32) throws {
    for name in ["444-progressive", "422", "420-restart", "gray"] {
      let whole = try Vectors.open("JPEG/\(name).jpg").image
      let image = try #require(whole.reduced(by: factor))
      #expect((image.layout.width, image.layout.height) == (width, height))
      #expect(image.color == whole.color)
      #expect(try luma(image.decode(stripHeight: height)) == lumaSum, "\(name)")
      #expect(try luma(image.decode(stripHeight: 2)) == lumaSum, "\(name)")
    }
    let subsampled = try #require(
      try Vectors.open("JPEG/420-restart.jpg").image.reduced(by: factor))
    #expect(subsampled.layout.components == .ycbcr(.yuv444))
    #expect(try checksum(of: 1, subsampled.decode(stripHeight: 4)) == chromaSum)
  }

  /// Strips that overlap by the rows that subsampled chroma needs are decoded once.
  @Test func overlappingStrips() throws {
    let image = try Vectors.open("JPEG/420-restart.jpg").image
    let whole = try image.decode(stripHeight: 23)
    let reader = try #require((try image.makeReader() as? FileReader)?.decoder as? JPEGReader)
    for rows in [0..<18, 14..<23, 16..<20] {
      #expect(try reader.read(rows: rows).checksum == whole.strip(rows: rows).checksum)
    }
    #expect(reader.startCount == 1)
  }

  /// Images with uncommon subsampling or coded as RGB are decoded to RGB.
  ///
  /// Source: colors decoded by Pillow.
  @Test(arguments: [
    ("411", [30, 30, 30], [176, 202, 189]), ("440", [31, 29, 32], [180, 200, 189]),
    ("rgb", [30, 30, 29], [181, 200, 190]),
  ])
  func rgb(name: String, first: [Float], second: [Float]) throws {
    let image = try Vectors.open("JPEG/\(name).jpg").image.decode(stripHeight: 6)
    #expect(image.layout.components == .rgb)
    #expect(image.pixel(5, 3) == first)
    #expect(image.pixel(30, 20) == second)
  }

  @Test func cmykIsUnsupported() {
    let error = #expect(throws: ImageError.self) { try Vectors.open("JPEG/cmyk.jpg") }
    #expect(error?.category == .unsupported)
  }

  @Test(.enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
  func metadata() throws {
    let document = try Corpus.open("jpeg-uhdr/libavif-paris-icc.jpg")
    #expect(document.image.color.primaries == .displayP3)
    #expect(document.image.color.transfer == .srgb)
    #expect(document.exif != nil)
    #expect(document.xmp != nil)
  }

  @Test(
    .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"), .timeLimit(.minutes(1)),
    arguments: Corpus.files(in: ["malformed-jpeg"]))
  func malformed(path: String) throws {
    // Some of these files are damaged only in parts that are not needed.
    do throws(ImageError) {
      let document = try SourceImage(
        decoding:
          Corpus.source(path),
        options: OpeningOptions(limits: ImageLimits(pixels: 1 << 24)))
      let reader = try document.image.makeReader()
      let height = document.image.layout.height
      for first in stride(from: 0, to: height, by: 64) {
        _ = try reader.read(rows: first..<min(first + 64, height))
      }
    } catch {
      #expect(!error.message.isEmpty)
    }
  }

  @Test(arguments: ["420-restart", "444-progressive"])
  func damage(name: String) throws { try Vectors.damage("JPEG/\(name).jpg", step: 2) }

  @Test(arguments: ["420-restart", "444-progressive", "gray"])
  func cut(name: String) throws { try Vectors.cut("JPEG/\(name).jpg", step: 13, ending: 2) }

  private func luma(_ image: ImagePlanes) throws -> UInt32 { try checksum(of: 0, image) }

  private func checksum(of component: Int, _ image: ImagePlanes) throws -> UInt32 {
    guard case .integer(let planes) = image.planes else { return 0 }
    let plane = planes[component]
    let format = ImageLayout(
      width: plane.width, height: plane.height, components: .gray, samples: image.layout.samples)
    return ImagePlanes(layout: format, planes: .integer([plane])).checksum
  }
}
#endif
