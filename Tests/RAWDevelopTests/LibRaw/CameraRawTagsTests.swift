// SPDX-License-Identifier: Apache-2.0
#if RAW
@testable import HDRConversion
import HDRCore
import ImageCodecs
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

/// Headers of camera raw files, which LibRaw parses.
@Suite("Tags of camera raw files") struct CameraRawTagsTests {
  private static func big(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func little(_ value: Int, _ size: Int) -> [UInt8] { big(value, size).reversed() }

  /// An entry of a little-endian TIFF directory.
  private typealias Entry = (tag: Int, type: Int, count: Int, value: Int)

  private static func directory(_ entries: [Entry]) -> [UInt8] {
    let bytes = entries.flatMap { tag, type, count, value in
      little(tag, 2) + little(type, 2) + little(count, 4) + little(value, 4)
    }
    return little(entries.count, 2) + bytes + little(0, 4)
  }

  /// Creates a Fujifilm file of 32 x 24 photosites: a header, big-endian records, and a TIFF
  /// structure that describes the samples.
  ///
  /// - Parameter exposure: The record of the exposure, and its number.
  /// - Returns: The file.
  private static func fujifilm(_ exposure: (record: Int, bytes: [UInt8])?) -> [UInt8] {
    let (width, height) = (32, 24)
    var records = [0x100, 0x111, 0x121].map { ($0, big(height, 2) + big(width, 2)) }
    records.append((0x130, [12, 0, 0, 0]))
    records.append((0x2FF0, [302, 500, 302, 400].flatMap { big($0, 2) }))
    if let exposure { records.append((exposure.record, exposure.bytes)) }
    let block =
      big(records.count, 4) + records.flatMap { big($0.0, 2) + big($0.1.count, 2) + $0.1 }
    let samples = (0..<2 * width * height).map { UInt8(0x20 + $0 % 3) }
    let make = Array("FUJIFILM\0".utf8)
    let nested = 8 + 6 + 2 * 12
    let end = nested + 6 + 6 * 12
    var structure = Array("II*\0".utf8) + little(8, 4)
    structure += directory([(271, 2, make.count, end), (0xF000, 13, 1, nested)])
    structure += directory([
      (0xF001, 4, 1, width), (0xF002, 4, 1, height), (0xF003, 4, 1, 16),
      (0xF007, 4, 1, end + make.count), (0xF008, 4, 1, samples.count), (0xF00A, 4, 1, 1024),
    ])
    structure += make
    let (recordsAt, structureAt) = (160, 320)
    let preview = structureAt + structure.count + samples.count
    var file = Array("FUJIFILMCCD-RAW 0201FF129502X-Pro2".utf8)
    file += [UInt8](repeating: 0, count: 84 - file.count)
    file += [preview, 0, recordsAt, block.count, structureAt, structure.count + samples.count]
      .flatMap { big($0, 4) }
    file += [UInt8](repeating: 0, count: recordsAt - file.count) + block
    file += [UInt8](repeating: 0, count: structureAt - file.count) + structure + samples
    return file + [UInt8](repeating: 0, count: 64)
  }

  /// X-Trans cameras expose 0.72 stops less than their sensitivity at DR100, 1.72 at DR200.
  @Test(
    "the exposure that Fujifilm files specify is the baseline exposure",
    arguments: [
      (nil, [], 0), (0x9650, big(-72, 2) + big(100, 2), 0.72),
      (0x9650, big(-172, 2) + big(100, 2), 1.72), (0x9650, big(-9000, 2) + big(100, 2), 0),
    ] as [(Int?, [UInt8], Double)])
  func baselineExposure(record: Int?, bytes: [UInt8], stops: Double) throws {
    let file = Self.fujifilm(record.map { (record: $0, bytes: bytes) })
    let dng = try #require(try DNGFile.raw(ImageFile(parsing: ByteSource(file))))
    let parameters = try DevelopmentParameters(dng, limits: ImageLimits())
    #expect(abs(parameters.baselineExposure - stops) < 1e-6)
    #expect(try dng.main.text(.model)?.hasSuffix("X-Pro2") == true)
  }

  /// Headers of a Panasonic DMC-LX3: 3664 x 2754 visible photosites, of which its JPEG files show
  /// those within borders.
  private static var borders: [UInt8] {
    let texts = Array("Panasonic\0".utf8) + Array("DMC-LX3\0".utf8)
    let end = 24 + 6 + 12 * 12
    let entries: [Entry] = [
      (1, 7, 4, 0x3031_3330), (2, 3, 1, 3776), (3, 3, 1, 2774), (4, 3, 1, 10), (5, 3, 1, 8),
      (6, 3, 1, 10 + 2736), (7, 3, 1, 8 + 3648), (9, 3, 1, 1), (10, 3, 1, 12),
      (271, 2, 10, end), (272, 2, 8, end + 10), (280, 4, 1, end + texts.count),
    ]
    return Array("IIU\0".utf8) + little(24, 4) + [UInt8](repeating: 0, count: 16)
      + directory(entries) + texts + [UInt8](repeating: 0, count: 200_000)
  }

  private static func crop(_ source: ByteSource) throws -> RawArea {
    let file = try ImageFile(parsing: source)
    let dng = try #require(try DNGFile.raw(file, decodes: false))
    return try DevelopmentParameters(dng, limits: ImageLimits()).crop
  }

  @Test("the crop is that of the camera's own images")
  func insetCrop() throws {
    let crop = try Self.crop(ByteSource(Self.borders))
    #expect((crop.width, crop.height) == (3648, 2736))
  }

  @Test(
    "a crop without a position is centered",
    .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
  func centeredCrop() throws {
    let crop = try Self.crop(try Corpus.source("raw/sony-a330-cut100k.arw"))
    #expect((crop.width, crop.height) == (3872, 2592))
  }

  @Test("cameras are those of the library")
  func cameras() {
    let names = RawSupport.cameras
    #expect(names.count > 1000 && names.contains { $0.hasSuffix("D5300") })
    #expect(!names.contains(""))
  }
}
#endif
