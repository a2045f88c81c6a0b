// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

#if JPEGXL
/// libjxl decodes the same samples after edits of the header.
@Suite("JPEG XL header edits and samples") struct JPEGXLHeaderEditingTests {
  private func samples(_ image: Image) throws -> [Plane<UInt16>] {
    guard case .integer(let planes) = try image.planes().planes else {
      Issue.record("no integers")
      return []
    }
    return planes
  }

  @Test(
    arguments: ["pq16", "alpha12", "gray8", "adobergb-lossy", "preview"], Orientation.allCases)
  func orientation(name: String, orientation: Orientation) throws {
    let bytes = try Vectors.bytes("JPEGXL/\(name).jxl")
    let file = try ImageFile(parsing: ByteSource(bytes))
    var edit = MetadataEdit()
    edit.orientation = .set(orientation)
    let edited = try file.edited(by: edit)
    let (old, new) = (try SourceImage(decoding: file), try SourceImage(decoding: edited.file))
    #expect(new.image.orientation == orientation)
    #expect(new.image.color == old.image.color && new.image.layout == old.image.layout)
    #expect(new.notices == old.notices)
    #expect(try samples(new.image) == samples(old.image))
  }

  @Test(arguments: ["pq16", "alpha12", "gray8"])
  func color(name: String) throws {
    let file = try ImageFile(parsing: ByteSource(try Vectors.bytes("JPEGXL/\(name).jxl")))
    var edit = MetadataEdit()
    edit.codePoints = .set(CICP(primaries: .displayP3, transfer: .hlg, matrix: .identity))
    let (old, new) = (
      try SourceImage(decoding: file), try SourceImage(decoding: file.edited(by: edit).file)
    )
    #expect(new.image.color.transfer == .hlg)
    #expect(name == "gray8" || new.image.color.primaries == .displayP3)
    #expect(new.image.layout == old.image.layout)
    #expect(try samples(new.image) == samples(old.image))
  }

  /// The color of a JPEG file that is reconstructed would be another one.
  @Test func colorOfATranscodedFile() throws {
    let original = try Vectors.bytes("JPEG/422.jpg")
    let transcoded = try ImageFile(
      parsing: ByteSource(try LibJXL.encoded(original, speed: 8)))
    var edit = MetadataEdit()
    edit.codePoints = .set(CICP(primaries: .displayP3, transfer: .srgb, matrix: .identity))
    let edited = try transcoded.edited(by: edit)
    #expect(
      edited.notices.map(\.code.english) == [
        "dropped: data for the exact reconstruction of the JPEG file, with its metadata"
      ])
    #expect(try SourceImage(decoding: edited.file).image.color.primaries == .displayP3)
  }

  /// A rotated file still contains the exact JPEG file, whose samples are used, but not its rotation.
  @Test func rotationOfATranscodedFile() throws {
    let original = try Vectors.bytes("JPEG/422.jpg")
    let transcoded = try ImageFile(
      parsing: ByteSource(try LibJXL.encoded(original, speed: 8)))
    let rotated = try transcoded.rotated(by: .rotated90)
    #expect(rotated.notices == [])
    #expect(try JPEGTranscoder.original(of: transcoded) != nil)
    #expect(try JPEGTranscoder.original(of: rotated.file) == nil)
    let (old, new) = (
      try SourceImage(decoding: transcoded), try SourceImage(decoding: rotated.file)
    )
    #expect(new.image.orientation == .rotated90 && old.image.orientation == .upright)
    #expect(try samples(new.image) == samples(old.image))
    let back = try JPEGTranscoder(speed: 8).transcoded(rotated.file, to: .jpeg)
    #expect(try back.bytes.allBytes() == original)
    #expect(
      back.notices.map(\.code.english) == [
        "the JPEG file has orientation {original}, the JPEG XL file {file}"
      ])
  }

  @Test func preview() throws {
    let file = try ImageFile(parsing: ByteSource(try Vectors.bytes("JPEGXL/preview.jxl")))
    #expect(try file.contents().images.map(\.role) == [.primary, .preview])
    let preview = try #require(try file.reencodedPreview())
    let image = try SourceImage(decoding: ByteSource(preview)).image
    #expect(image.layout.width == 12 && image.layout.height == 8)
    #expect(image.orientation == .rotated90)
    #expect(image.color.transfer == .pq && image.color.primaries == .bt2020)
    for (component, plane) in try samples(image).enumerated() {
      for y in 0..<8 {
        let row = plane.row(y)
        #expect(
          (0..<12).map { row[$0] }
            == (0..<12).map { JPEGXLReaderTests.sample($0, y, component, bits: 16) })
      }
    }
    let other = try ImageFile(parsing: ByteSource(try Vectors.bytes("JPEGXL/pq16.jxl")))
    #expect(try other.reencodedPreview() == nil)
  }

  @Test func damagedPreviewIsATypedError() throws {
    let bytes = try Vectors.bytes("JPEGXL/preview.jxl")
    for index in Swift.stride(from: 41, to: bytes.count, by: 7) {
      var damaged = bytes
      damaged[index] ^= 0x55
      _ = try? ImageFile(parsing: ByteSource(damaged)).reencodedPreview()
      _ = try? ImageFile(parsing: ByteSource(Array(bytes[..<index]))).reencodedPreview()
    }
  }
}
#endif
