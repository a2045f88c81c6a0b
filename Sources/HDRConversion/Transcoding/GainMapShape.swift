// SPDX-License-Identifier: Apache-2.0
package import HDRCore
internal import ImageCodecs
package import ImageFiles

/// Checks whether one image can be the gain map of another, by their headers.
package enum GainMapShape {
  /// Compares shapes and orientations of a baseline image and a gain map.
  ///
  /// A gain map is applied to the stored samples of its baseline image, and rotated with it.
  ///
  /// - Parameters:
  ///   - base: The file of the baseline image.
  ///   - map: The file whose image becomes the gain map.
  /// - Returns: Notices about differences, which no standard forbids.
  package static func notices(
    base: FileContents, map: FileContents
  ) -> [Notice] {
    let (size, mapSize) = (base.primary.storedSize, map.primary.storedSize)
    var notices: [Notice] = []
    if !isScaled(size, to: mapSize) {
      let isRotated = isScaled((size.height, size.width), to: mapSize)
      notices.append(
        Notice(
          isRotated ? .gainMapShapeRotated : .gainMapShapeDiffers,
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

  /// Whether both sides have the same scale, within a sample.
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
  /// Rejects an image that no reader accepts as a baseline image or a gain map.
  ///
  /// - Throws: `.unsupported` for CMYK.
  package func rejectCMYK() throws(ImageError) {
    if primary.isCMYK { throw .cmyk }
  }
}

extension FileImage {
  /// Size as shown, without the orientation.
  fileprivate var storedSize: (width: Int, height: Int) {
    orientation.swapsSides ? (shownSize.height, shownSize.width) : shownSize
  }
}
