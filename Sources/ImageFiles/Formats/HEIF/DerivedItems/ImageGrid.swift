// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The body of a `grid` item: tiles of equal size in rows and columns, cropped to the output size.
///
/// The tiles are the items that the grid refers to by `dimg`, row by row.
///
/// Source: ISO/IEC 23008-12, 6.6.2.3.
package struct ImageGrid: Hashable, Sendable {
  /// Number of rows, 1...256.
  package var rows: Int
  /// Number of columns, 1...256.
  package var columns: Int
  /// Width of the reconstructed image, in pixels; not checked against the tiles.
  package var width: UInt32
  /// Height of the reconstructed image, in pixels; not checked against the tiles.
  package var height: UInt32

  /// Creates a grid.
  ///
  /// - Precondition: `rows` and `columns` are in 1...256.
  package init(rows: Int, columns: Int, width: UInt32, height: UInt32) {
    precondition((1...256).contains(rows) && (1...256).contains(columns), "1...256 rows, columns")
    self.rows = rows
    self.columns = columns
    self.width = width
    self.height = height
  }

  /// Parses the body of an item; further bytes are ignored.
  ///
  /// - Parameter bytes: Data of the item; see `HEIFFile.data(of:)`.
  /// - Throws: `.truncated`, or `.unsupported` for a version other than 0.
  package init(parsing bytes: [UInt8]) throws(ImageError) {
    var reader = ByteReader(bytes.span)
    do throws(ImageError) {
      let version: UInt8 = try reader.readBigEndian()
      guard version == 0 else {
        throw reader.error(.unsupportedValue, ["field": "version of the grid", "value": version])
      }
      let flags: UInt8 = try reader.readBigEndian()
      rows = Int(try reader.readBigEndian(as: UInt8.self)) + 1
      columns = Int(try reader.readBigEndian(as: UInt8.self)) + 1
      let size = flags & 1 == 1 ? 4 : 2
      width = UInt32(truncatingIfNeeded: try reader.readUnsigned(bytes: size))
      height = UInt32(truncatingIfNeeded: try reader.readUnsigned(bytes: size))
    } catch {
      throw error.inside("grid")
    }
  }

  /// Serialized body of the item.
  package var bytes: [UInt8] {
    let isWide = max(width, height) > UInt16.max
    var writer = ByteWriter()
    writer.write([0, isWide ? 1 : 0, UInt8(rows - 1), UInt8(columns - 1)])
    writer.writeUnsigned(UInt64(width), bytes: isWide ? 4 : 2)
    writer.writeUnsigned(UInt64(height), bytes: isWide ? 4 : 2)
    return writer.bytes
  }
}
