package import HDRCore

/// Which spatial layer of a coded picture is meant.
///
/// Source: ISO/IEC 23008-12, 6.5.11.
public struct LayerSelectorBox: BoxContent {
  package static let boxType: FourCC = "lsel"

  /// 0xFFFF for all layers, shown progressively.
  public var layerID: UInt16

  public init(layerID: UInt16) { self.layerID = layerID }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    layerID = try reader.readBigEndian()
  }

  package func write(to writer: inout ByteWriter) { writer.writeBigEndian(layerID) }
}
