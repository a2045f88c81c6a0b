// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Relative width and height of a pixel (`pasp`); square if both are equal.
///
/// Source: ISO/IEC 14496-12, 12.1.4; ISO/IEC 23008-12, 6.5.4.
package struct PixelAspectRatioBox: BoxContent {
  package static let boxType: FourCC = "pasp"

  /// Relative width of a pixel.
  package var horizontalSpacing: UInt32
  /// Relative height of a pixel.
  package var verticalSpacing: UInt32

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    horizontalSpacing = try reader.readBigEndian()
    verticalSpacing = try reader.readBigEndian()
  }

  package func write(to writer: inout ByteWriter) {
    writer.writeBigEndian(horizontalSpacing)
    writer.writeBigEndian(verticalSpacing)
  }
}
