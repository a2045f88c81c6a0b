// SPDX-License-Identifier: Apache-2.0
/// A rectangle of an image in stored rows and columns, and its new size in pixels.
public struct Resampling: Hashable, Sendable {
  /// Rectangle of the stored image; pixels outside do not influence the result.
  public let part: PixelRectangle
  /// Width of the result.
  public let width: Int
  /// Height of the result.
  public let height: Int
  /// Columns and rows of the part that the result covers; fractions of pixels are possible.
  package let columns: Range<Double>
  package let rows: Range<Double>

  /// Prepares a resampling that covers the whole part.
  ///
  /// Nothing is checked here: transforms throw for a part that is not inside their image, and for
  /// sizes below 1.
  ///
  /// - Parameters:
  ///   - part: Rectangle of the stored image.
  ///   - width: Width of the result.
  ///   - height: Height of the result.
  public init(part: PixelRectangle, width: Int, height: Int) {
    (self.part, self.width, self.height) = (part, width, height)
    columns = 0..<Double(max(part.width, 0))
    rows = 0..<Double(max(part.height, 0))
  }

  /// The same part in another size.
  package func resized(width: Int, height: Int) -> Resampling {
    Resampling(part: part, width: width, height: height, columns: columns, rows: rows)
  }

  /// The corresponding resampling of a companion image of another size, such as a gain map.
  ///
  /// The samples of the companion stay at their positions on the image for any bounds of the part.
  ///
  /// - Parameters:
  ///   - image: Stored size of the image of this resampling.
  ///   - companion: Stored size of the companion.
  /// - Returns: A resampling that keeps the ratio of the two resolutions, rounded to whole samples.
  package func following(
    image: (width: Int, height: Int), companion: (width: Int, height: Int)
  ) -> Resampling {
    let across = Double(companion.width) / Double(image.width)
    let down = Double(companion.height) / Double(image.height)
    func span(_ start: Int, _ count: Int, _ ratio: Double, _ end: Int) -> Range<Double> {
      Double(start) * ratio..<min(Double(start + count) * ratio, Double(end))
    }
    return Resampling(
      part: PixelRectangle(x: 0, y: 0, width: companion.width, height: companion.height),
      width: max(Int(clamping: (Double(width) * across).rounded()), 1),
      height: max(Int(clamping: (Double(height) * down).rounded()), 1),
      columns: span(part.x, part.width, across, companion.width),
      rows: span(part.y, part.height, down, companion.height))
  }

  /// The rest of this resampling of an image that was reduced by a factor, sides rounded up.
  ///
  /// - Parameters:
  ///   - factor: The factor.
  ///   - width: Stored width of the image before.
  ///   - height: Stored height of the image before.
  ///   - leastRest: The least factor of the rest.
  /// - Returns: The rest; `nil` if its factor would be less, or the edges of the part are not those of the
  ///   image or of reduced pixels.
  func reduced(by factor: Int, width: Int, height: Int, leaving leastRest: Double) -> Resampling? {
    guard part.lies(inWidth: width, height: height),
      leastRest * Double(factor * self.width) <= Double(part.width),
      leastRest * Double(factor * self.height) <= Double(part.height),
      part.x % factor == 0, part.y % factor == 0,
      part.x + part.width == width || part.width % factor == 0,
      part.y + part.height == height || part.height % factor == 0
    else { return nil }
    func scaled(_ span: Range<Double>) -> Range<Double> {
      span.lowerBound / Double(factor)..<span.upperBound / Double(factor)
    }
    return Resampling(
      part: PixelRectangle(
        x: part.x / factor, y: part.y / factor, width: (part.width - 1) / factor + 1,
        height: (part.height - 1) / factor + 1),
      width: self.width, height: self.height, columns: scaled(columns), rows: scaled(rows))
  }

  /// Prepares a resampling whose result covers some columns and rows of the part.
  package init(
    part: PixelRectangle, width: Int, height: Int, columns: Range<Double>, rows: Range<Double>
  ) {
    (self.part, self.width, self.height) = (part, width, height)
    (self.columns, self.rows) = (columns, rows)
  }

  /// Whether this resampling leaves an image of this stored size unchanged.
  public func isIdentity(forWidth width: Int, height: Int) -> Bool {
    self
      == Resampling(
        part: PixelRectangle(x: 0, y: 0, width: width, height: height), width: width, height: height
      )
  }
}
