/// Difference of two colors on a display; 1 is just noticeable where the eye is most critical.
///
/// Source: Recommendation ITU-R BT.2124.
package enum DeltaEITP {
  /// Difference of two colors.
  ///
  /// - Parameters:
  ///   - first: Red, green, blue in BT.2020 primaries, cd/m².
  ///   - second: The other color.
  /// - Returns: Delta E ITP.
  package static func between(_ first: SIMD3<Double>, _ second: SIMD3<Double>) -> Double {
    let difference = ICtCp.signal(ofLuminance: first) - ICtCp.signal(ofLuminance: second)
    let itp = difference * weights
    return (itp * itp).sum().squareRoot()
  }

  /// From PQ signal of cone responses to a space in which Delta E is distance.
  static let fromPQ = Matrix3x3(diagonal: weights) * ICtCp.fromPQ

  /// T is half of Ct; P is Cp.
  private static let weights = SIMD3(720, 360, 720.0)
}
