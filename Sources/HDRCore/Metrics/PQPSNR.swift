internal import Foundation

/// Peak signal-to-noise ratio of PQ signal, so that an error weighs as much as it is seen.
///
/// The peak is PQ signal 1, that is 10 000 cd/m².
package enum PQPSNR {
  /// Ratio between two pictures of luminance.
  ///
  /// - Parameters:
  ///   - reference: Luminances, cd/m².
  ///   - picture: As many luminances, at least one.
  /// - Returns: Decibels; infinite for equal pictures.
  package static func decibels(_ reference: [Double], _ picture: [Double]) -> Double {
    precondition(
      !reference.isEmpty && reference.count == picture.count,
      "\(reference.count) luminances against \(picture.count)")
    let squares = zip(reference, picture).reduce(0) { sum, pair in
      let error = PQ.inverseEOTF(pair.0) - PQ.inverseEOTF(pair.1)
      return sum + error * error
    }
    return decibels(meanSquare: squares / Double(reference.count))
  }

  /// Ratio for a mean square error of signal.
  static func decibels(meanSquare: Double) -> Double { -10 * log10(meanSquare) }

  /// Ratio between two pictures of color, over all components.
  ///
  /// - Parameters:
  ///   - reference: Red, green, blue, cd/m².
  ///   - picture: As many colors in the same primaries, at least one.
  /// - Returns: Decibels; infinite for equal pictures.
  package static func decibels(
    _ reference: [SIMD3<Double>], _ picture: [SIMD3<Double>]
  ) -> Double {
    func components(_ colors: [SIMD3<Double>]) -> [Double] {
      colors.flatMap { [$0.x, $0.y, $0.z] }
    }
    return decibels(components(reference), components(picture))
  }
}
