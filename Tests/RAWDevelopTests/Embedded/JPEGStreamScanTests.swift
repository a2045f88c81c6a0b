// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles
@testable import RAWDevelop

@Suite("Previews anywhere in a file") struct JPEGStreamScanTests {
  /// A JPEG image without tables, which the scan does not need.
  private static func image(
    _ width: Int, _ height: Int, application: [UInt8] = [], frame: UInt8 = 0xC0,
    coded: [UInt8] = [1, 0xFF, 0, 2, 0xFF, 0xD3, 9]
  ) -> [UInt8] {
    func pair(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }
    let segment: [UInt8] =
      application.isEmpty ? [] : [0xFF, 0xE1] + pair(application.count + 2) + application
    let header: [UInt8] = [0xFF, frame] + pair(11) + [8] + pair(height) + pair(width)
    return [0xFF, 0xD8] + segment + header + [1, 1, 0x11, 0] + [0xFF, 0xDA] + pair(8)
      + [1, 1, 0, 0, 63, 0] + coded + [0xFF, 0xD9]
  }

  private static func largest(_ bytes: [UInt8]) throws -> RawPreview? {
    try JPEGStreamScan.previews(in: ByteSource(bytes)).first
  }

  @Test("complete images are found, the largest first, with thumbnails inside")
  func largest() throws {
    let thumbnail = Self.image(160, 120)
    let preview = Self.image(1620, 1080, application: thumbnail)
    let junk: [UInt8] = [0x49, 0x49, 42, 0, 0xFF, 0xD8, 0xFF, 0xFF, 0xD8]
    let bytes = junk + thumbnail + [0, 0xFF] + preview + junk
    let found = try #require(try Self.largest(bytes))
    let start = junk.count + thumbnail.count + 2
    #expect(found.bytes == start..<start + preview.count)
    #expect(found.width == 1620 && found.height == 1080)
    let all = try JPEGStreamScan.previews(in: ByteSource(bytes))
    #expect(all.map(\.width) == [1620, 160])
  }

  @Test("images at the end and across windows are found")
  func windows() throws {
    let preview = Self.image(640, 480, coded: [UInt8](repeating: 7, count: 200_000))
    let space = [UInt8](repeating: 0, count: (1 << 20) - 1)
    let found = try #require(try Self.largest(space + preview))
    #expect(found.bytes == space.count..<space.count + preview.count)
  }

  /// Headers of a Canon file without raw samples, and of a Fujifilm file.
  @Test(
    "previews of files that LibRaw refuses are listed, with the reason",
    arguments: [
      // A directory with width and height.
      [0x49, 0x49, 42, 0, 16, 0, 0, 0, 0x43, 0x52, 2, 0, 0, 0, 0, 0, 2, 0]
        + [0, 1, 3, 0, 1, 0, 0, 0, 8, 0, 0, 0] + [1, 1, 3, 0, 1, 0, 0, 0, 8, 0, 0, 0]
        + [0, 0, 0, 0],
      Array("FUJIFILMCCD-RAW 0201".utf8) + [UInt8](repeating: 0, count: 140),
    ] as [[UInt8]])
  func refused(header: [UInt8]) throws {
    let preview = Self.image(1620, 1080)
    let file = try ImageFile(parsing: ByteSource(header + preview + [0]))
    let (contents, raw) = try file.contentsWithRaw()
    let start = header.count
    #expect(raw?.previews.map(\.bytes) == [start..<start + preview.count])
    #expect(raw?.rawType == nil && raw?.readingError != nil)
    #expect(contents.notices.contains { $0.code.id == "raw/not-developable" })
    let bytes = try #require(try EmbeddedRawImages(file)).preview().allBytes()
    #expect(bytes == preview)
  }

  @Test("lossless, truncated and empty files do not contain a preview")
  func nothing() throws {
    let preview = Self.image(640, 480)
    #expect(try Self.largest(Self.image(640, 480, frame: 0xC3)) == nil)
    #expect(try Self.largest(Array(preview.dropLast(2))) == nil)
    for count in 0..<preview.count { #expect(try Self.largest(Array(preview[..<count])) == nil) }
    #expect(try Self.largest([UInt8](repeating: 0xFF, count: 5000)) == nil)
  }
}
