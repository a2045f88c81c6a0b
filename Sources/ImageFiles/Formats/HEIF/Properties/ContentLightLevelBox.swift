// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Maximum light levels of an image (`clli`).
///
/// Source: ISO/IEC 14496-12, 12.1.6; CTA-861.3.
package struct ContentLightLevelBox: BoxContent {
  package static let boxType: FourCC = "clli"

  /// MaxCLL, the maximum light level of a pixel, in cd/m²; 0 if unknown.
  package var maximum: UInt16
  /// MaxPALL, the maximum of the average light level of an image, in cd/m²; 0 if unknown.
  package var maximumAverage: UInt16

  package init(maximum: UInt16, maximumAverage: UInt16) {
    self.maximum = maximum
    self.maximumAverage = maximumAverage
  }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    maximum = try reader.readBigEndian()
    maximumAverage = try reader.readBigEndian()
  }

  package func write(to writer: inout ByteWriter) {
    writer.writeBigEndian(maximum)
    writer.writeBigEndian(maximumAverage)
  }
}
