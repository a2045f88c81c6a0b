// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The `cICP` chunk: H.273 code points.
///
/// Source: PNG Third Edition, 11.3.2.6.
package struct PNGCodePoints: PNGChunkContent {
  package var cicp: CICP

  package init(_ cicp: CICP) { self.cicp = cicp }

  package static var chunkType: PNGChunk.ChunkType { .codePoints }

  package init(parsing reader: inout ByteReader) throws(ImageError) {
    let primaries: UInt8 = try reader.readBigEndian()
    let transfer: UInt8 = try reader.readBigEndian()
    let matrix: UInt8 = try reader.readBigEndian()
    let range: UInt8 = try reader.readBigEndian()
    guard range <= 1 else {
      throw reader.error(.invalidValue, ["field": "full range flag", "value": range])
    }
    cicp = CICP(
      primaries: .init(rawValue: UInt16(primaries)), transfer: .init(rawValue: UInt16(transfer)),
      matrix: .init(rawValue: UInt16(matrix)), isFullRange: range == 1)
  }

  /// Writes the code points with an identity matrix: PNG stores RGB and gray.
  package func write(to writer: inout ByteWriter) {
    writer.write([
      UInt8(clamping: cicp.primaries.rawValue), UInt8(clamping: cicp.transfer.rawValue), 0,
      cicp.isFullRange ? 1 : 0,
    ])
  }
}

/// The `gAMA` chunk: the encoding exponent.
///
/// Source: 11.3.2.2.
package struct PNGGamma: PNGChunkContent {
  /// Encoding exponent times 100 000; 45455 for a display gamma of 2.2.
  package var scaled: UInt32

  package init(scaled: UInt32) { self.scaled = scaled }

  /// Exponent of the transfer function from linear values to signal.
  package var exponent: Double { Double(scaled) / 100_000 }

  package static var chunkType: PNGChunk.ChunkType { .gamma }

  package init(parsing reader: inout ByteReader) throws(ImageError) {
    scaled = try reader.readBigEndian()
    guard scaled > 0, scaled <= UInt32(PNGChunk.longest) else {
      throw reader.error(.invalidValue, ["field": "gamma", "value": scaled])
    }
  }

  package func write(to writer: inout ByteWriter) { writer.writeBigEndian(scaled) }
}

/// The `cHRM` chunk: white point and primaries.
///
/// Source: 11.3.2.1.
package struct PNGChromaticities: PNGChunkContent {
  package var primaries: ColorPrimaries

  package init(_ primaries: ColorPrimaries) { self.primaries = primaries }

  package static var chunkType: PNGChunk.ChunkType { .chromaticities }

  package init(parsing reader: inout ByteReader) throws(ImageError) {
    func chromaticity(_ reader: inout ByteReader) throws(ImageError) -> Chromaticity {
      let x: UInt32 = try reader.readBigEndian()
      let y: UInt32 = try reader.readBigEndian()
      guard y > 0, max(x, y) <= UInt32(PNGChunk.longest) else {
        throw reader.error(.invalidValue, ["field": "chromaticity", "value": "\(x), \(y)"])
      }
      return Chromaticity(x: Double(x) / 100_000, y: Double(y) / 100_000)
    }
    let white = try chromaticity(&reader)
    let red = try chromaticity(&reader)
    let green = try chromaticity(&reader)
    let blue = try chromaticity(&reader)
    primaries = ColorPrimaries(red: red, green: green, blue: blue, white: white)
  }

  package func write(to writer: inout ByteWriter) {
    for color in [primaries.white, primaries.red, primaries.green, primaries.blue] {
      writer.writeBigEndian(FixedPoint.unsigned(color.x, unit: 1e-5) as UInt32)
      writer.writeBigEndian(FixedPoint.unsigned(color.y, unit: 1e-5) as UInt32)
    }
  }
}

/// The `sRGB` chunk: the samples are sRGB.
///
/// Source: 11.3.2.5.
package struct PNGStandardRGB: PNGChunkContent {
  /// Rendering intent: 0 perceptual, 1 relative colorimetric, 2 saturation, 3 absolute
  /// colorimetric.
  package var renderingIntent: UInt8

  package init(renderingIntent: UInt8) { self.renderingIntent = renderingIntent }

  package static var chunkType: PNGChunk.ChunkType { .standardRGB }

  package init(parsing reader: inout ByteReader) throws(ImageError) {
    renderingIntent = try reader.readBigEndian()
    guard renderingIntent <= 3 else {
      throw reader.error(.invalidValue, ["field": "rendering intent", "value": renderingIntent])
    }
  }

  package func write(to writer: inout ByteWriter) { writer.write([renderingIntent]) }
}

/// The `sBIT` chunk: number of significant bits of each channel.
///
/// Source: 11.3.2.4.
package struct PNGSignificantBits: PNGChunkContent {
  /// Significant bits of each channel: gray or red, green, blue; then alpha.
  package var bits: [UInt8]

  package init(bits: [UInt8]) { self.bits = bits }

  package static var chunkType: PNGChunk.ChunkType { .significantBits }

  package init(parsing reader: inout ByteReader) throws(ImageError) {
    bits = reader.readRest()
    guard (1...4).contains(bits.count) else {
      throw reader.error(.invalidValue, ["field": "number of channels", "value": bits.count])
    }
  }

  package func write(to writer: inout ByteWriter) { writer.write(bits) }
}

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
