internal import HDRCore

/// From steps of gain to the codes of a map: range, curve, depth, dither.
struct GainQuantizer: Sendable {
  private let codes: DitheredCodes

  init(_ meaning: GainMapMeaning, component: Int, bits: Int) {
    let largest = Double(1 << bits - 1)
    let sample: (Double) -> Double
    let range: ClosedRange<Int>
    switch meaning {
    case .parameters(let metadata):
      let channel = metadata.channels[component]
      sample = { channel.sample(ofLogGain: $0) }
      range = LogGainHistogram.codes(from: channel.minimum.value, to: channel.maximum.value)
    case .apple(let map):
      sample = { map.sample(ofLogGain: $0) }
      range = LogGainHistogram.codes(from: 0, to: map.headroom.stops)
    }
    codes = DitheredCodes(bits: bits, range: range) { step in
      sample(LogGainHistogram.logGain(ofCode: step)) * largest
    }
  }

  /// Makes codes of the steps of gain in the planes of a map.
  static func encode(_ planes: inout [Plane<UInt16>], _ plans: [GainQuantizer]) throws(ImageError) {
    let height = planes[0].height
    try SharedPlanes.change(&planes) { (shared) throws(ImageError) in
      try forEachBand(of: 0..<height) { band in
        for y in band {
          for (index, plan) in plans.enumerated() {
            // Components take other rows of the thresholds, so that their steps differ in color,
            // which shows less, and not in luminance.
            let thresholds = Self.thresholds[(y + 3 * index) % Self.thresholds.count]
            shared.withRow(y, of: index) { plan.codes.apply(to: &$0, thresholds: thresholds) }
          }
        }
      }
    }
  }

  /// Thresholds of ordered dither: all numbers below 64, spread evenly.
  ///
  /// Source: Bayer, "An optimum method for two-level rendition of continuous-tone pictures" (1973).
  private static let thresholds: [[UInt16]] = (0..<8).map { y in
    (0..<8).map { x in
      var rank = 0
      for bit in 0..<3 {
        let (column, row) = (x >> bit & 1, y >> bit & 1)
        rank += ((column ^ row) << 1 | row) << (2 * (2 - bit))
      }
      return UInt16(rank)
    }
  }
}
