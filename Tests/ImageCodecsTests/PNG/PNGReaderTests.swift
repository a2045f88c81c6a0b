@testable import HDRConversion
import HDRCore
import ImageContainers
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

#if PNG
@Suite("PNG reading") struct PNGReaderTests {
  /// Sizes, planes, and CRC-32 of the planes as 16-bit integers.
  ///
  /// Source: imagecodecs (libpng) and, for the interlaced file, Pillow.
  @Test(
    .enabled(if: Corpus.isPresent, "the corpus is not here"),
    arguments: [
      ("png-hdr/ffmpeg-pq16-720p.png", 1280, 720, 3, 0x1695_5114),
      ("png-hdr/imagepng-cicp-pq-8b.png", 8, 8, 3, 0xB90D_75C0),
      ("png-hdr/jxl-hdr-room-hlg16.png", 676, 449, 3, 0x6DB6_94B8),
      ("png-hdr/ktx-icc-2100pq-full.png", 16, 16, 4, 0x67AF_C04E),
      ("png-hdr/libpng-cicp-p3-palette.png", 100, 50, 3, 0x95A0_1397),
      ("png-hdr/libpng-pngtest.png", 91, 69, 4, 0x83D5_E0FF),
      ("png-hdr/pik-lin2020-16b.png", 64, 64, 3, 0xECB2_E151),
      ("peer-made/source-hlg.png", 768, 576, 3, 0xBA6D_1358),
      ("peer-made/source-pq.png", 768, 576, 3, 0x11FE_7E66),
      ("peer-made/source-sdr.png", 768, 576, 3, 0x3155_6167),
    ])
  func corpus(path: String, width: Int, height: Int, planes: Int, checksum: UInt32) throws {
    let picture = try Corpus.open(path).image
    #expect(picture.layout.width == width)
    #expect(picture.layout.height == height)
    #expect(picture.layout.planeCount == planes)
    #expect(try picture.decode().checksum == checksum)
  }

  @Test(
    .enabled(if: Corpus.isPresent, "the corpus is not here"),
    arguments: [
      ("png-hdr/ffmpeg-pq16-720p.png", ColorPrimaries.bt2020, TransferFunction.pq),
      ("png-hdr/jxl-hdr-room-hlg16.png", .bt2020, .hlg),
      ("png-hdr/libpng-cicp-p3-palette.png", .displayP3, .srgb),
      ("png-hdr/ktx-icc-2100pq-full.png", .bt2020, .pq),
    ])
  func color(path: String, primaries: ColorPrimaries, transfer: TransferFunction) throws {
    let encoding = try Corpus.open(path).image.color
    #expect(encoding.primaries == primaries)
    #expect(encoding.transfer == transfer)
  }

  /// Source: Pillow made the files and says what is in them.
  @Test(arguments: [
    (  // One bit.
      """
      89504e470d0a1a0a0000000d4948445200000005000000020100000000b8112bf00000000c4944415478da63d8c0
      fc0100030a01a4d5a345df0000000049454e44ae426082
      """, 1, [[1, 0, 1, 1, 0, 0, 1, 0, 0, 1]]
    ),
    (  // A palette of two bits with transparency.
      """
      89504e470d0a1a0a0000000d4948445200000005000000020203000000ed04fece0000000c504c5445ff000000ff
      000000ff090807a2d262c00000000274524e5300809b2b4e180000000e4944415478da63944e6578c2000003ef01
      664cd2dcfc0000000049454e44ae426082
      """, 8,
      [
        [255, 0, 0, 9, 0, 9, 0, 0, 255, 255], [0, 255, 0, 8, 0, 8, 0, 255, 0, 0],
        [0, 0, 255, 7, 255, 7, 255, 0, 0, 0], [0, 128, 255, 255, 255, 255, 255, 128, 0, 0],
      ]
    ),
    (  // 16-bit gray in which 258 is transparent.
      """
      89504e470d0a1a0a0000000d4948445200000003000000021000000000e88fe5850000000274524e53010281869d
      55000000164944415478da6360606064faff9f89f9050303232b0015cb02f55d7d35bb0000000049454e44ae4260
      82
      """, 16, [[0, 258, 65535, 1000, 258, 4], [65535, 0, 65535, 65535, 0, 65535]]
    ),
    (  // 8-bit RGB in which (1, 2, 3) is transparent.
      """
      89504e470d0a1a0a0000000d4948445200000002000000020802000000fdd49a730000000674524e530001000200
      03c94babf5000000164944415478da6364646266666666626363fbfbf71f00070a031db79bada70000000049454e
      44ae426082
      """, 8, [[1, 4, 7, 1], [2, 5, 8, 2], [3, 6, 9, 4], [0, 255, 255, 255]]
    ),
  ])
  func layouts(hex: String, bits: Int, planes: [[UInt16]]) throws {
    let document = try SourceImage.open(ByteSource(bytes(hex)), options: OpeningOptions())
    #expect(document.image.layout.samples == .integer(bits: bits))
    #expect(document.notices.map(\.kind) == [.assumed])
    guard case .integer(let decoded) = try document.image.decode().planes else {
      Issue.record("not integers")
      return
    }
    #expect(decoded.map { Array($0.span) } == planes)
  }

  @Test(.enabled(if: Corpus.isPresent, "the corpus is not here"))
  func earlierRowsAgain() throws {
    let picture = try Corpus.open("png-hdr/pik-lin2020-16b.png").image
    let reader = try picture.makeReader()
    let whole = try picture.decode()
    for rows in [40..<50, 3..<5, 4..<64, 0..<1] {
      #expect(try reader.read(rows: rows).checksum == whole.strip(rows: rows).checksum)
    }
  }

  @Test func indexOutsideOfPalette() throws {
    var file = PNGFile(
      header: PNGHeader(width: 1, height: 1, bitDepth: 8, colorType: .palette))
    file.set(PNGPalette(colors: [SIMD3(1, 2, 3)]))
    file.appendImageData(try Zlib.deflate([0, 1]))
    let bytes = try file.serialized().allBytes()
    let error = #expect(throws: ImageError.self) {
      try SourceImage.open(ByteSource(bytes), options: OpeningOptions()).image.decode()
    }
    #expect(error?.category == .malformed)
  }

  /// Samples that end early are an error, not a gray rest.
  @Test func missingRows() throws {
    var file = PNGFile(header: PNGHeader(width: 4, height: 9, bitDepth: 8, colorType: .gray))
    file.appendImageData(try Zlib.deflate([UInt8](repeating: 0, count: 40)))
    let bytes = try file.serialized().allBytes()
    let error = #expect(throws: ImageError.self) {
      try SourceImage.open(ByteSource(bytes), options: OpeningOptions()).image.decode()
    }
    #expect(error?.category == .malformed)
    #expect(error?.location.offset != nil)
  }

  @Test(
    .enabled(if: Corpus.isPresent, "the corpus is not here"),
    arguments: Corpus.files(in: ["malformed-png"]))
  func malformed(path: String) throws {
    // Some of these files are damaged only where nobody needs to look.
    do throws(ImageError) {
      let document = try SourceImage.open(
        Corpus.source(path),
        options: OpeningOptions(limits: ImageLimits(pixels: 1 << 24)))
      let reader = try document.image.makeReader()
      for row in 0..<document.image.layout.height { _ = try reader.read(rows: row..<row + 1) }
    } catch {
      #expect(error.location.offset != nil || !error.location.path.isEmpty, "\(error)")
    }
  }

  private func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
#endif
