// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Mirroring of an image (`imir`).
///
/// Source: ISO/IEC 23008-12:2022, 6.5.12; old software interpreted the wording of the first edition
/// the opposite way.
package struct ImageMirrorBox: BoxContent {
  package static let boxType: FourCC = "imir"

  /// Sides that are exchanged.
  package enum Exchange: UInt8, Hashable, Sendable {
    /// axis 0: the first row becomes the last one.
    case topAndBottom = 0
    /// axis 1: the first column becomes the last one.
    case leftAndRight = 1
  }

  /// The sides that are exchanged for display.
  package var exchange: Exchange

  package init(_ exchange: Exchange) { self.exchange = exchange }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    let axis: UInt8 = try reader.readBigEndian()
    exchange = axis & 1 == 0 ? .topAndBottom : .leftAndRight
  }

  package func write(to writer: inout ByteWriter) { writer.writeBigEndian(exchange.rawValue) }
}
