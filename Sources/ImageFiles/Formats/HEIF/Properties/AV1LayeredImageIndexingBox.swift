// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Sizes of the layers of a layered AV1 image (`a1lx`).
///
/// Source: AV1 Image File Format, 2.3.2.3.
package struct AV1LayeredImageIndexingBox: BoxContent {
  package static let boxType: FourCC = "a1lx"

  /// Sizes of the first three layers in bytes, 0 for none; other bytes belong to the last layer.
  package var layerSizes: [UInt32]
  private var hasLargeSizes: Bool

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    hasLargeSizes = try reader.readBigEndian(as: UInt8.self) & 1 == 1
    layerSizes = []
    for _ in 0..<3 {
      layerSizes.append(
        UInt32(truncatingIfNeeded: try reader.readUnsigned(bytes: hasLargeSizes ? 4 : 2)))
    }
  }

  package func write(to writer: inout ByteWriter) {
    writer.writeBigEndian(UInt8(hasLargeSizes ? 1 : 0))
    for size in layerSizes { writer.writeUnsigned(UInt64(size), bytes: hasLargeSizes ? 4 : 2) }
  }
}
