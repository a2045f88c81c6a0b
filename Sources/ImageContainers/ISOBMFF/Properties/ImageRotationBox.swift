package import HDRCore

/// A turn by quarter circles.
///
/// Source: ISO/IEC 23008-12, 6.5.10.
public struct ImageRotationBox: BoxContent {
  package static let boxType: FourCC = "irot"

  /// Quarter turns anticlockwise, 0...3.
  public var quarterTurns: UInt8

  /// A rotation; only the two low bits of the number count.
  public init(quarterTurns: UInt8) { self.quarterTurns = quarterTurns & 3 }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    quarterTurns = try reader.readBigEndian() & 3
  }

  package func write(to writer: inout ByteWriter) { writer.writeBigEndian(quarterTurns & 3) }
}
