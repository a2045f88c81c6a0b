// SPDX-License-Identifier: Apache-2.0

extension Orientation {
  /// Position of the sample at (x, y) of the upright image in the stored one, `width` x `height`.
  package func storedPosition(x: Int, y: Int, width: Int, height: Int) -> (x: Int, y: Int) {
    switch self {
    case .upright: (x, y)
    case .mirrored: (width - 1 - x, y)
    case .rotated180: (width - 1 - x, height - 1 - y)
    case .flipped: (x, height - 1 - y)
    case .transposed: (y, x)
    case .rotated90: (y, height - 1 - x)
    case .transversed: (width - 1 - y, height - 1 - x)
    case .rotated270: (width - 1 - y, x)
    }
  }
}

extension ImageLayout {
  /// The layout of the upright image: width and height are swapped if the orientation swaps them.
  public func upright(from orientation: Orientation) -> ImageLayout {
    var format = self
    if orientation.swapsSides { (format.width, format.height) = (height, width) }
    return format
  }

  func hasSize(of other: ImageLayout) -> Bool { (width, height) == (other.width, other.height) }
}

extension Plane {
  /// Returns the plane with upright rows and columns.
  package func upright(from orientation: Orientation) -> Plane<Sample> {
    guard orientation != .upright else { return self }
    let size = orientation.swapsSides ? (height, width) : (width, height)
    let samples = span
    return Plane(width: size.0, height: size.1) { output in
      for y in 0..<size.1 {
        for x in 0..<size.0 {
          let stored = orientation.storedPosition(x: x, y: y, width: width, height: height)
          output.append(samples[stored.y * width + stored.x])
        }
      }
    }
  }
}

extension ImagePlanes {
  /// Returns the image with upright rows and columns.
  ///
  /// - Precondition: Chroma is not subsampled, because its location would rotate.
  package func upright(from orientation: Orientation) -> ImagePlanes {
    precondition(layout.chroma == .yuv444 || layout.chroma == .yuv400)
    let format = layout.upright(from: orientation)
    switch planes {
    case .integer(let planes):
      let rotated = planes.map { $0.upright(from: orientation) }
      return ImagePlanes(layout: format, planes: .integer(rotated))
    case .float(let planes):
      let rotated = planes.map { $0.upright(from: orientation) }
      return ImagePlanes(layout: format, planes: .float(rotated))
    case .half(let planes):
      let rotated = planes.map { $0.upright(from: orientation) }
      return ImagePlanes(layout: format, planes: .half(rotated))
    }
  }
}

/// Indices of the samples of a band of stored rows in rows of the upright image.
///
/// Definition: `Orientation.storedPosition(x:y:width:height:)`.
struct OrientedIndices {
  /// Start indices of samples that are consecutive in both images.
  struct Run {
    /// In the band.
    var source: Int
    /// In the upright rows.
    var target: Int
  }

  /// Number of samples in the band and in the upright rows.
  let bandCount: Int
  let targetCount: Int
  /// Number of samples in each run, and index steps between them.
  let runLength: Int
  let sourceStep: Int
  let targetStep: Int
  let runs: [Run]

  /// Prepares for a band.
  ///
  /// - Parameters:
  ///   - band: Rows of the stored image.
  ///   - width: Width of the stored image.
  ///   - height: Height of the stored image.
  ///   - orientation: Orientation of the stored image.
  ///   - rows: Rows of the upright image; samples of other rows are left out.
  init(
    of band: Range<Int>, width: Int, height: Int, orientation: Orientation, in rows: Range<Int>
  ) {
    let swaps = orientation.swapsSides
    let upright = swaps ? (width: height, height: width) : (width: width, height: height)
    func index(_ x: Int, _ y: Int) -> Int {
      let place = orientation.inverse.storedPosition(
        x: x, y: y, width: upright.width, height: upright.height)
      return (place.y - rows.lowerBound) * upright.width + place.x
    }
    precondition(band.upperBound <= height && rows.upperBound <= upright.height)
    bandCount = band.count * width
    targetCount = rows.count * upright.width
    // The stored columns or rows that become `rows`.
    let first = orientation.storedPosition(x: 0, y: 0, width: width, height: height)
    let isReversed = (swaps ? first.x : first.y) != 0
    let stored =
      isReversed ? upright.height - rows.upperBound..<upright.height - rows.lowerBound : rows
    if swaps {
      (runLength, sourceStep) = (band.count, width)
      targetStep = index(0, 1) - index(0, 0)
      runs = stored.map { Run(source: $0, target: index($0, band.lowerBound)) }
    } else {
      (runLength, sourceStep) = (width, 1)
      targetStep = index(1, 0) - index(0, 0)
      runs = band.clamped(to: stored).map {
        Run(source: ($0 - band.lowerBound) * width, target: index(0, $0))
      }
    }
  }
}
