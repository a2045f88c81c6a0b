// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Color volume of the mastering display (`mdcv`).
///
/// Chromaticities outside the ranges of the standard mean that they are unknown: x 5...37000,
/// y 5...42000.
///
/// Source: ISO/IEC 14496-12, 12.1.7; SMPTE ST 2086.
package struct MasteringDisplayColorVolumeBox: BoxContent {
  package static let boxType: FourCC = "mdcv"

  /// A chromaticity, in units of 0.00002.
  package struct Point: Hashable, Sendable {
    /// Chromaticity x, in units of 0.00002.
    package var x: UInt16
    /// Chromaticity y, in units of 0.00002.
    package var y: UInt16

    package init(x: UInt16, y: UInt16) {
      self.x = x
      self.y = y
    }
  }

  /// Chromaticities of three primaries, by convention green, blue, red.
  package var primaries: [Point]
  /// Chromaticity of the white point.
  package var white: Point
  /// Maximum luminance, in units of 0.0001 cd/m².
  package var maximumLuminance: UInt32
  /// Minimum luminance, in units of 0.0001 cd/m².
  package var minimumLuminance: UInt32

  /// Creates the box.
  ///
  /// - Precondition: `primaries` has three elements.
  package init(
    primaries: [Point], white: Point, maximumLuminance: UInt32, minimumLuminance: UInt32
  ) {
    precondition(primaries.count == 3, "three primaries")
    self.primaries = primaries
    self.white = white
    self.maximumLuminance = maximumLuminance
    self.minimumLuminance = minimumLuminance
  }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    primaries = []
    for _ in 0..<3 {
      primaries.append(Point(x: try reader.readBigEndian(), y: try reader.readBigEndian()))
    }
    white = Point(x: try reader.readBigEndian(), y: try reader.readBigEndian())
    maximumLuminance = try reader.readBigEndian()
    minimumLuminance = try reader.readBigEndian()
  }

  package func write(to writer: inout ByteWriter) {
    for point in primaries + [white] {
      writer.writeBigEndian(point.x)
      writer.writeBigEndian(point.y)
    }
    writer.writeBigEndian(maximumLuminance)
    writer.writeBigEndian(minimumLuminance)
  }
}
