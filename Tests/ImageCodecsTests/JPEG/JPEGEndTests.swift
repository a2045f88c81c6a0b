// SPDX-License-Identifier: Apache-2.0
#if JPEG
import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

/// JPEG images without EOI, as libjpeg and Pillow show them, and truncated ones.
@Suite("JPEG without EOI") struct JPEGEndTests {
  static let names = [
    "411", "420-restart", "422", "440", "444-progressive", "gray", "rgb",
  ].map { "JPEG/\($0).jpg" }

  private func planes(_ bytes: [UInt8]) throws -> ([[UInt16]], [String]) {
    let document = try SourceImage(decoding: ByteSource(bytes))
    let planes = try document.image.makeReader().read(rows: 0..<document.image.layout.height)
    return (planes.codes, document.notices.map(\.code.id))
  }

  @Test(arguments: names, [1, 2])
  func complete(name: String, missing: Int) throws {
    let bytes = try Vectors.bytes(name)
    #expect(bytes.suffix(2) == [0xFF, 0xD9])
    let whole = try planes(bytes)
    let short = try planes(Array(bytes.dropLast(missing)))
    #expect(short.0 == whole.0)
    #expect(short.1.contains("jpeg/end-missing"))
    #expect(!whole.1.contains("jpeg/end-missing"))
  }

  /// Files that are cut in the middle are errors; the last bytes complete the last blocks.
  @Test(arguments: names)
  func truncated(name: String) throws {
    let bytes = try Vectors.bytes(name)
    for length in stride(from: 100, to: bytes.count - 6, by: 7) {
      let error = #expect(throws: ImageError.self, "\(length) bytes") {
        try JPEGFile(parsing: ByteSource(Array(bytes.prefix(length))))
      }
      #expect(error?.category == .truncated)
    }
  }

  /// Bytes that libjpeg skips are a warning for every output, also if the file stays a JPEG.
  @Test func skippedBytes() throws {
    var bytes = try Vectors.bytes("JPEG/422.jpg")
    let scan = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xDA]) })
    bytes.insert(contentsOf: [1, 2], at: scan)
    for format in [FileFormat.jpeg, .png] {
      var request = ConversionRequest(format: format)
      request.geometry.longSide = 8
      let file = try ImageFile(parsing: ByteSource(bytes))
      let notices = try file.converted(request).result.notices.map(\.code.id)
      #expect(notices.filter { $0 == "library-warned" }.count == 1, "\(format)")
    }
  }

  /// A rewritten file has an EOI.
  @Test func rewritten() throws {
    let bytes = try Vectors.bytes("JPEG/422.jpg")
    let file = try JPEGFile(parsing: ByteSource(Array(bytes.dropLast(2))))
    #expect(try file.primary.serialized().allBytes() == bytes)
  }

  /// A copied file has one as well, with a notice, even if nothing else changes.
  @Test func copied() throws {
    let bytes = try Vectors.bytes("JPEG/422.jpg")
    var edit = MetadataEdit()
    edit.dropsLocation = true
    let file = try ImageFile(parsing: ByteSource(Array(bytes.dropLast(2))))
    let edited = try file.edited(by: edit)
    #expect(try edited.bytes.allBytes() == bytes && !edited.isUnchanged)
    #expect(edited.notices.map(\.code.id) == ["jpeg/end-missing"])
    let (copy, result) = try file.converted(ConversionRequest(format: .jpeg))
    #expect(copy == bytes)
    #expect(result.notices.map(\.code.id).contains("jpeg/end-missing"))
  }

  /// The last image of a file, such as a gain map, and an image before another one.
  @Test func severalImages() throws {
    let bytes = try Vectors.bytes("JPEG/gray.jpg")
    for first in [bytes, Array(bytes.dropLast(2))] {
      let file = try JPEGFile(parsing: ByteSource(first + bytes.dropLast(2)))
      #expect(file.images.count == 2)
      #expect(file.notices.map(\.code.id).contains("jpeg/end-missing"))
    }
  }
}
#endif
