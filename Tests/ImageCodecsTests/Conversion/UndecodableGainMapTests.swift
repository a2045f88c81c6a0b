// SPDX-License-Identifier: Apache-2.0
#if JPEG && PNG
import GainMap
import HDRConversion
import HDRCore
import ImageContainers
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

/// A gain map that cannot be decoded is dropped with one warning, or refused.
@Suite("Gain maps that cannot be decoded") struct UndecodableGainMapTests {
  /// A color image with a gray gain map, whose Huffman tables are invalid.
  private static func file(isBroken: Bool = true) throws -> ImageFile {
    let zero = SignedRational(0)
    let metadata = try GainMapMetadata(
      channels: .one(
        .init(
          minimum: zero, maximum: SignedRational(2), gamma: UnsignedRational(1), baseOffset: zero,
          alternateOffset: zero)),
      baseHeadroom: UnsignedRational(0), alternateHeadroom: UnsignedRational(2),
      usesBaseColorSpace: true)
    let base = try ImageFile(parsing: ByteSource(try Vectors.bytes("JPEG/422.jpg")))
    let map = try ImageFile(parsing: ByteSource(try Vectors.bytes("JPEG/gray.jpg")))
    let found = FoundGainMap([.init(flavor: .iso, metadata: metadata, numbers: [])])
    var bytes = try base.joining(map, found, in: [.iso]).bytes.allBytes()
    let joined = try JPEGFile(parsing: ByteSource(bytes))
    let tables = joined.images[1].segments.first { $0.marker == JPEGMarker(rawValue: 0xC4) }
    let start = try #require(tables?.stored?.lowerBound)
    // Marker, length and class, then the numbers of codes of one and of two bits.
    if isBroken { bytes.replaceSubrange(start + 5..<start + 7, with: [0xFF, 0xFF]) }
    return try ImageFile(parsing: ByteSource(bytes))
  }

  @Test func edits() throws {
    var edit = MetadataEdit()
    edit.dropsLocation = true
    let edited = try Self.file().editedWithDecodableGainMap(edit)
    #expect(!edited.isUnchanged)
    #expect(edited.notices.map(\.code.id) == ["gain-map/not-decodable"])
    #expect(try edited.file.gainMaps().maps.isEmpty)
    #expect(try Self.file(isBroken: false).editedWithDecodableGainMap(edit).isUnchanged)
  }

  @Test func refused() throws {
    let file = try Self.file()
    #expect(throws: ImageError.self) { try file.requireDecodableGainMap() }
    try Self.file(isBroken: false).requireDecodableGainMap()
    var request = ConversionRequest(format: .jpeg)
    request.copying = .required
    request.gainMap.flavors = [.iso]
    let error = #expect(throws: ImageError.self) { try file.converted(request) }
    #expect(error?.code.id == "gain-map/samples-not-decodable")
  }

  /// SDR stays SDR, and the note about an HDR image is not given.
  @Test(arguments: [FileFormat.jpeg, .png])
  func conversions(format: FileFormat) throws {
    let (bytes, result) = try Self.file().converted(ConversionRequest(format: format))
    let codes = result.notices.map(\.code.id)
    #expect(codes.count { $0.hasPrefix("gain-map/") } == 1)
    #expect(codes.contains("gain-map/not-decodable"))
    #expect(!codes.contains { $0.hasPrefix("convert/gain-map") })
    let written = try ImageFile(parsing: ByteSource(bytes))
    #expect(try !written.contents().isHighDynamicRange)
  }
}
#endif
