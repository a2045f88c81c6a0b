public import HDRCore

/// Which spatial layer of a coded picture is meant.
///
/// Source: ISO/IEC 23008-12, 6.5.11.
public struct LayerSelectorBox: BoxContent {
  public static let boxType: FourCC = "lsel"

  /// 0xFFFF for all layers, shown progressively.
  public var layerID: UInt16

  public init(layerID: UInt16) { self.layerID = layerID }

  @_lifetime(reader: copy reader)
  public init(parsing reader: inout ByteReader) throws(ImageError) {
    layerID = try reader.readBigEndian()
  }

  public func write(to writer: inout ByteWriter) { writer.writeBigEndian(layerID) }
}
