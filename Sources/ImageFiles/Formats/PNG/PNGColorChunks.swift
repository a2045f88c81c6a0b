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

/// Mapping of HDR metadata to PNG chunks, XMP and the ICC profile.
extension PNGFile {
  /// Returns the code points; `nil` if the file does not signal any.
  ///
  /// PNG stores RGB and gray, so a matrix other than identity is an error of the writer and is
  /// replaced. Without `cICP`, the profile name `ITUR_2100_PQ_FULL` signals BT.2020 with PQ.
  ///
  /// - Parameter notices: Receives notices about invalid chunks and about replacements.
  /// - Returns: The code points.
  /// - Throws: Errors that end the whole job.
  ///
  /// Source: PNG Third Edition, 11.3.2.6; W3C note "PQ in PNG" (2017).
  package func codePoints(notices: inout [Notice]) throws(ImageError) -> CICP? {
    if let chunk = try content(PNGCodePoints.self, notices: &notices) {
      var cicp = chunk.cicp
      if cicp.matrix != .identity {
        notices.append(
          Notice(
            .irregular, "matrix {matrix} read as 0 (PNG stores RGB)",
            ["matrix": cicp.matrix.rawValue], at: .init(path: ["cICP"])))
        cicp.matrix = .identity
      }
      return cicp
    }
    guard let name = try ifReadable(try profile()?.name), name == Self.nameOfPQ else { return nil }
    notices.append(
      Notice(
        .assumed, "transfer function BT.2100 PQ, assumed from the name of the profile",
        at: .init(path: ["iCCP"])))
    return CICP(primaries: .bt2020, transfer: .pq)
  }

  /// Returns all HDR metadata of the file.
  ///
  /// Read from `mDCV` and `cLLI`, also by their draft names, and diffuse white from XMP.
  ///
  /// - Parameter notices: Receives notices about metadata that cannot be parsed, which are omitted.
  /// - Returns: The HDR metadata.
  /// - Throws: Errors that end the whole job.
  package func lightMetadata(notices: inout [Notice]) throws(ImageError) -> LightMetadata {
    var hdr = LightMetadata()
    hdr.masteringDisplay = try content(PNGMasteringDisplay.self, notices: &notices)?.display
    hdr.contentLightLevel = try content(PNGContentLightLevel.self, notices: &notices)?.level
    do throws(ImageError) {
      if let packet = try xmp() {
        hdr.diffuseWhite = try XMPPacket(parsing: packet).diffuseWhite(notices: &notices)
      }
    } catch {
      guard !error.endsJob else { throw error }
      notices.append(
        Notice(.irregular, "ignored: XMP: {cause}", ["cause": error], at: .init(path: ["iTXt"])))
    }
    return hdr
  }

  /// Replaces all HDR metadata of the file by those that PNG can store.
  ///
  /// - Parameter hdr: The metadata; missing values are removed.
  /// - Throws: `.malformed` if the XMP packet of the file cannot be parsed to store diffuse white.
  package mutating func setLightMetadata(_ hdr: LightMetadata) throws(ImageError) {
    if let display = hdr.masteringDisplay {
      set(PNGMasteringDisplay(display))
    } else {
      remove(.masteringDisplay)
    }
    if let level = hdr.contentLightLevel {
      set(PNGContentLightLevel(level))
    } else {
      remove(.contentLightLevel)
    }
    let packet = try xmp()
    let new = try XMPPacket.consistent(packet, withDiffuseWhite: hdr.diffuseWhite)
    if new != packet { setXMP(new) }
  }
}
