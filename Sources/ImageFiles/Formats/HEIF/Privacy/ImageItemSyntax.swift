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
    }
    return size < bytes.count ? [size..<bytes.count] : []
  }
}

extension HEIFFile {
  /// Syntax of the data of an image; `nil` for data that are not parsed.
  func syntax(of item: HEIFItem) -> ImageItemSyntax? {
    switch item.type {
    case "jpeg": .jpegImage
    case "grid": .grid
    case "iovl": .overlay(inputs: references(from: item.id, type: "dimg").count)
    case "iden": .identity
    case "tmap": .toneMap
    default: item.userDataCodec.map { .bitstream($0) }
    }
  }
}
