// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Operating point to decode of a scalable AV1 image (`a1op`).
///
/// Source: AV1 Image File Format, 2.3.2.1.
package struct AV1OperatingPointBox: BoxContent {
  package static let boxType: FourCC = "a1op"

  /// Index of the operating point to decode, 0...31.
  package var index: UInt8

  package init(index: UInt8) { self.index = index }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    index = try reader.readBigEndian()
  }

  package func write(to writer: inout ByteWriter) { writer.writeBigEndian(index) }
}
