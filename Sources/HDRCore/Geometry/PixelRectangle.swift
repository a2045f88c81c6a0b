// SPDX-License-Identifier: Apache-2.0
/// A rectangle of pixels, relative to the top left corner of an image; its numbers are not checked.
public struct PixelRectangle: Codable, Hashable, Sendable {
  /// Column of the left edge.
  public var x: Int
  /// Row of the top edge.
  public var y: Int
  /// Number of columns.
  public var width: Int
  /// Number of rows.
  public var height: Int

  public init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// Whether this is a nonempty rectangle inside an image of this size.
  package func lies(inWidth width: Int, height: Int) -> Bool {
    let columns = x.addingReportingOverflow(self.width)
    let rows = y.addingReportingOverflow(self.height)
    return x >= 0 && y >= 0 && self.width > 0 && self.height > 0
      && !columns.overflow && !rows.overflow
      && columns.partialValue <= width && rows.partialValue <= height
  }

  /// This rectangle with a margin, inside an image of this size.
  func expanded(by margin: Int, inWidth width: Int, height: Int) -> PixelRectangle {
    let (left, top) = (max(x - margin, 0), max(y - margin, 0))
    return PixelRectangle(
      x: left, y: top, width: min(x + self.width + margin, width) - left,
      height: min(y + self.height + margin, height) - top)
  }

  /// The same rectangle in stored rows and columns.
  ///
  /// - Parameters:
  ///   - orientation: Orientation of the image; this rectangle is in the upright image.
  ///   - width: Width of the stored image.
  ///   - height: Height of the stored image.
  /// - Returns: The rectangle in stored rows and columns.
  func stored(from orientation: Orientation, width: Int, height: Int) -> PixelRectangle {
    let corner = orientation.storedPosition(x: x, y: y, width: width, height: height)
    let opposite = orientation.storedPosition(
      x: x + self.width - 1, y: y + self.height - 1, width: width, height: height)
    return PixelRectangle(
      x: min(corner.x, opposite.x), y: min(corner.y, opposite.y),
      width: abs(corner.x - opposite.x) + 1, height: abs(corner.y - opposite.y) + 1)
  }
}
