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
