// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Quantization of log gains to the code values of a gain map: range, curve, depth, dither.
struct GainQuantizer: Sendable {
  private let codes: DitheredCodes

  init(_ metadata: GainMapMetadata, component: Int, bits: Int) {
    let largest = Double(1 << bits - 1)
    let channel = metadata.channels[component]
    let range = LogGainHistogram.codes(from: channel.minimum.value, to: channel.maximum.value)
    codes = DitheredCodes(bits: bits, range: range) { step in
      metadata.sample(ofLogGain: LogGainHistogram.logGain(ofCode: step), component: component)
        * largest
    }
  }

  /// Replaces the log gains in the planes of a gain map by code values.
  ///
  /// - Throws: `.cancelled`.
  static func encode(
    _ planes: inout [Plane<UInt16>], _ quantizers: [GainQuantizer]
  ) throws(ImageError) {
    let height = planes[0].height
    try SharedPlanes.change(&planes) { (shared) throws(ImageError) in
      try forEachBand(of: 0..<height) { band in
        for y in band {
          for (index, quantizer) in quantizers.enumerated() {
            // Components use different rows of thresholds, so that dither changes color, which is
            // less visible, and not luminance.
            let thresholds = Self.thresholds[(y + 3 * index) % Self.thresholds.count]
            shared.withRow(y, of: index) { quantizer.codes.apply(to: &$0, thresholds: thresholds) }
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
