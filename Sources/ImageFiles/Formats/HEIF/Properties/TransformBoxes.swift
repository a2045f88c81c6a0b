// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Displayed part of the coded image, relative to its center (`clap`).
///
/// The values are those of the file: a denominator may be 0, and the part may exceed the image.
///
/// Source: ISO/IEC 14496-12, 12.1.4; ISO/IEC 23008-12, 6.5.9.
package struct CleanApertureBox: BoxContent {
  package static let boxType: FourCC = "clap"

  /// An unsigned fraction as stored.
  package struct Size: Hashable, Sendable {
    /// Numerator of the fraction.
    package var numerator: UInt32
    /// Denominator of the fraction.
    package var denominator: UInt32

    package init(_ numerator: UInt32, over denominator: UInt32 = 1) {
      self.numerator = numerator
      self.denominator = denominator
    }
  }

  /// A signed fraction as stored.
  package struct Offset: Hashable, Sendable {
    /// Numerator of the fraction.
    package var numerator: Int32
    /// Denominator of the fraction.
    package var denominator: UInt32

    package init(_ numerator: Int32, over denominator: UInt32 = 1) {
      self.numerator = numerator
      self.denominator = denominator
    }
  }

  /// Width of the aperture, in pixels.
  package var width: Size
  /// Height of the aperture, in pixels.
  package var height: Size
  /// Offset of the center of the aperture from that of the coded image, in pixels, positive to the
  /// right.
  package var horizontalOffset: Offset
  /// Offset of the center of the aperture from that of the coded image, in pixels, positive
  /// downward.
  package var verticalOffset: Offset

  package init(width: Size, height: Size, horizontalOffset: Offset, verticalOffset: Offset) {
    self.width = width
    self.height = height
    self.horizontalOffset = horizontalOffset
    self.verticalOffset = verticalOffset
  }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    width = Size(try reader.readBigEndian(), over: try reader.readBigEndian())
    height = Size(try reader.readBigEndian(), over: try reader.readBigEndian())
    horizontalOffset = Offset(try reader.readBigEndian(), over: try reader.readBigEndian())
    verticalOffset = Offset(try reader.readBigEndian(), over: try reader.readBigEndian())
  }

  package func write(to writer: inout ByteWriter) {
    for size in [width, height] {
      writer.writeBigEndian(size.numerator)
      writer.writeBigEndian(size.denominator)
    }
    for offset in [horizontalOffset, verticalOffset] {
      writer.writeBigEndian(offset.numerator)
      writer.writeBigEndian(offset.denominator)
    }
  }
}

/// Rotation of an image for display by multiples of 90 degrees (`irot`).
///
/// Source: ISO/IEC 23008-12, 6.5.10.
package struct ImageRotationBox: BoxContent {
  package static let boxType: FourCC = "irot"

  /// Number of 90-degree rotations anticlockwise, 0...3.
  package var quarterTurns: UInt8

  /// Creates a rotation; only the two low bits of `quarterTurns` are used.
  package init(quarterTurns: UInt8) { self.quarterTurns = quarterTurns & 3 }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    quarterTurns = try reader.readBigEndian() & 3
  }

  package func write(to writer: inout ByteWriter) { writer.writeBigEndian(quarterTurns & 3) }
}

/// Mirroring of an image (`imir`).
///
/// Source: ISO/IEC 23008-12:2022, 6.5.12; old software interpreted the wording of the first edition
/// the opposite way.
package struct ImageMirrorBox: BoxContent {
  package static let boxType: FourCC = "imir"

  /// Sides that are exchanged.
  package enum Exchange: UInt8, Hashable, Sendable {
    /// axis 0: the first row becomes the last one.
    case topAndBottom = 0
    /// axis 1: the first column becomes the last one.
    case leftAndRight = 1
  }

  /// The sides that are exchanged for display.
  package var exchange: Exchange

  package init(_ exchange: Exchange) { self.exchange = exchange }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    let axis: UInt8 = try reader.readBigEndian()
    exchange = axis & 1 == 0 ? .topAndBottom : .leftAndRight
  }

  package func write(to writer: inout ByteWriter) { writer.writeBigEndian(exchange.rawValue) }
}
