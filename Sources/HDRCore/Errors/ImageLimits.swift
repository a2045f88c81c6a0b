/// What an untrusted file may cost.
///
/// Checked before anything is allocated.
public struct ImageLimits: Hashable, Sendable {
  /// Pixels of one picture.
  public var pixels: Int
  /// Width or height of one picture.
  public var side: Int
  /// Bytes of memory for one allocation that the file's header asks for.
  public var memory: Int
  /// Items, properties, segments, chunks or directory entries of one file.
  public var items: Int
  /// Depth of nested structures.
  public var nesting: Int

  public init(
    pixels: Int = 1 << 29, side: Int = 1 << 16, memory: Int = 8 << 30, items: Int = 1 << 16,
    nesting: Int = 32
  ) {
    self.pixels = pixels
    self.side = side
    self.memory = memory
    self.items = items
    self.nesting = nesting
  }

  /// Fails unless a picture of this size may be decoded.
  ///
  /// - Throws: `.malformed` for an empty picture, `.limitExceeded` for one that is too large.
  public func check(width: Int, height: Int) throws(ImageError) {
    guard width > 0, height > 0 else {
      throw ImageError(.malformed, "a picture of \(width)x\(height) pixels")
    }
    let (area, overflow) = width.multipliedReportingOverflow(by: height)
    guard width <= side, height <= side, !overflow, area <= pixels else {
      throw ImageError(
        .limitExceeded, "\(width)x\(height) pixels; the limit is \(pixels) pixels, \(side) a side",
        remedy: "raise --max-pixels if you trust this file")
    }
  }
}
