// SPDX-License-Identifier: Apache-2.0
#if JPEG && PNG
import GainMap
import HDRConversion
import HDRCore
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
    let base = try jpeg(.ycbcr(.yuv422))
    let map = try jpeg(.gray)
    let found = FoundGainMap([.init(flavor: .iso, metadata: metadata, numbers: [])])
    var bytes = try base.joining(map, found, in: [.iso]).bytes.allBytes()
    let joined = try JPEGFile(parsing: ByteSource(bytes))
    let tables = joined.images[1].segments.first { $0.marker == JPEGMarker(rawValue: 0xC4) }
    let start = try #require(tables?.stored?.lowerBound)
    // Marker, length and class, then the numbers of codes of one and of two bits.
    if isBroken { bytes.replaceSubrange(start + 5..<start + 7, with: [0xFF, 0xFF]) }
    return try ImageFile(parsing: ByteSource(bytes))
  }

  private static func jpeg(_ components: ImageLayout.Components) throws -> ImageFile {
    let layout = ImageLayout(
      width: 8, height: 8, components: components, samples: .integer(bits: 8))
    let planes = (0..<layout.planeCount).map { index in
      let size = layout.planeSize(index)
      return Plane<UInt16>(width: size.width, height: size.height, filledWith: 100)
    }
    let image = Image(
      ImagePlanes(layout: layout, planes: .integer(planes)),
      CICP(primaries: .bt709, transfer: .srgb, matrix: components == .gray ? .identity : .bt601))
    return try ImageFile(
      parsing: ByteSource(OutputImage(image).encoded(as: .jpeg, options: EncoderOptions())))
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

  /// A gain map that the request keeps is not dropped from a resized file of the same format.
  @Test func refusedWithGeometry() throws {
    var request = ConversionRequest(format: .png)
    request.gainMap.use = .keep
    let whole = try Self.file(isBroken: false).converted(request).bytes
    var png = try PNGFile(parsing: ByteSource(whole))
    var map = try #require(try png.gainMapImage())
    map.chunks.removeAll { $0.type == .imageData }
    map.insert(PNGChunk(.imageData, [1, 2, 3]))
    png.set(PNGChunk(.gainMap, try map.serialized().allBytes()))
    let file = try ImageFile(parsing: ByteSource(try png.serialized().allBytes()))
    request.geometry.longSide = 8
    let error = #expect(throws: ImageError.self) { try file.converted(request) }
    #expect(error?.code.id == "gain-map/samples-not-decodable")
    request.gainMap.use = nil
    let codes = try file.converted(request).result.notices.map(\.code.id)
    #expect(codes.contains("gain-map/not-decodable"))
  }

  /// SDR stays SDR, and the note about an HDR image is not given.
  @Test(arguments: [FileFormat.jpeg, .png], [0, 90])
  func conversions(format: FileFormat, rotation: Int) throws {
    var request = ConversionRequest(format: format)
    if rotation != 0 { request.geometry.rotation = rotation }
    let (bytes, result) = try Self.file().converted(request)
    let codes = result.notices.map(\.code.id)
    #expect(codes.count { $0.hasPrefix("gain-map/") } == 1)
    #expect(codes.contains("gain-map/not-decodable"))
    #expect(!codes.contains { $0.hasPrefix("convert/gain-map") })
    let written = try ImageFile(parsing: ByteSource(bytes))
    #expect(try !written.contents().isHighDynamicRange)
  }
}
#endif
