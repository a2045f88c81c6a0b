// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Spatial layer of a coded image to display (`lsel`).
///
/// Source: ISO/IEC 23008-12, 6.5.11.
package struct LayerSelectorBox: BoxContent {
  package static let boxType: FourCC = "lsel"

  /// Identifier of the layer; 0xFFFF for progressive display of all layers.
  package var layerID: UInt16

  /// The layer to decode; `nil` for all of them.
  package var layer: Int? { layerID == 0xFFFF ? nil : Int(layerID) }

  package init(layerID: UInt16) { self.layerID = layerID }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    layerID = try reader.readBigEndian()
  }

  package func write(to writer: inout ByteWriter) { writer.writeBigEndian(layerID) }
}
