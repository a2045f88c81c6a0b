// SPDX-License-Identifier: Apache-2.0
package import HDRCore

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
