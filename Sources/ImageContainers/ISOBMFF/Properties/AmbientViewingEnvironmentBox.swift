package import HDRCore

/// The light where a picture is meant to be viewed.
///
/// Source: ISO/IEC 14496-12, 12.1.9; ISO/IEC 23008-12, 6.5.36.
public struct AmbientViewingEnvironmentBox: BoxContent {
  package static let boxType: FourCC = "amve"

  /// Steps of 0.0001 lux; not 0.
  public var illuminance: UInt32
  /// Steps of 0.00002.
  public var lightX: UInt16
  /// Steps of 0.00002.
  public var lightY: UInt16

  public init(illuminance: UInt32, lightX: UInt16, lightY: UInt16) {
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
