// SPDX-License-Identifier: Apache-2.0
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
