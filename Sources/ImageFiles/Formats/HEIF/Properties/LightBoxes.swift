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
    if reader.remaining != 4 { try FullBoxHeader(parsing: &reader).require(version: 0...0, reader) }
    luminance = try reader.readBigEndian()
  }

  package func write(to writer: inout ByteWriter) {
    FullBoxHeader().write(to: &writer)
    writer.writeBigEndian(luminance)
  }
}

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
