// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRCore

/// Brightens values above white of a look for displays with headroom.
///
/// With t stops above white, the gain is a share of t² / (t + 1/2) stops: none at white, and nearly
/// proportional far above. The largest share is a third, as in `HighlightRecovery`.
struct HighlightExpansion: Sendable {
  /// Gain minus 1 of the largest component.
  private let excess: SampledFunction<Float>

  /// - Parameter amount: 1 for none, 2 for the largest.
  init(amount: Double) {
    let share = (amount - 1) / 3
    excess = SampledFunction(octaves: 0..<20, stepsPerOctave: 256) { linear in
      let stops = log2(linear)
      return exp2(share * stops * stops / (stops + 0.5)) - 1
    }
  }

  /// - Parameters:
  ///   - row: The look.
  ///   - shown: Largest components of the look.
  func apply(to row: inout LinearRow, shown: [Float]) {
    var gain = shown
    excess.apply(to: &gain)
    for x in gain.indices { gain[x] += 1 }
    row.multiply(byGain: gain)
  }
}
