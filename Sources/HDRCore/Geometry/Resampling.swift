/// A part of a picture's stored rows and columns, at another size.
public struct Resampling: Hashable, Sendable {
  public let part: PixelRectangle
  public let width: Int
  public let height: Int

  /// Plans it.
  ///
  /// - Parameters:
  ///   - part: What is left of the stored picture; light beside it has no influence.
  ///   - width: Of the result.
  ///   - height: Of the result.
  public init(part: PixelRectangle, width: Int, height: Int) {
    (self.part, self.width, self.height) = (part, width, height)
  }

  /// Whether the samples of a picture of this size stay as they are.
  public func isIdentity(forWidth width: Int, height: Int) -> Bool {
    self == Resampling(
      part: PixelRectangle(x: 0, y: 0, width: width, height: height), width: width, height: height)
  }
}
