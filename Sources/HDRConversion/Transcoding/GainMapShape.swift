// SPDX-License-Identifier: Apache-2.0
package import HDRCore
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

  /// Compares the shapes of a baseline image and a gain map that is rotated like it.
  ///
  /// - Parameters:
  ///   - base: The file of the baseline image.
  ///   - map: The file whose image becomes the gain map.
  ///   - metadata: Metadata of the gain map.
  /// - Returns: A notice about a difference, which no standard forbids; `nil` without one.
  package static func notice(
    base: FileContents, map: FileContents, _ metadata: FoundGainMap? = nil
  ) -> Notice? {
    let size = base.primary.storedSize
    var mapSize = map.primary.storedSize
    if rotation(base: base, map: map, metadata).swapsSides {
      mapSize = (mapSize.height, mapSize.width)
    }
    guard !isScaled(size, to: mapSize) else { return nil }
    let isRotated = isScaled((size.height, size.width), to: mapSize)
    return Notice(
      isRotated ? .gainMapShapeRotated : .gainMapShapeDiffers,
      ["map": .size(mapSize.width, mapSize.height), "base": .size(size.width, size.height)])
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
    orientation.swapsSides ? (uprightSize.height, uprightSize.width) : uprightSize
  }
}
