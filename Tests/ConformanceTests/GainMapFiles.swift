// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF && PNG && JPEG
import GainMap
import HDRCore
import ImageCodecs
import TestSupport

@testable import Conformance
@testable import HDRConversion
@testable import ImageFiles

/// Files with several encoded images.
enum GainMapFiles {
  static let metadata: GainMapMetadata = make()

  /// A map of two stops over an SDR base.
  static func make(
    base: UInt32 = 0, alternate: UInt32 = 2, offset: Int32 = 1, usesBase: Bool = true
  ) -> GainMapMetadata {
    let small = SignedRational(offset, 64) ?? SignedRational(0)
    let channel = GainMapMetadata.Channel(
      minimum: SignedRational(0), maximum: SignedRational(2), gamma: UnsignedRational(1),
      baseOffset: small, alternateOffset: small)
    do {
      return try GainMapMetadata(
        channels: .one(channel), baseHeadroom: UnsignedRational(base),
        alternateHeadroom: UnsignedRational(alternate), usesBaseColorSpace: usesBase)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// The file with a light-level unit in its bitstream that agrees with `clli`.
  static func withMetadataUnit(_ bytes: [UInt8]) throws -> [UInt8] {
    var file = try HEIFFile(parsing: ByteSource(bytes))
    let primary = try file.primaryItem
    let data = try file.data(of: primary.id)
    let length = try sequenceHeaderLength(data)
    // OBU_METADATA with a size, metadata_type 1, MaxCLL and MaxFALL of 10000, trailing bit.
    let unit: [UInt8] = [0x2A, 6, 1, 0x27, 0x10, 0x27, 0x10, 0x80]
    file.updateItem(primary.id) { $0.data = .file(data[..<length] + unit + data[length...]) }
    return try file.serialized()
  }

  /// Bytes of the sequence header that an item begins with.
  static func sequenceHeaderLength(_ data: [UInt8]) throws -> Int {
    let unit = try AV1OBU.split(data, through: .sequenceHeader)
    return unit.last.map(\.payload.endIndex) ?? 0
  }

  /// A 10-bit baseline image without light metadata, a gain map and a tone map.
  static func avif() throws -> [UInt8] {
    var base = TestImages.output(.ycbcr(.yuv420))
    base.image.color.transfer = .srgb
    base.image.light = LightMetadata()
    var map = TestImages.output(.ycbcr(.yuv444), bits: 8)
    map.signalsCICP = false
    map.image.color.matrix = .bt601
    map.image.light = LightMetadata()
    let mapFile = try HEIFFile(parsing: ByteSource(TestImages.encoded(map, .avif)))
    var file = try HEIFFile(parsing: ByteSource(TestImages.encoded(base, .avif)))
    file.fileType.compatibleBrands = ["avif", "mif1", "miaf", "tmap"]
    let primary = try file.primaryItem
    let mapItem = try mapFile.primaryItem
    let id = file.addItem(
      "av01", isHidden: true, properties: mapItem.properties.map(\.box),
      data: .file(try mapFile.data(of: mapItem.id)))
    let toneMap = file.addItem(
      "tmap",
      properties: [
        .imageSpatialExtents(ImageSpatialExtentsBox(width: 70, height: 64)),
        .colorInformation(.nclx(CICP(primaries: .bt2020, transfer: .pq))),
        .pixelInformation(PixelInformationBox(bitsPerChannel: [10, 10, 10])),
      ],
      data: .itemDataBox(ISO21496Payload(metadata).toneMapItem))
    file.addReference("dimg", from: toneMap, to: [primary.id, id])
    file.addGroup("altr", of: [toneMap, primary.id])
    return try file.serialized()
  }

  /// A baseline image of 8 bits and a gain map.
  static func png() throws -> [UInt8] {
    func file(_ bits: Int) throws -> ImageFile {
      var output = TestImages.output(.rgb, bits: bits, transfer: .srgb)
      output.image.light = LightMetadata()
      return try ImageFile(parsing: ByteSource(TestImages.encoded(output, .png)))
    }
    let description = try GainMapMetadataSet(of: metadata, in: [.iso], mapIsGray: false)
    return try file(8).joining(try file(8), description).bytes.allBytes()
  }

  /// A row of tiles.
  static func grid(tileSide: Int, count: Int = 2) throws -> [UInt8] {
    var output = TestImages.output(.ycbcr(.yuv420))
    output.image = Image(
      TestImages.image(.ycbcr(.yuv420), bits: 10, width: tileSide, height: tileSide),
      output.image.color.cicp, light: output.image.light)
    let source = try HEIFFile(parsing: ByteSource(TestImages.encoded(output, .avif)))
    let tile = try source.primaryItem
    let data = try source.data(of: tile.id)
    var file = HEIFFile(
      fileType: FileTypeBox(majorBrand: "avif", compatibleBrands: ["avif", "mif1", "miaf"]))
    let (width, height) = (UInt32(count * tileSide), UInt32(tileSide))
    let light: Set<FourCC> = ["clli", "mdcv", "cclv", "amve", "ndwt", "reve", "colr", "pixi"]
    let grid = file.addItem(
      "grid",
      properties: [.imageSpatialExtents(.init(width: width, height: height))]
        + tile.properties.map(\.box).filter { light.contains($0.type) },
      data: .itemDataBox(ImageGrid(rows: 1, columns: count, width: width, height: height).bytes))
    let tiles = (0..<count).map { _ in
      file.addItem(
        "av01", isHidden: true,
        properties: tile.properties.map(\.box).filter {
          !light.contains($0.type) || $0.type == "colr"
        }, data: .file(data))
    }
    file.addReference("dimg", from: grid, to: tiles)
    file.primaryItemID = grid
    return try file.serialized()
  }

  /// A packet with the numbers of `metadata`.
  static func mapPacket(version: String = "1.0", maximum: String = "2", more: String = "")
    -> [UInt8]
  {
    packet(
      """
      hdrgm:Version="\(version)" hdrgm:GainMapMin="0" hdrgm:GainMapMax="\(maximum)" \
      hdrgm:Gamma="1" hdrgm:OffsetSDR="0.015625" hdrgm:OffsetHDR="0.015625" \
      hdrgm:HDRCapacityMin="0" hdrgm:HDRCapacityMax="\(maximum)" \(more)
      """)
  }

  /// Announces a map of `length` bytes.
  static func primaryPacket(
    length: Int, version: String? = "1.0", semantics: [String] = ["Primary", "GainMap"]
  ) -> [UInt8] {
    let items = semantics.map { semantic in
      let size = semantic == "GainMap" ? " Item:Length=\"\(length)\"" : ""
      return """
        <rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="\(semantic)" \
        Item:Mime="image/jpeg"\(size)/></rdf:li>
        """
    }
    return packet(
      version.map { "hdrgm:Version=\"\($0)\"" } ?? "",
      body: semantics.isEmpty
        ? ""
        : "<Container:Directory><rdf:Seq>\(items.joined())</rdf:Seq></Container:Directory>")
  }

  static func packet(_ attributes: String, body: String = "") -> [UInt8] {
    Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" \
      xmlns:Container="http://ns.google.com/photos/1.0/container/" \
      xmlns:Item="http://ns.google.com/photos/1.0/container/item/" \(attributes)>\(body)\
      </rdf:Description></rdf:RDF></x:xmpmeta>
      """.utf8)
  }

  /// A packet that exceeds one segment.
  static let longPacket: [UInt8] = Array(
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
    xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
    xmlns:a="urn:a" xmlns:b="urn:b"><a:long>\(String(repeating: "long ", count: 14_000))</a:long>\
    <b:short>1</b:short></rdf:Description></rdf:RDF></x:xmpmeta>
    """.utf8)

  static func ultraHDR(
    xmp: Bool, iso: Bool, metadata: GainMapMetadata = metadata, mapPacket: [UInt8] = mapPacket(),
    primaryPacket: ((Int) -> [UInt8])? = nil
  ) throws -> [UInt8] {
    var map = try JPEGFile(parsing: ByteSource(TestImages.jpeg(.gray)))
    try map.primary.setProfile(nil)
    if xmp { try map.primary.setXMP(mapPacket) }
    if iso { try map.primary.setISOGainMap(ISO21496Payload(metadata).serialized) }
    let mapBytes = try map.serialized().allBytes()
    var file = try JPEGFile(parsing: ByteSource(TestImages.jpeg()))
    if xmp {
      try file.primary.setXMP(
        primaryPacket?(mapBytes.count) ?? Self.primaryPacket(length: mapBytes.count))
    }
    if iso { try file.primary.setISOGainMap(ISO21496Payload.versionOnly) }
    try file.insertBehindFirst(try JPEGFile(parsing: ByteSource(mapBytes)).primary)
    return try file.serialized().allBytes()
  }
}
#endif
