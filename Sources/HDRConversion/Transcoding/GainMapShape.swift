public import HDRCore
internal import ImageCodecs
public import ImageFiles

/// Whether one picture can be the gain map of another, as far as their headers tell.
public enum GainMapShape {
  /// Looks at a base and a map that are about to come into one file.
  ///
  /// A map is laid over its base as both are stored, and turned with it.
  ///
  /// - Parameters:
  ///   - base: The base's file.
  ///   - map: The file whose picture becomes the map.
  /// - Returns: What does not fit; no standard forbids it.
  public static func notices(
    base: FileContents, map: FileContents
  ) -> [Notice] {
    let (size, mapSize) = (base.primary.unturnedSize, map.primary.unturnedSize)
    var notices: [Notice] = []
    if !isScaled(size, to: mapSize) {
      let isTurned = isScaled((size.height, size.width), to: mapSize)
      notices.append(
        Notice(
          isTurned ? .gainMapShapeRotated : .gainMapShapeDiffers,
          ["map": .size(mapSize.width, mapSize.height), "base": .size(size.width, size.height)]))
    }
    let (orientation, mapOrientation) = (base.primary.orientation, map.primary.orientation)
    if mapOrientation != orientation, mapOrientation != .upright {
      notices.append(
        Notice(
          .gainMapOrientationDiffers,
          ["map": mapOrientation.rawValue, "base": orientation.rawValue]))
    }
    return notices
  }

  /// Whether sides are divided by one number, but for rounding: whatever it is, no side is more than a
  /// sample off.
  static func isScaled(
    _ size: (width: Int, height: Int), to small: (width: Int, height: Int)
  ) -> Bool {
    func scales(_ side: Int, _ part: Int) -> ClosedRange<Double> {
      let largest = part > 1 ? Double(side) / Double(part - 1) : .infinity
      return Double(side) / Double(part + 1)...largest
    }
    return scales(size.width, small.width).overlaps(scales(size.height, small.height))
  }
}

extension FileContents {
  /// Refuses a picture that no reader takes as a base or a gain map.
  ///
  /// - Throws: `.unsupported` for CMYK.
  public func rejectCMYK() throws(ImageError) {
    if primary.isCMYK { throw .cmyk }
  }
}

extension FileImage {
  /// As it is shown, but for its orientation.
  fileprivate var unturnedSize: (width: Int, height: Int) {
    orientation.swapsSides ? (shownSize.height, shownSize.width) : shownSize
  }
}
