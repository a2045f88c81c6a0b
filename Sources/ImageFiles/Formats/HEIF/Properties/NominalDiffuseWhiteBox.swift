// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Luminance of diffuse white (`ndwt`), which is reference white.
///
/// Source: ISO/IEC 23008-12:2025, amendment 1; ISO 22028-5.
package struct NominalDiffuseWhiteBox: BoxContent {
  package static let boxType: FourCC = "ndwt"

  /// Luminance, in units of 0.0001 cd/m²; 0 for the default of ISO 22028-5, 203 cd/m².
  package var luminance: UInt32

  package init(luminance: UInt32) { self.luminance = luminance }

  /// Parses the box; if only 4 bytes remain, the writer omitted version and flags.
  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    if reader.remaining != 4 {
      try FullBoxHeader(parsing: &reader).require(version: 0...0, reader)
    }
    luminance = try reader.readBigEndian()
  }

  package func write(to writer: inout ByteWriter) {
    FullBoxHeader().write(to: &writer)
    writer.writeBigEndian(luminance)
  }
}
