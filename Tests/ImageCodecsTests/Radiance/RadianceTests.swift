// SPDX-License-Identifier: Apache-2.0
import HDRConversion
import HDRCore
import ImageCodecs
import ImageFiles
import TestSupport
import Testing

@Suite("Radiance") struct RadianceTests {
  /// Widths and heights as stored, and CRC-32 of the three planes.
  ///
  /// Source: OpenImageIO 3 from its PyPI wheel; a separate decoder in Python for `oldrle.hdr`,
  /// which OpenImageIO rejects, and for `imagers-scale.hdr`, whose powers of two it decodes with an
  /// error of one bit.
  @Test(
    .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"),
    arguments: [
      ("gegl-orient1.hdr", 480, 160, 0x1CD2_A380),
      ("gegl-orient6.hdr", 160, 480, 0x3FA7_75FC),
      ("gegl-orient8.hdr", 160, 480, 0x9A76_2799),
      ("imagers-scale.hdr", 256, 8, 0xD377_1BD1),
      ("kde-rgb32.hdr", 32, 32, 0xADEB_F4A3),
      ("memorial-hdrshop.hdr", 512, 768, 0x4350_C550),
      ("memorial-primaries.hdr", 512, 768, 0xF732_727D),
      ("oldrle.hdr", 551, 276, 0x2864_28EF),
      ("photoshop-640x426.hdr", 640, 426, 0x03A6_E22D),
      ("photoshop-spruit-1k.hdr", 1024, 512, 0xD647_C19F),
    ])
  func corpus(name: String, width: Int, height: Int, checksum: UInt32) throws {
    let image = try Corpus.open("radiance/\(name)").image
    #expect(image.layout.width == width)
    #expect(image.layout.height == height)
    #expect(try image.decode().checksum == checksum)
  }

  /// Source: Exif orientations of these directions; OpenImageIO reports 7 and 5 for the corpus
  /// files.
  @Test(arguments: [
    ("-Y 2 +X 3", 1), ("-Y 2 -X 3", 2), ("+Y 2 -X 3", 3), ("+Y 2 +X 3", 4), ("+X 2 -Y 3", 5),
    ("-X 2 -Y 3", 6), ("-X 2 +Y 3", 7), ("+X 2 +Y 3", 8),
  ])
  func orientation(resolution: String, exif: Int) throws {
    let document = try open("", resolution, [UInt8](repeating: 128, count: 24))
    #expect(document.image.orientation.rawValue == exif)
    #expect(document.image.layout.width == 3)
    #expect(document.image.layout.height == 2)
  }

  @Test func exposureIsDividedOut() throws {
    let document = try open(
      "EXPOSURE=2\nEXPOSURE= 2.0\nCOLORCORR=1 2 4\n", "-Y 1 +X 1", [128, 128, 128, 129])
    #expect(try document.image.decode().pixel(0, 0) == [0.25, 0.125, 0.0625])
  }

  @Test func colors() throws {
    let pixel: [UInt8] = [128, 128, 128, 129]
    let plain = try open("", "-Y 1 +X 1", pixel)
    #expect(plain.image.color.primaries == .bt709)
    #expect(plain.notices.map(\.category) == [.assumed])
    let assumed = try open("", "-Y 1 +X 1", pixel, assumed: AssumedColor(primaries: .bt2020))
    #expect(assumed.image.color.primaries == .bt2020)
    #expect(assumed.notices.isEmpty)
    let declared = try open(
      "PRIMARIES=.708 .292 .17 .797 .131 .046 .3127 .329\n", "-Y 1 +X 1", pixel)
    #expect(declared.image.color.primaries == .bt2020)
    #expect(declared.notices.isEmpty)
    let empty = try open("PRIMARIES=0 0 0 0 0 0 0 0\n", "-Y 1 +X 1", pixel)
    #expect(empty.image.color == plain.image.color)
    #expect(empty.notices.map(\.category) == [.irregular, .assumed])
    let xyz = try open("FORMAT=32-bit_rle_xyze\n", "-Y 1 +X 1", pixel)
    #expect(xyz.image.color.primaries == .xyz)
    #expect(xyz.image.color.referenceWhite == 1)
  }

  /// A row of eight pixels, coded by component and by pixel.
  @Test(
    arguments: [
      [2, 2, 0, 8, 136, 1, 8, 2, 3, 4, 5, 6, 7, 8, 9, 136, 3, 136, 129],
      (2...9).flatMap { (green: UInt8) -> [UInt8] in [1, green, 3, 129] },
    ] as [[UInt8]])
  func rows(bytes: [UInt8]) throws {
    let image = try open("", "-Y 1 +X 8", bytes).image.decode()
    let green = (0..<8).map { image.pixel($0, 0)[1] * 128 }
    #expect(green == [2, 3, 4, 5, 6, 7, 8, 9])
  }

  /// 258 repetitions, low digit first.
  @Test func oldRuns() throws {
    var bytes: [UInt8] = [9, 9, 9, 129, 1, 1, 1, 2, 1, 1, 1, 1]
    bytes += [7, 7, 7, 129]
    let image = try open("", "-Y 1 +X 260", bytes).image.decode()
    #expect(image.pixel(0, 0)[0] == Float(9) / 128)
    #expect(image.pixel(258, 0)[0] == Float(9) / 128)
    #expect(image.pixel(259, 0)[0] == Float(7) / 128)
  }

  @Test func rowsInAnyOrder() throws {
    let bytes = (2...7).flatMap { (level: UInt8) -> [UInt8] in [level, level, level, 136] }
    let reader = try open("", "-Y 6 +X 1", bytes).image.makeReader()
    func value(_ row: Int) throws -> Float {
      let strip = try reader.read(rows: row..<row + 1)
      return strip.pixel(0, 0)[0]
    }
    #expect(try [3, 1, 5, 0, 4].map(value) == [5, 3, 7, 2, 6])
  }

  @Test(arguments: [
    ("FORMAT=32-bit_rle_luv\n", "-Y 1 +X 1", [1, 2, 3, 4], ImageError.Category.unsupported),
    ("", "-Y 1 +X", [1, 2, 3, 4], .malformed),
    ("", "-Y 0 +X 1", [1, 2, 3, 4], .malformed),
    ("", "-Y 40000 +X 40000", [1, 2, 3, 4], .limitExceeded),
    ("", "-Y 1 +X 2", [1, 2, 3, 4], .truncated),
    ("", "-Y 1 +X 2", [1, 1, 1, 2, 1, 2, 3, 4], .malformed),
    ("", "-Y 1 +X 8", [2, 2, 0, 9, 136, 0], .malformed),
    ("", "-Y 1 +X 8", [2, 2, 0, 8, 137, 0], .malformed),
    ("", "-Y 1 +X 8", [2, 2, 0, 8, 0, 0], .malformed),
  ])
  func broken(header: String, resolution: String, bytes: [UInt8], code: ImageError.Category) {
    let error = #expect(throws: ImageError.self) {
      _ = try open(header, resolution, bytes).image.decode()
    }
    #expect(error?.category == code)
  }

  @Test(
    .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"),
    arguments: Corpus.files(in: ["malformed-hdr"]))
  func malformed(path: String) {
    #expect(throws: ImageError.self) { _ = try Corpus.open(path).image.decode() }
  }

  private func open(
    _ header: String, _ resolution: String, _ samples: [UInt8], assumed: AssumedColor? = nil
  ) throws(ImageError) -> SourceImage {
    let text = "#?RADIANCE\n\(header)\n\(resolution)\n"
    return try SourceImage(
      decoding:
        ByteSource(Array(text.utf8) + samples), options: OpeningOptions(assumed: assumed))
  }
}
