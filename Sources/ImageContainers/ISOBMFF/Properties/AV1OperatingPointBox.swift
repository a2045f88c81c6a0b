public import HDRCore

/// Which operating point of a scalable AV1 picture is meant.
///
/// Source: AV1 Image File Format, 2.3.2.1.
public struct AV1OperatingPointBox: BoxContent {
  public static let boxType: FourCC = "a1op"

  public var index: UInt8

  public init(index: UInt8) { self.index = index }

  @_lifetime(reader: copy reader)
  public init(parsing reader: inout ByteReader) throws(ImageError) {
    index = try reader.readBigEndian()
  }

  public func write(to writer: inout ByteWriter) { writer.writeBigEndian(index) }
}
