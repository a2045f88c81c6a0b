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

/// Bits per channel of the reconstructed image (`pixi`).
///
/// Source: ISO/IEC 23008-12, 6.5.6.
package struct PixelInformationBox: BoxContent {
  package static let boxType: FourCC = "pixi"

  /// Bits of each channel, in the order of the channels; at most 255 channels.
  package var bitsPerChannel: [UInt8]

  package init(bitsPerChannel: [UInt8]) { self.bitsPerChannel = bitsPerChannel }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    try FullBoxHeader(parsing: &reader).require(version: 0...0, reader)
    let count: UInt8 = try reader.readBigEndian()
    bitsPerChannel = try reader.readBytes(Int(count))
  }

  package func write(to writer: inout ByteWriter) {
    FullBoxHeader().write(to: &writer)
    writer.writeBigEndian(UInt8(bitsPerChannel.count))
    writer.write(bitsPerChannel)
  }
}

/// Relative width and height of a pixel (`pasp`); square if both are equal.
///
/// Source: ISO/IEC 14496-12, 12.1.4; ISO/IEC 23008-12, 6.5.4.
package struct PixelAspectRatioBox: BoxContent {
  package static let boxType: FourCC = "pasp"

  /// Relative width of a pixel.
  package var horizontalSpacing: UInt32
  /// Relative height of a pixel.
  package var verticalSpacing: UInt32

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    horizontalSpacing = try reader.readBigEndian()
    verticalSpacing = try reader.readBigEndian()
  }

  package func write(to writer: inout ByteWriter) {
    writer.writeBigEndian(horizontalSpacing)
    writer.writeBigEndian(verticalSpacing)
  }
}
