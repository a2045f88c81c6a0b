// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

#if TIFF
@Suite("TIFF reading") struct TIFFReaderTests {
  /// Sizes, and CRC-32 of the planes as 16-bit integers or 32-bit floats.
  ///
  /// Source: tifffile with imagecodecs.
  @Test(
    .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"),
    arguments: [
      ("fp32-lzw-predictor3.tif", 128, 72, 0x5927_7DFD),
      ("imagers-fp32-deflate.tif", 128, 85, 0xB909_C1E6),
      ("imagers-rgb16.tif", 157, 151, 0xF177_84A0),
      ("libtiffpic-caspian-fp64.tif", 279, 220, 0x0711_2E90),
      ("oiio-with-nans-fp32.tif", 256, 256, 0x1041_AA41),
      ("photoshop-fp16-adobergb-linear.tif", 151, 151, 0xEC41_0FB3),
    ])
  func corpus(name: String, width: Int, height: Int, checksum: UInt32) throws {
    let image = try Corpus.open("tiff-hdr/\(name)").image
    #expect(image.layout.width == width)
    #expect(image.layout.height == height)
    #expect(try image.decode().checksum == checksum)
  }

  /// Source: a decoder in Python that follows Ward's definition of LogLuv.
  @Test(.enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
  func logarithmic() throws {
    let document = try Corpus.open("tiff-hdr/libtiffpic-off-luv32.tif")
    #expect(document.image.color.primaries == .xyz)
    #expect(document.image.color.transfer == .linear)
    #expect(document.image.color.referenceWhite == 179)
    let image = try document.image.decode()
    let expected: [(Int, Int, [Float])] = [
      (0, 0, [0.0671924, 0.0671493, 0.0665019]),
      (332, 224, [0.0524345, 0.0453457, 0.0381994]),
      (50, 200, [0.0325581, 0.0281565, 0.0237191]),
      (250, 30, [0.199001, 0.198873, 0.196956]),
    ]
    for (x, y, xyz) in expected {
      for (sample, wanted) in zip(image.pixel(x, y), xyz) {
        #expect(abs(sample - wanted) < 1e-5 * wanted)
      }
    }
  }

  @Test(
    .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"),
    arguments: [(80, 80), (0.5, 203), (1e30, 203), (.infinity, 203), (.nan, 203)])
  func declaredReferenceWhite(number: Double, expected: Double) throws {
    let path = Corpus.path("tiff-hdr/libtiffpic-off-luv32.tif")
    var bytes = try ByteSource(path: path).allBytes()
    let directory = try TIFFFile(parsing: ByteSource(bytes), limits: ImageLimits()).directories[0]
    let entry = try #require(directory[.sampleToNits])
    try #require(entry.type == .double && entry.values.count == 8)
    bytes.replaceSubrange(
      entry.values, with: TIFFFile.ByteOrder.bigEndian.bytes(of: number.bitPattern))
    let document = try SourceImage(decoding: ByteSource(bytes), options: OpeningOptions())
    #expect(document.image.color.referenceWhite == expected)
    let isNoticed = document.notices.contains { $0.location.path == ["SampleToNits"] }
    #expect(isNoticed == (number != expected))
  }

  /// Files of 37 × 23 pixels whose samples follow a formula.
  ///
  /// Source: files written by tifffile; samples are (7x + 13y + 29c) in steps that use the full
  /// depth.
  @Test(arguments: [
    ("rgb8-lzw-predictor", 8, 3, false), ("rgb16-be-deflate-predictor", 16, 3, false),
    ("rgb16-planar-packbits", 16, 3, false), ("rgba16-tiled-unassociated", 16, 4, false),
    ("rgba16-planar-tiled-associated", 16, 4, true), ("gray8-alpha", 8, 2, false),
    ("rgb8-zstd", 8, 3, false), ("rgb12-packed", 12, 3, false),
  ])
  func integers(name: String, bits: Int, planes: Int, isPremultiplied: Bool) throws {
    let image = try open(name)
    #expect(image.layout.samples == .integer(bits: bits))
    #expect(image.layout.hasAlpha == (planes % 2 == 0))
    #expect(image.layout.isAlphaPremultiplied == isPremultiplied)
    for y in 0..<23 {
      for x in 0..<37 {
        #expect(
          image.pixel(x, y) == (0..<planes).map { Float(Self.code(x, y, $0, bits)) },
          "pixel \(x), \(y)")
      }
    }
  }

  private static func code(_ x: Int, _ y: Int, _ c: Int, _ bits: Int) -> Int {
    (x * 7 + y * 13 + c * 29) * max(1 << bits / 251, 1) % (1 << bits)
  }

  @Test func invertedGray() throws {
    let image = try open("gray16-white-is-zero")
    #expect(image.pixel(5, 7) == [Float(65535 - Self.code(5, 7, 0, 16))])
  }

  @Test func palette() throws {
    let image = try open("palette8")
    let index = Self.code(30, 20, 0, 8)
    #expect(image.layout.samples == .integer(bits: 16))
    #expect(image.pixel(30, 20) == [index * 257, (255 - index) * 257, index * 100].map(Float.init))
  }

  @Test func bilevel() throws {
    let image = try open("bilevel")
    #expect(image.layout.samples == .integer(bits: 1))
    for x in 0..<37 {
      #expect(image.pixel(x, 11) == [Self.code(x, 11, 0, 8) > 127 ? 1 : 0])
    }
  }

  /// Source: files written by tifffile; samples are x / 2 - y / 4 + c.
  @Test(arguments: [
    ("rgb-half-predictor", 3), ("rgb-float-big-tiled", 3), ("gray-double-be", 1),
  ])
  func floats(name: String, planes: Int) throws {
    let image = try open(name)
    for (x, y) in [(0, 0), (36, 22), (15, 16), (16, 15), (31, 0)] {
      let base = Float(x) / 2 - Float(y) / 4
      #expect(image.pixel(x, y) == (0..<planes).map { base + Float($0) })
    }
  }

  /// Source: colors decoded by Pillow; inverse DCTs may differ by 1.
  @Test func jpegInside() throws {
    let image = try open("ycbcr-jpeg")
    #expect(image.layout.components == .rgb)
    for (x, y, rgb) in [
      (5, 3, [30, 30, 128]), (30, 20, [179, 201, 128]), (18, 11, [107, 110, 127]),
    ] {
      for (sample, wanted) in zip(image.pixel(x, y), rgb) {
        #expect(abs(sample - Float(wanted)) <= 1)
      }
    }
  }

  /// Samples without data are an error, as in JPEG files; a missing EOI is not.
  @Test func jpegThatEndsEarly() throws {
    let whole = try Vectors.bytes("TIFF/ycbcr-jpeg.tif")
    let file = try TIFFFile(parsing: ByteSource(whole))
    let counts = try #require(file.mainDirectory[.stripByteCounts])
    let count = try #require(try file.unsigned(counts).first)
    func decode(dropping size: Int) throws -> (UInt32, [String]) {
      let source = file.replacing(counts, with: [Int(count) - size])
      let opened = try ImageFile(parsing: source, options: OpeningOptions())
      return (
        try SourceImage.open(opened).image.decode().checksum,
        opened.decodingNotices.all.map(\.code.id)
      )
    }
    let expected = try decode(dropping: 0)
    #expect(expected.1 == [])
    #expect(try decode(dropping: 2) == (expected.0, ["library-warned"]))
    let error = #expect(throws: ImageError.self) { try decode(dropping: Int(count) / 2) }
    #expect(error?.code.id == "library-rejected-data")
  }

  @Test(arguments: ["rgb16-planar-packbits", "rgba16-tiled-unassociated", "rgb8-lzw-predictor"])
  func rowsInAnyOrder(name: String) throws {
    let image = try document(name).image
    let whole = try image.decode()
    let reader = try image.makeReader()
    for rows in [20..<23, 3..<9, 15..<18, 0..<1, 5..<23] {
      #expect(try reader.read(rows: rows).checksum == whole.strip(rows: rows).checksum)
    }
  }

  /// Source: IEEE 754; Python's struct module.
  @Test(
    arguments: [
      (0x0001, 5.960_464_5e-8), (0x03FF, 6.097_555e-5), (0x3555, 0.333_251_95), (0x7BFF, 65_504),
      (0xC000, -2), (0x7C00, Float.infinity), (0x8000, -0.0),
    ] as [(UInt16, Float)])
  func half(bits: UInt16, value: Float) {
    #expect(Float(halfBits: bits) == value)
    #expect(Float(halfBits: bits).sign == value.sign)
  }

  @Test(.enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
  func exif() throws {
    let document = try Corpus.open("tiff-hdr/photoshop-fp16-adobergb-linear.tif")
    let block = try ExifBlock(parsing: #require(document.exif))
    #expect(try block.text(.software)?.hasPrefix("Adobe Photoshop") == true)
    #expect(block.exposure?[TIFFTag(rawValue: 40962)] != nil)
    #expect(document.xmp != nil)
    #expect(document.declaredColor.icc?.count ?? 0 > 128)
  }

  @Test(arguments: ["rgb16-planar-packbits", "rgb-float-big-tiled", "rgb8-lzw-predictor"])
  func damage(name: String) throws { try Vectors.damage("TIFF/\(name).tif", step: 3) }

  @Test(arguments: ["rgb16-planar-packbits", "rgb-float-big-tiled", "ycbcr-jpeg"])
  func cut(name: String) throws { try Vectors.cut("TIFF/\(name).tif", step: 41) }

  /// An uncompressed image of 70x50 pixels in rows of 420 bytes, in tiles or strips.
  private static func uncompressed(tile: Int? = nil) -> SyntheticDNG {
    var file = SyntheticDNG(width: 70, height: 50, planes: 3, bits: 16)
    for tag in [50_706, 50_708, 50_721, 50_778, 50_729] as [UInt16] { file.main.entries[tag] = nil }
    file.main.entries[262] = .shorts([2])
    guard let tile else {
      file.main.entries[278] = .longs([16])
      file.main.chunks = [16, 16, 16, 2].enumerated().map { index, rows in
        [UInt8](repeating: UInt8(index), count: rows * 420)
      }
      return file
    }
    (file.main.entries[322], file.main.entries[323]) = (.longs([tile]), .longs([tile]))
    file.main.chunks = (0..<6).map { [UInt8](repeating: UInt8($0), count: tile * tile * 6) }
    return file
  }

  /// libtiff reads on after an uncompressed tile or strip that is too short; tifffile rejects it.
  @Test("uncompressed tiles and strips that are too short", arguments: [nil, 32], 0..<4)
  func shortChunks(tile: Int?, index: Int) throws {
    var file = Self.uncompressed(tile: tile)
    #expect(try SourceImage(decoding: ByteSource(file.bytes)).image.decode().layout.width == 70)
    file.main.chunks[index].removeLast(file.main.chunks[index].count / 2)
    let document = try SourceImage(decoding: ByteSource(file.bytes))
    let error = #expect(throws: ImageError.self) { try document.image.decode() }
    #expect(error?.code.english == "strip or tile of {size byte}; its samples require {needed}")
  }

  /// Rows outside of the image are not needed.
  @Test func unpaddedTile() throws {
    var file = Self.uncompressed(tile: 32)
    let expected = try SourceImage(decoding: ByteSource(file.bytes)).image.decode().checksum
    file.main.chunks[5].removeLast((64 - 50) * 32 * 6)
    let opened = try ImageFile(parsing: ByteSource(file.bytes), options: OpeningOptions())
    #expect(try SourceImage.open(opened).image.decode().checksum == expected)
    #expect(
      opened.decodingNotices.all.contains {
        $0.code.english == "not padded to {size pixel}; the image is complete"
      })
  }

  /// OpenImageIO and Pillow read the rows that are in the file.
  @Test("byte counts that are 0 or exceed the file", arguments: [nil, 32], [0, 20_000])
  func wrongByteCounts(tile: Int?, count: Int) throws {
    var file = Self.uncompressed(tile: tile)
    let expected = try SourceImage(decoding: ByteSource(file.bytes)).image.decode().checksum
    if tile != nil { file.main.chunks[5].removeLast((64 - 50) * 32 * 6) }
    let bytes = file.bytesWithSamplesLast(declaring: file.main.chunks.map { _ in count })
    let opened = try ImageFile(parsing: ByteSource(bytes), options: OpeningOptions())
    #expect(try opened.contents().primary.layout.width == 70)
    #expect(try SourceImage.open(opened).image.decode().checksum == expected)
    #expect(opened.decodingNotices.all.contains { $0.code.id == "tiff/byte-count-ignored" })
    let cut = try SourceImage(decoding: ByteSource(Array(bytes.dropLast())))
    let error = #expect(throws: ImageError.self) { try cut.image.decode() }
    #expect(error?.code.english == "strip or tile of {size byte}; its samples require {needed}")
  }

  /// TIFF 6.0, section 9, does not allow them; tifffile, Pillow and OpenImageIO read them.
  @Test("PackBits runs across the rows of a strip")
  func runsAcrossRows() throws {
    var file = SyntheticDNG(width: 3, height: 4, planes: 1, bits: 8)
    for tag in [50_706, 50_708, 50_721, 50_778, 50_729] as [UInt16] { file.main.entries[tag] = nil }
    file.main.entries[259] = .longs([32_773])
    file.main.entries[262] = .shorts([1])
    file.main.entries[278] = .longs([2])
    // Four times 7, then 8 and 9; 10 to 14, then twice 15, of which one is beyond the image.
    file.main.chunks = [[0xFD, 7, 1, 8, 9], [4, 10, 11, 12, 13, 14, 0xFF, 15]]
    let image = try SourceImage(decoding: ByteSource(file.bytes)).image
    let expected: [[Float]] = [[7, 7, 7], [7, 8, 9], [10, 11, 12], [13, 14, 15]]
    let reader = try image.makeReader()
    for y in [3, 0, 2, 1] {
      let row = try reader.read(rows: y..<y + 1)
      #expect((0..<3).map { row.pixel($0, 0) } == expected[y].map { [$0] }, "row \(y)")
    }
  }

  /// Inspection and conversion choose the same image, whichever tag marks the thumbnail.
  @Test(arguments: [(254, 1), (255, 2)] as [(UInt16, Int)])
  func thumbnailFirst(tag: UInt16, value: Int) throws {
    var file = Self.uncompressed()
    let image = file.main
    file.main.entries[254] = nil
    file.main.entries[tag] = .longs([value])
    (file.main.entries[256], file.main.entries[257]) = (.longs([7]), .longs([5]))
    file.main.chunks = [[UInt8](repeating: 9, count: 7 * 5 * 6)]
    file.main.subdirectories = [image]
    let opened = try ImageFile(parsing: ByteSource(file.bytes), options: OpeningOptions())
    #expect(try opened.contents().primary.layout.width == 70)
    #expect(try SourceImage.open(opened).image.decode().layout.width == 70)
    let selected = try SourceImage(
      decoding: ByteSource(file.bytes), options: Self.selecting(.number(1)))
    #expect(selected.image.layout.width == 7)
  }

  /// Exif and XMP that only the thumbnail has describe the image, unless it may be that of another page.
  @Test func metadataOfTheThumbnail() throws {
    var file = Self.uncompressed()
    let image = file.main
    file.main.entries[254] = .longs([1])
    (file.main.entries[256], file.main.entries[257]) = (.longs([7]), .longs([5]))
    file.main.chunks = [[UInt8](repeating: 9, count: 7 * 5 * 6)]
    file.main.entries[315] = .text("Writer")
    file.main.entries[700] = .bytes(XMPPacket.empty)
    file.main.subdirectories = [image]
    let opened = try ImageFile(parsing: ByteSource(file.bytes), options: OpeningOptions())
    let source = try SourceImage.open(opened)
    let exif = try ExifBlock(parsing: try #require(source.exif))
    #expect(exif.structure.mainDirectory[TIFFTag(rawValue: 315)] != nil)
    #expect(source.xmp == XMPPacket.empty)
    // A first page that is not a reduced copy.
    file.main.entries[254] = .longs([0])
    let pages = try SourceImage(
      decoding: ByteSource(file.bytes), options: Self.selecting(.number(2)))
    #expect(pages.xmp == nil)
  }

  private static func selecting(_ image: OpeningOptions.ImageSelection) -> OpeningOptions {
    var options = OpeningOptions()
    options.image = image
    return options
  }

  private func document(_ name: String) throws -> SourceImage {
    try Vectors.open("TIFF/\(name).tif")
  }

  private func open(_ name: String) throws -> ImagePlanes {
    try document(name).image.decode(stripHeight: 7)
  }
}
#endif
