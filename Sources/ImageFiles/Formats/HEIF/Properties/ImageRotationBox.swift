// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Rotation of an image for display by multiples of 90 degrees (`irot`).
///
/// Source: ISO/IEC 23008-12, 6.5.10.
package struct ImageRotationBox: BoxContent {
  package static let boxType: FourCC = "irot"

  /// Number of 90-degree rotations anticlockwise, 0...3.
  package var quarterTurns: UInt8

  /// Creates a rotation; only the two low bits of `quarterTurns` are used.
  package init(quarterTurns: UInt8) { self.quarterTurns = quarterTurns & 3 }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    quarterTurns = try reader.readBigEndian() & 3
  }

  package func write(to writer: inout ByteWriter) { writer.writeBigEndian(quarterTurns & 3) }
}
