// SPDX-License-Identifier: Apache-2.0
package import GainMap
package import HDRCore
internal import ImageCodecs
package import ImageFiles

/// Checks whether one image can be the gain map of another, by their headers.
package enum GainMapShape {
  /// The orientation that makes the samples of a gain map like the stored samples of its baseline
  /// image, to which it is applied, and with which it is rotated.
  ///
  /// - Parameters:
  ///   - base: The file of the baseline image.
  ///   - map: The file whose image becomes the gain map; without an orientation of its own, the
  ///     metadata or the baseline image specify it.
  ///   - metadata: Metadata of the gain map.
  /// - Returns: The orientation; upright if both are alike.
  package static func rotation(
    base: FileContents, map: FileContents, _ metadata: FoundGainMap?
  ) -> Orientation {
    let stored = base.primary.orientation
    let own = map.primary.orientation
    let orientation = own == .upright ? metadata?.orientation ?? stored : own
    return orientation.followed(by: stored.inverse)
  }

  /// Compares shapes and orientations of a baseline image and a gain map.
  ///
  /// - Parameters:
  ///   - base: The file of the baseline image.
  ///   - map: The file whose image becomes the gain map.
  ///   - metadata: Metadata of the gain map.
  ///   - isRotated: Whether the gain map is rotated like the baseline image.
  /// - Returns: Notices about differences, which no standard forbids.
  package static func notices(
    base: FileContents, map: FileContents, _ metadata: FoundGainMap? = nil, isRotated: Bool = false
  ) -> [Notice] {
    let rotation = rotation(base: base, map: map, metadata)
    let size = base.primary.storedSize
    var mapSize = map.primary.storedSize
    if isRotated, rotation.swapsSides { mapSize = (mapSize.height, mapSize.width) }
    var notices: [Notice] = []
    if !isScaled(size, to: mapSize) {
      let isRotated = isScaled((size.height, size.width), to: mapSize)
      notices.append(
        Notice(
          isRotated ? .gainMapShapeRotated : .gainMapShapeDiffers,
          ["map": .size(mapSize.width, mapSize.height), "base": .size(size.width, size.height)]))
    }
    if rotation != .upright, !isRotated {
      let orientation = base.primary.orientation
      notices.append(
        Notice(
          .gainMapOrientationDiffers,
          [
            "map": rotation.followed(by: orientation).rawValue, "base": orientation.rawValue,
          ]))
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
