// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Syntax of the data of an image, by which bytes that readers ignore are found.
enum ImageItemSyntax: Hashable, Sendable {
  case bitstream(BitstreamUserData.Codec)
  case jpegImage
  case grid
  case overlay(inputs: Int)
  case identity
  case toneMap
  /// An image that decoders refuse, as its configuration or an essential property is not known.
  case refused(property: FourCC?)

  /// Ranges of the data that readers ignore, in ascending order.
  ///
  /// Source: ISO/IEC 23008-12, 6.6.2, for the fields of derived images.
  ///
  /// - Throws: Errors of parsing the data.
  func ignoredRanges(in bytes: [UInt8]) throws(ImageError) -> [Range<Int>] {
    // The size of a number in a grid or an overlay.
    var width: Int { bytes[1] & 1 == 1 ? 4 : 2 }
    let size: Int
    switch self {
    case .bitstream(let codec): return try BitstreamUserData(in: bytes, of: codec).ranges
    case .jpegImage:
      size = try JPEGImage(parsing: ByteSource(bytes)).stored?.upperBound ?? bytes.count
    case .grid:
      _ = try ImageGrid(parsing: bytes)
      size = 4 + 2 * width
    case .overlay(let inputs):
      _ = try ImageOverlay(parsing: bytes, count: inputs)
      size = 10 + (2 + 2 * inputs) * width
    case .identity: size = 0
    case .toneMap: size = try ISO21496Payload.fieldSize(ofToneMapItem: bytes)
    case .refused(let property?):
      throw ImageError(.itemPropertyRequired, ["type": "\(property)"])
    case .refused: throw ImageError(.heifConfigurationMissing)
    }
    return size < bytes.count ? [size..<bytes.count] : []
  }
}

extension HEIFFile {
  /// Syntax of the data of an image; `nil` for data that are not parsed.
  func syntax(of item: HEIFItem) -> ImageItemSyntax? {
    if let property = item.properties.first(where: { $0.isRefused(in: item.type) }) {
      return .refused(property: property.type)
    }
    let isConfigured = item.properties.contains { $0.isConfiguration(of: item.type) }
    switch item.type {
    case "jpeg": return .jpegImage
    case "grid": return .grid
    case "iovl": return .overlay(inputs: references(from: item.id, type: "dimg").count)
    case "iden": return .identity
    case "tmap": return .toneMap
    case _ where !isConfigured && ItemProperty.configurations[item.type] != nil:
      return .refused(property: nil)
    default: return item.userDataCodec.map { .bitstream($0) }
    }
  }
}
