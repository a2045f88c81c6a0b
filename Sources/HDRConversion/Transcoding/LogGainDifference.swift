// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore

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
