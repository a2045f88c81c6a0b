// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The `PLTE` chunk: colors of the palette.
///
/// Source: PNG Third Edition, 11.2.2.
package struct PNGPalette: PNGChunkContent {
  /// Red, green and blue of each entry.
  package var colors: [SIMD3<UInt8>]

  package init(colors: [SIMD3<UInt8>]) { self.colors = colors }

  package static var chunkType: PNGChunk.ChunkType { .palette }

  package init(parsing reader: inout ByteReader) throws(ImageError) {
    guard reader.remaining % 3 == 0, (1...256).contains(reader.remaining / 3) else {
      throw reader.error(.invalidValue, ["field": "palette", "value": "\(reader.remaining) bytes"])
    }
    let bytes = reader.readRest()
    colors = stride(from: 0, to: bytes.count, by: 3).map {
      SIMD3(bytes[$0], bytes[$0 + 1], bytes[$0 + 2])
    }
  }

  package func write(to writer: inout ByteWriter) {
    for color in colors { writer.write([color.x, color.y, color.z]) }
  }
}

/// The `tRNS` chunk: alpha of palette entries, or a single transparent gray level or color.
///
/// Source: PNG Third Edition, 11.3.1.1.
package struct PNGTransparency: PNGChunkContent {
  /// Data of the chunk; their meaning depends on the color type.
  package var bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }

  package static var chunkType: PNGChunk.ChunkType { .transparency }

  package init(parsing reader: inout ByteReader) throws(ImageError) { bytes = reader.readRest() }

  package func write(to writer: inout ByteWriter) { writer.write(bytes) }

  /// Alpha of the first palette entries; the remaining entries are opaque.
  package var paletteAlpha: [UInt8] { bytes }

  /// Returns the transparent color: one sample for gray, three for RGB, in the bit depth of the
  /// file.
  ///
  /// `nil` if the data do not match the color type.
  package func transparentSamples(for colorType: PNGHeader.ColorType) -> [UInt16]? {
    let count = colorType == .gray ? 1 : 3
    guard colorType == .gray || colorType == .rgb, bytes.count == 2 * count else { return nil }
    return (0..<count).map { UInt16(bytes[2 * $0]) << 8 | UInt16(bytes[2 * $0 + 1]) }
  }
}

/// The `pHYs` chunk: pixels per unit.
///
/// Source: PNG Third Edition, 11.3.4.3.
package struct PNGPixelSize: PNGChunkContent {
  package var perUnitX: UInt32
  package var perUnitY: UInt32
  /// Whether the unit is the meter; otherwise only the aspect ratio is defined.
  package var isPerMeter: Bool

  package static var chunkType: PNGChunk.ChunkType { .pixelSize }

  package init(parsing reader: inout ByteReader) throws(ImageError) {
    perUnitX = try reader.readBigEndian()
    perUnitY = try reader.readBigEndian()
    let unit: UInt8 = try reader.readBigEndian()
    guard unit <= 1 else { throw reader.error(.invalidValue, ["field": "unit", "value": unit]) }
    isPerMeter = unit == 1
  }

  package func write(to writer: inout ByteWriter) {
    writer.writeBigEndian(perUnitX)
    writer.writeBigEndian(perUnitY)
    writer.write([isPerMeter ? 1 : 0])
  }
}
