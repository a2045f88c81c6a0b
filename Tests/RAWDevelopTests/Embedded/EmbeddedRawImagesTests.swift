// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("Previews of raw files") struct EmbeddedRawImagesTests {
  private static func preview(
    _ width: Int, bytes: [UInt8], role: Int = 1, compression: Int = 7
  ) -> SyntheticDNG.Directory {
    var directory = SyntheticDNG.Directory()
    directory.entries = [
      254: .longs([role]), 256: .longs([width]), 257: .longs([width]), 259: .shorts([compression]),
      262: .shorts([6]), 277: .shorts([3]), 278: .longs([width]),
    ]
    directory.chunks = [bytes]
    return directory
  }

  private static func file(_ previews: [SyntheticDNG.Directory]) -> SyntheticDNG {
    var file = SyntheticDNG(width: 8, height: 4)
    file.main.chunks = [[UInt8](repeating: 40, count: 64)]
    file.main.subdirectories = previews
    return file
  }

  @Test("the largest preview in one chunk is extracted unchanged")
  func largest() throws {
    var cut = Self.preview(900, bytes: [7])
    cut.chunks = [[7], [8]]
    cut.entries[278] = .longs([450])
    let file = Self.file([
      Self.preview(100, bytes: [1]), Self.preview(300, bytes: [2, 3]),
      Self.preview(200, bytes: [4]), cut, Self.preview(800, bytes: [5], compression: 1),
    ])
    let attachments = try #require(
      try EmbeddedRawImages(ImageFile(parsing: ByteSource(file.bytes))))
    #expect(try attachments.preview().allBytes() == [2, 3])
    let previews = try SyntheticDNG.parsed(file).previews
    #expect(previews.map(\.width) == [300, 200, 100] && !previews[0].isJPEGXL)
    let larger = Self.file([
      Self.preview(10, bytes: [1]), Self.preview(11, bytes: [9], compression: 52_546),
    ])
    #expect(try SyntheticDNG.parsed(larger).previews.first?.isJPEGXL == true)
  }

  @Test("the preview of an unsupported version is extracted")
  func newerVersion() throws {
    var file = Self.file([Self.preview(100, bytes: [1, 2])])
    file.main.entries[50_707] = .bytes([1, 9, 0, 0])
    let attachments = try #require(
      try EmbeddedRawImages(ImageFile(parsing: ByteSource(file.bytes))))
    #expect(try attachments.preview().allBytes() == [1, 2])
    let error = #expect(throws: ImageError.self) { try SyntheticDNG.parsed(file) }
    #expect(error?.code.id == "raw/dng-version-unsupported")
  }

  @Test("a file without a preview is an error; a file that is not raw has no embedded images")
  func nothing() throws {
    let attachments = try #require(
      try EmbeddedRawImages(ImageFile(parsing: ByteSource(Self.file([]).bytes))))
    let error = #expect(throws: ImageError.self) { try attachments.preview() }
    #expect(error?.category == .unsuitable)
    let other = Array("#?RADIANCE\n\n-Y 1 +X 1\n".utf8)
    #expect(try EmbeddedRawImages(ImageFile(parsing: ByteSource(other))) == nil)
  }

  @Test("a preview beyond the end of the file is an error, and no remedy")
  func beyondTheEnd() throws {
    var directory = Self.preview(100, bytes: [])
    directory.chunks = []
    directory.entries[273] = .longs([1 << 20])
    directory.entries[279] = .longs([512])
    var file = Self.file([directory])
    let attachments = try #require(
      try EmbeddedRawImages(ImageFile(parsing: ByteSource(file.bytes))))
    let error = #expect(throws: ImageError.self) { try attachments.preview() }
    #expect(error?.category == .truncated && error?.location.offset == 1 << 20)
    // An unsupported raw image.
    file.main.entries[259] = .shorts([9])
    let failure = #expect(throws: ImageError.self) { try file.document() }
    #expect(failure?.category == .unsupported && failure?.parameters["hasPreview"] == nil)
    file.main.subdirectories = [Self.preview(100, bytes: [1])]
    let kept = #expect(throws: ImageError.self) { try file.document() }
    #expect(kept?.parameters["hasPreview"] == .integer(1))
  }

  @Test(
    "the preview of a real file is the JPEG that it refers to",
    .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
  func realFile() throws {
    let source = try Corpus.source("dng-derived/bmpcc-bayer12-ljpeg.sdk.dng")
    let bytes = try #require(try EmbeddedRawImages(ImageFile(parsing: source))).preview().allBytes()
    let image = try JPEGFile(parsing: ByteSource(bytes)).primary.frame
    #expect(image.width == 1024 && image.height == 576)
  }

  /// ExifTool 12.57 finds the same image in the maker note.
  @Test(
    "the preview in the maker note of a PEF file is found",
    .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
  func makerNote() throws {
    let source = try Corpus.source("raw/pentax-k3ii-cut.pef")
    let bytes = try #require(try EmbeddedRawImages(ImageFile(parsing: source))).preview().allBytes()
    let image = try JPEGFile(parsing: ByteSource(bytes)).primary.frame
    #expect((image.width, image.height, bytes.count) == (720, 480, 53_753))
    let raw = try #require(try RawInspection.inspect(ImageFile(parsing: source)))
    #expect(raw.previews.map(\.width) == [720, 160] && raw.previews[0].bytes.count == 53_753)
  }
}
