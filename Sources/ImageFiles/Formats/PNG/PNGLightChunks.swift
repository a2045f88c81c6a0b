// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The `mDCV` chunk: mastering display color volume.
///
/// Source: PNG Third Edition, 11.3.2.7, which refers to SMPTE ST 2086.
package struct PNGMasteringDisplay: PNGChunkContent {
  package var display: LightMetadata.MasteringDisplay

  package init(_ display: LightMetadata.MasteringDisplay) { self.display = display }

  package static var chunkType: PNGChunk.ChunkType { .masteringDisplay }

  package init(parsing reader: inout ByteReader) throws(ImageError) {
    func chromaticity(_ reader: inout ByteReader) throws(ImageError) -> Chromaticity {
      let x: UInt16 = try reader.readBigEndian()
      let y: UInt16 = try reader.readBigEndian()
      return Chromaticity(x: Double(x) / 50_000, y: Double(y) / 50_000)
    }
    // Red is first, unlike the order green, blue, red of ISOBMFF and HEVC.
    let red = try chromaticity(&reader)
    let green = try chromaticity(&reader)
    let blue = try chromaticity(&reader)
    let white = try chromaticity(&reader)
    let maximum: UInt32 = try reader.readBigEndian()
    let minimum: UInt32 = try reader.readBigEndian()
    display = LightMetadata.MasteringDisplay(
      primaries: ColorPrimaries(red: red, green: green, blue: blue, white: white),
      maximumLuminance: Double(maximum) / 10_000, minimumLuminance: Double(minimum) / 10_000)
  }

  package func write(to writer: inout ByteWriter) {
    let primaries = display.primaries
    for color in [primaries.red, primaries.green, primaries.blue, primaries.white] {
      writer.writeBigEndian(FixedPoint.unsigned(color.x, unit: 2e-5) as UInt16)
      writer.writeBigEndian(FixedPoint.unsigned(color.y, unit: 2e-5) as UInt16)
    }
    writer.writeBigEndian(FixedPoint.unsigned(display.maximumLuminance, unit: 1e-4) as UInt32)
    writer.writeBigEndian(FixedPoint.unsigned(display.minimumLuminance, unit: 1e-4) as UInt32)
  }
}

/// The `cLLI` chunk: maximum and maximum frame-average light level.
///
/// Source: PNG Third Edition, 11.3.2.8.
package struct PNGContentLightLevel: PNGChunkContent {
  package var level: LightMetadata.ContentLightLevel

  package init(_ level: LightMetadata.ContentLightLevel) { self.level = level }

  package static var chunkType: PNGChunk.ChunkType { .contentLightLevel }

  package init(parsing reader: inout ByteReader) throws(ImageError) {
    let maximum: UInt32 = try reader.readBigEndian()
    let average: UInt32 = try reader.readBigEndian()
    level = LightMetadata.ContentLightLevel(
      maximum: Double(maximum) / 10_000, maximumAverage: Double(average) / 10_000)
  }

  package func write(to writer: inout ByteWriter) {
    writer.writeBigEndian(FixedPoint.upperBound(level.maximum, unit: 1e-4) as UInt32)
    writer.writeBigEndian(FixedPoint.upperBound(level.maximumAverage, unit: 1e-4) as UInt32)
  }
}
