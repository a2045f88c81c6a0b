// SPDX-License-Identifier: Apache-2.0
internal import GainMap
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

extension GainMapImage {
  /// Returns the gain map with one component if all three are equal; `nil` if it has one component, or
  /// if samples or metadata of the components differ.
  ///
  /// Some cameras encode gray gain maps as Y'CbCr with neutral chroma.
  ///
  /// - Throws: `.cancelled`.
  func withOneComponent() throws(ImageError) -> GainMapImage? {
    guard !isGray, !metadata.isApple, metadata.collapsed.channels.all.count == 1
    else { return nil }
    let codes = try codes()
    guard case .integer(let planes) = codes.planes,
      planes.dropFirst().allSatisfy({ $0 == planes[0] })
    else { return nil }
    var layout = codes.layout
    layout.components = .gray
    return GainMapImage(
      ImagePlanes(layout: layout, planes: .integer([planes[0]])), metadata: metadata,
      alternatePrimaries: alternatePrimaries)
  }
}

/// Difference between the gains of two gain maps of the same size.
struct LogGainDifference {
  /// Largest difference of a sample, in stops.
  private(set) var worst = 0.0
  /// Mean of the differences, in stops.
  private(set) var mean = 0.0

  /// Compares sample by sample.
  ///
  /// - Throws: `.codecFailure` for gain maps of different sizes, an error of encoder or decoder;
  ///   `.cancelled`.
  init(_ codes: ImagePlanes, metadata: GainMapMetadata, _ map: GainMapImage) throws(ImageError) {
    let others = try map.codes()
    guard case .integer(let ours) = codes.planes, case .integer(let theirs) = others.planes,
      case .integer(let bits) = codes.layout.samples,
      case .integer(let otherBits) = others.layout.samples,
      ours[0].width == theirs[0].width, ours[0].height == theirs[0].height
    else {
      throw ImageError(.codecFailure, "the encoded gain map has a different size after decoding")
    }
    let count = max(ours.count, theirs.count)
    var sum = 0.0
    for component in 0..<count {
      let tables = (
        metadata.table(bits: bits, component: component),
        map.metadata.table(bits: otherBits, component: component)
      )
      let (left, right) = (
        ours[min(component, ours.count - 1)], theirs[min(component, theirs.count - 1)]
      )
      let (old, new) = (left.span, right.span)
      for index in old.indices {
        let difference = abs(tables.0[Int(old[index])] - tables.1[Int(new[index])])
        worst = max(worst, difference)
        sum += difference
      }
    }
    mean = sum / Double(count * ours[0].width * ours[0].height)
  }
}

extension GainMapMetadata {
  fileprivate func table(bits: Int, component: Int) -> [Double] {
    let largest = Double(1 << bits - 1)
    return (0..<1 << bits).map { logGain(ofSample: Double($0) / largest, component: component) }
  }
}
