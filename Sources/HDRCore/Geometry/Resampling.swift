/// A part of an image's stored rows and columns, at another size.
public struct Resampling: Hashable, Sendable {
  /// Part of the stored image that is kept; pixels outside have no influence.
  public let part: PixelRectangle
  /// Columns of the result.
  public let width: Int
  /// Rows of the result.
  public let height: Int
  /// Columns and rows of the part that the result shows; they may begin and end within a pixel.
  let columns: Range<Double>
  let rows: Range<Double>

  /// Plans to show all of a part.
  ///
  /// - Parameters:
  ///   - part: Of the stored image.
  ///   - width: Of the result.
  ///   - height: Of the result.
  ///
  /// Transforms throw for a part that is not inside their image, and for sizes below 1.
  public init(part: PixelRectangle, width: Int, height: Int) {
    (self.part, self.width, self.height) = (part, width, height)
    columns = 0..<Double(max(part.width, 0))
    rows = 0..<Double(max(part.height, 0))
  }

  /// The same for an image of another size that shows the same, such as a gain map: its samples
  /// lie where they did on the image, wherever the part begins and ends.
  ///
  /// - Parameters:
  ///   - picture: Size of the stored image that this resampling is for.
  ///   - companion: Size of the other one, as stored.
  /// - Returns: A result whose samples are as dense on the image's as they were, rounded.
  package func following(
    picture: (width: Int, height: Int), companion: (width: Int, height: Int)
  ) -> Resampling {
    let across = Double(companion.width) / Double(picture.width)
    let down = Double(companion.height) / Double(picture.height)
    func span(_ start: Int, _ count: Int, _ ratio: Double, _ end: Int) -> Range<Double> {
      Double(start) * ratio..<min(Double(start + count) * ratio, Double(end))
    }
    return Resampling(
      part: PixelRectangle(x: 0, y: 0, width: companion.width, height: companion.height),
      width: max(Int((Double(width) * across).rounded()), 1),
      height: max(Int((Double(height) * down).rounded()), 1),
      columns: span(part.x, part.width, across, companion.width),
      rows: span(part.y, part.height, down, companion.height))
  }

  private init(
    part: PixelRectangle, width: Int, height: Int, columns: Range<Double>, rows: Range<Double>
  ) {
    (self.part, self.width, self.height) = (part, width, height)
    (self.columns, self.rows) = (columns, rows)
  }

  /// Whether the samples of an image of this size stay as they are.
  public func isIdentity(forWidth width: Int, height: Int) -> Bool {
    self
      == Resampling(
        part: PixelRectangle(x: 0, y: 0, width: width, height: height), width: width, height: height
      )
  }
}
