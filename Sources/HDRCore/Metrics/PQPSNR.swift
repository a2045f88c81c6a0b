// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// Peak signal-to-noise ratio of PQ signal, so that errors are weighted by their visibility.
///
/// The peak is PQ signal 1, that is 10 000 cd/m².
package enum PQPSNR {
  /// Ratio in dB for a mean square error of signal.
  package static func decibels(meanSquare: Double) -> Double { -10 * log10(meanSquare) }
}
