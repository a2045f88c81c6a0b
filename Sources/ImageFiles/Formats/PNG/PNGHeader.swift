// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Parsed data of a chunk; one Swift type for each chunk type.
package protocol PNGChunkContent: Hashable, Sendable {
  static var chunkType: PNGChunk.ChunkType { get }
  /// Parses the data of a chunk.
  ///
  /// - Throws: `.truncated` or `.malformed` if the data are invalid.
  init(parsing reader: inout ByteReader) throws(ImageError)
  func write(to writer: inout ByteWriter)
}

extension PNGChunk {
  package init(_ content: some PNGChunkContent) {
    var writer = ByteWriter()
    content.write(to: &writer)
    self.init(Swift.type(of: content).chunkType, writer.bytes)
  }
}

/// The `IHDR` chunk: size and sample layout.
///
/// Source: PNG Third Edition, 11.2.1.
package struct PNGHeader: PNGChunkContent {
  /// Color type: the channels of a pixel, in the order in which they are stored.
  package enum ColorType: UInt8, Hashable, Sendable {
    case gray = 0
    case rgb = 2
    /// Indices in the colors of `PLTE`.
    case palette = 3
    case grayAlpha = 4
    case rgbAlpha = 6
  }

  /// Columns of the image, 1...2147483647.
  package var width: Int
  /// Rows of the image, 1...2147483647.
  package var height: Int
  /// Bits per sample, or per palette index: 1, 2, 4, 8 or 16, as the color type allows.
  package var bitDepth: Int
  /// The channels of a pixel.
  package var colorType: ColorType
  /// Whether the rows are stored in the seven passes of Adam7.
  package var isInterlaced: Bool

  package init(
    width: Int, height: Int, bitDepth: Int, colorType: ColorType, isInterlaced: Bool = false
  ) {
    self.width = width
    self.height = height
    self.bitDepth = bitDepth
    self.colorType = colorType
    self.isInterlaced = isInterlaced
  }

  package static var chunkType: PNGChunk.ChunkType { .imageHeader }

  package init(parsing reader: inout ByteReader) throws(ImageError) {
    let place = ImageError.Location(offset: reader.fileOffset)
    let width: UInt32 = try reader.readBigEndian()
    let height: UInt32 = try reader.readBigEndian()
    let bitDepth: UInt8 = try reader.readBigEndian()
    let colorType: UInt8 = try reader.readBigEndian()
    let compression: UInt8 = try reader.readBigEndian()
    let filter: UInt8 = try reader.readBigEndian()
    let interlace: UInt8 = try reader.readBigEndian()

    guard (1...PNGChunk.longest).contains(Int(width)), (1...PNGChunk.longest).contains(Int(height))
    else { throw ImageError(.emptyImage, ["width": Int(width), "height": Int(height)], at: place) }
    guard let type = ColorType(rawValue: colorType), type.bitDepths.contains(Int(bitDepth)) else {
      throw ImageError(
        .malformed, "color type {type} does not have {bits bit}",
        ["type": colorType, "bits": bitDepth], at: place)
    }
    guard compression == 0, filter == 0, interlace <= 1 else {
      throw ImageError(
        .unsupported,
        "compression {compression}, filter method {filter}, interlace method {interlace}",
        ["compression": compression, "filter": filter, "interlace": interlace], at: place)
    }
    self.init(
      width: Int(width), height: Int(height), bitDepth: Int(bitDepth), colorType: type,
      isInterlaced: interlace == 1)
  }

  package func write(to writer: inout ByteWriter) {
    writer.writeBigEndian(UInt32(clamping: width))
    writer.writeBigEndian(UInt32(clamping: height))
    writer.write([UInt8(clamping: bitDepth), colorType.rawValue, 0, 0, isInterlaced ? 1 : 0])
  }
}

extension PNGHeader {
  /// Number of bytes of the samples of an image, or of a frame of another size, before compression.
  ///
  /// Source: PNG Third Edition, 7.2 and 8.1.
  func byteCount(width: Int, height: Int) -> Int {
    let passes =
      isInterlaced
      ? [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
        (0, 1, 1, 2),
      ]
      : [(0, 0, 1, 1)]
    return passes.reduce(0) { sum, pass in
      let columns = (max(width - pass.0, 0) + pass.2 - 1) / pass.2
      let rows = (max(height - pass.1, 0) + pass.3 - 1) / pass.3
      // Each row begins with its filter.
      let row = columns > 0 ? 1 + (columns * colorType.channels * bitDepth + 7) / 8 : 0
      let (count, isTooLarge) = row.multipliedReportingOverflow(by: rows)
      return isTooLarge ? .max : min(sum, .max - count) + count
    }
  }
}

extension PNGHeader.ColorType {
  /// Number of stored samples per pixel, 1...4; 1 for a palette.
  package var channels: Int {
    switch self {
    case .gray, .palette: 1
    case .grayAlpha: 2
    case .rgb: 3
    case .rgbAlpha: 4
    }
  }

  /// Bit depths allowed for the color type.
  ///
  /// Source: table 11.1.
  var bitDepths: [Int] {
    switch self {
    case .gray: [1, 2, 4, 8, 16]
    case .palette: [1, 2, 4, 8]
    case .rgb, .grayAlpha, .rgbAlpha: [8, 16]
    }
  }
}
