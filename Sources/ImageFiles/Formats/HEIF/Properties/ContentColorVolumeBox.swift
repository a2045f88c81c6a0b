// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Gamut and luminance range of the content of an image (`cclv`).
///
/// Linear value 1 is 10,000 cd/m² for PQ, and the peak of scene-linear values for HLG.
///
/// Source: ISO/IEC 14496-12, 12.1.8; ITU-T H.274, content colour volume SEI message.
package struct ContentColorVolumeBox: BoxContent {
  package static let boxType: FourCC = "cclv"

  /// A chromaticity, in units of 0.00002; the standard allows -5,000,000...5,000,000.
  package struct Point: Hashable, Sendable {
    /// Chromaticity x, in units of 0.00002.
    package var x: Int32
    /// Chromaticity y, in units of 0.00002.
    package var y: Int32

    package init(x: Int32, y: Int32) {
      self.x = x
      self.y = y
    }
  }

  /// Chromaticities of three primaries, by convention green, blue, red; `nil` if unspecified.
  package var primaries: [Point]?
  /// Minimum luminance, in units of 1e-7 of the linear value of signal 1; `nil` if unspecified.
  package var minimumLuminance: UInt32?
  /// Maximum luminance, in units of 1e-7 of the linear value of signal 1; `nil` if unspecified.
  package var maximumLuminance: UInt32?
  /// Average luminance, in units of 1e-7 of the linear value of signal 1; `nil` if unspecified.
  package var averageLuminance: UInt32?

  /// Creates the box.
  ///
  /// - Precondition: `primaries` has three elements or is `nil`.
  package init(
    primaries: [Point]? = nil, minimumLuminance: UInt32? = nil, maximumLuminance: UInt32? = nil,
    averageLuminance: UInt32? = nil
  ) {
    precondition(primaries == nil || primaries?.count == 3, "three primaries")
    self.primaries = primaries
    self.minimumLuminance = minimumLuminance
    self.maximumLuminance = maximumLuminance
    self.averageLuminance = averageLuminance
  }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    let presence: UInt8 = try reader.readBigEndian()
    if presence & 0x20 != 0 {
      var points: [Point] = []
      for _ in 0..<3 {
        points.append(Point(x: try reader.readBigEndian(), y: try reader.readBigEndian()))
      }
      primaries = points
    }
    if presence & 0x10 != 0 { minimumLuminance = try reader.readBigEndian() }
    if presence & 8 != 0 { maximumLuminance = try reader.readBigEndian() }
    if presence & 4 != 0 { averageLuminance = try reader.readBigEndian() }
  }

  package func write(to writer: inout ByteWriter) {
    var presence: UInt8 = 0
    let fields: [(Bool, UInt8)] = [
      (primaries != nil, 0x20), (minimumLuminance != nil, 0x10), (maximumLuminance != nil, 8),
      (averageLuminance != nil, 4),
    ]
    for (isPresent, bit) in fields where isPresent { presence |= bit }
    writer.writeBigEndian(presence)
    for point in primaries ?? [] {
      writer.writeBigEndian(point.x)
      writer.writeBigEndian(point.y)
    }
    for luminance in [minimumLuminance, maximumLuminance, averageLuminance] {
      if let luminance { writer.writeBigEndian(luminance) }
    }
  }
}
