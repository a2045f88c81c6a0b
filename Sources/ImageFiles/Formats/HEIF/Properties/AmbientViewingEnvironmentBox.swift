// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Ambient illumination of the intended viewing environment (`amve`).
///
/// Source: ISO/IEC 14496-12, 12.1.9; ISO/IEC 23008-12, 6.5.36.
package struct AmbientViewingEnvironmentBox: BoxContent {
  package static let boxType: FourCC = "amve"

  /// Illuminance, in units of 0.0001 lux; 0 is not allowed.
  package var illuminance: UInt32
  /// Chromaticity x of the illumination, in units of 0.00002, 0...50000.
  package var lightX: UInt16
  /// Chromaticity y of the illumination, in units of 0.00002, 0...50000.
  package var lightY: UInt16

  package init(illuminance: UInt32, lightX: UInt16, lightY: UInt16) {
    self.illuminance = illuminance
    self.lightX = lightX
    self.lightY = lightY
  }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    illuminance = try reader.readBigEndian()
    lightX = try reader.readBigEndian()
    lightY = try reader.readBigEndian()
  }

  package func write(to writer: inout ByteWriter) {
    writer.writeBigEndian(illuminance)
    writer.writeBigEndian(lightX)
    writer.writeBigEndian(lightY)
  }
}
