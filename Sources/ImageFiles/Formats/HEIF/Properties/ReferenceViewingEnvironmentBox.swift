// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Reference viewing environment of an image (`reve`).
///
/// Source: ISO/IEC 23008-12:2025, amendment 1; ISO 22028-5.
package struct ReferenceViewingEnvironmentBox: BoxContent {
  package static let boxType: FourCC = "reve"

  /// Surround luminance, in units of 0.0001 cd/m².
  package var surroundLuminance: UInt32
  /// Chromaticity x of the surround, in units of 0.0001, 0...10000.
  package var surroundLightX: UInt16
  /// Chromaticity y of the surround, in units of 0.0001, 0...10000.
  package var surroundLightY: UInt16
  /// Periphery luminance, in units of 0.0001 cd/m².
  package var peripheryLuminance: UInt32
  /// Chromaticity x of the periphery, in units of 0.0001, 0...10000.
  package var peripheryLightX: UInt16
  /// Chromaticity y of the periphery, in units of 0.0001, 0...10000.
  package var peripheryLightY: UInt16

  package init(
    surroundLuminance: UInt32, surroundLightX: UInt16, surroundLightY: UInt16,
    peripheryLuminance: UInt32, peripheryLightX: UInt16, peripheryLightY: UInt16
  ) {
    self.surroundLuminance = surroundLuminance
    self.surroundLightX = surroundLightX
    self.surroundLightY = surroundLightY
    self.peripheryLuminance = peripheryLuminance
    self.peripheryLightX = peripheryLightX
    self.peripheryLightY = peripheryLightY
  }

  /// Parses the box; if only 16 bytes remain, the writer omitted version and flags.
  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    if reader.remaining != 16 {
      try FullBoxHeader(parsing: &reader).require(version: 0...0, reader)
    }
    surroundLuminance = try reader.readBigEndian()
    surroundLightX = try reader.readBigEndian()
    surroundLightY = try reader.readBigEndian()
    peripheryLuminance = try reader.readBigEndian()
    peripheryLightX = try reader.readBigEndian()
    peripheryLightY = try reader.readBigEndian()
  }

  package func write(to writer: inout ByteWriter) {
    FullBoxHeader().write(to: &writer)
    writer.writeBigEndian(surroundLuminance)
    writer.writeBigEndian(surroundLightX)
    writer.writeBigEndian(surroundLightY)
    writer.writeBigEndian(peripheryLuminance)
    writer.writeBigEndian(peripheryLightX)
    writer.writeBigEndian(peripheryLightY)
  }
}
