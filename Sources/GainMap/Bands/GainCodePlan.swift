internal import HDRCore

/// From steps of gain to the codes of a map: range, curve, depth, dither.
struct GainCodePlan: Sendable {
  /// For each step of gain the code, with a fraction.
  private let table: [Float]

  init(_ meaning: GainMapMeaning, component: Int, bits: Int) {
    let largest = Double(1 << bits - 1)
    table = (0..<1 << 16).map { step in
      let logGain = LogGainHistogram.logGain(ofCode: step)
      return Float(meaning.sample(ofLogGain: logGain, component: component) * largest)
    }
  }

  /// Codes all rows of a map.
  static func encode(
    _ gains: StoredImage, _ plans: [GainCodePlan], bits: Int, threads: Int
  ) -> StoredImage {
    guard case .integer(let planes) = gains.planes else { preconditionFailure("steps of gain") }
    let old = gains.format
    let format = StoredFormat(
      width: old.width, height: old.height, components: old.components,
      samples: .integer(bits: bits))
    let scale = QuantizationScale(offset: 0, scale: 1, highest: Float(1 << bits - 1))
    let coded = SharedPlanes<UInt16>.makePlanes(format) { shared in
      forEachBand(of: 0..<format.height, threads: threads) { band in
        var row = [Float](repeating: 0, count: format.width)
        for y in band {
          for (index, plan) in plans.enumerated() {
            row.assign(planes[index], row: y, table: plan.table)
            // Components take other rows of the pattern, so that its steps differ in color, which
            // shows less, and not in luminance.
            row.add(pattern: Self.pattern[(y + 3 * index) % Self.pattern.count])
            shared.withRow(y, of: index) { row.quantize(scale, into: &$0) }
          }
        }
      }
    }
    return StoredImage(format: format, planes: .integer(coded))
  }

  /// Thresholds of ordered dither: all multiples of 1/64 between -1/2 and 1/2, spread evenly.
  ///
  /// Source: Bayer, "An optimum method for two-level rendition of continuous-tone pictures" (1973).
  private static let pattern: [[Float]] = (0..<8).map { y in
    (0..<8).map { x in
      var rank = 0
      for bit in 0..<3 {
        let (column, row) = (x >> bit & 1, y >> bit & 1)
        rank += ((column ^ row) << 1 | row) << (2 * (2 - bit))
      }
      return (Float(rank) + 0.5) / 64 - 0.5
    }
  }
}
