// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension HEIFFile {
  /// Parses the body of a `grid` item; further data of the item are not read.
  ///
  /// - Throws: Errors of `data(of:)` and of `ImageGrid`.
  package func grid(of id: UInt32) throws(ImageError) -> ImageGrid {
    // Version, flags, rows, columns and two sizes of up to four bytes.
    try withData(of: id, prefix: 12) { bytes throws(ImageError) in try ImageGrid(parsing: bytes) }
  }

  /// Parses the body of an `iovl` item; further data of the item are not read.
  ///
  /// - Parameters:
  ///   - id: Identifier of the item.
  ///   - count: Number of images that the item refers to.
  /// - Returns: The overlay.
  /// - Throws: Errors of `data(of:)` and of `ImageOverlay`.
  package func overlay(of id: UInt32, count: Int) throws(ImageError) -> ImageOverlay {
    // Version, flags, four components, and sizes and positions of up to four bytes.
    try withData(of: id, prefix: 18 + 8 * count) { bytes throws(ImageError) in
      try ImageOverlay(parsing: bytes, count: count)
    }
  }
}
