public import HDRCore

/// A turn by quarter circles.
///
/// Source: ISO/IEC 23008-12, 6.5.10.
public struct ImageRotationBox: BoxContent {
  public static let boxType: FourCC = "irot"

  /// Quarter turns anticlockwise, 0...3.
  public var quarterTurns: UInt8

  public init(quarterTurns: UInt8) { self.quarterTurns = quarterTurns & 3 }

  @_lifetime(reader: copy reader)
  public init(parsing reader: inout ByteReader) throws(ImageError) {
    quarterTurns = try reader.readBigEndian() & 3
  }

  public func write(to writer: inout ByteWriter) { writer.writeBigEndian(quarterTurns & 3) }
}
