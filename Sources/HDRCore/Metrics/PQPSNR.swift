internal import Foundation

/// Peak signal-to-noise ratio of PQ signal, so that an error weighs as much as it is seen.
///
/// The peak is PQ signal 1, that is 10 000 cd/m².
package enum PQPSNR {
  /// Ratio for a mean square error of signal.
  package static func decibels(meanSquare: Double) -> Double { -10 * log10(meanSquare) }
}
