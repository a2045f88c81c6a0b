// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Width and height of a coded or derived image, before cropping and rotation (`ispe`).
///
/// Source: ISO/IEC 23008-12, 6.5.3.
package struct ImageSpatialExtentsBox: BoxContent {
  package static let boxType: FourCC = "ispe"

  /// Width of the image before its transformations, in pixels.
  package var width: UInt32
  /// Height of the image before its transformations, in pixels.
  package var height: UInt32

  package init(width: UInt32, height: UInt32) {
    self.width = width
    self.height = height
  }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    try FullBoxHeader(parsing: &reader).require(version: 0...0, reader)
    width = try reader.readBigEndian()
    height = try reader.readBigEndian()
  }

  package func write(to writer: inout ByteWriter) {
    FullBoxHeader().write(to: &writer)
    writer.writeBigEndian(width)
    writer.writeBigEndian(height)
  }
}
