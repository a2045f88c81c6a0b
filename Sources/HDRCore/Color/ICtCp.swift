// SPDX-License-Identifier: Apache-2.0
/// Intensity and two color differences of the cone responses of BT.2020 colors.
///
/// Source: Recommendation ITU-R BT.2100, table 7. The matrices contain its integers.
package enum ICtCp {
  /// Linear BT.2020 to cone responses.
  package static let lmsFromRGB = matrix((1688, 2146, 262), (683, 2951, 462), (99, 309, 3688))
  /// PQ signal of cone responses to ICtCp.
  package static let fromPQ = matrix(
    (2048, 2048, 0), (6610, -13_613, 7003), (17_933, -17_390, -543))
  /// HLG signal of cone responses to ICtCp.
  package static let fromHLG = matrix((2048, 2048, 0), (3625, -7465, 3840), (9500, -9212, -288))

  package static let rgbFromLMS = lmsFromRGB.inverse
  package static let toPQ = fromPQ.inverse
  package static let toHLG = fromHLG.inverse

  /// ICtCp of display-linear values, through PQ.
  ///
  /// - Parameter luminance: Red, green, blue in BT.2020 primaries, in cd/m².
  /// - Returns: I in 0...1, Ct and Cp around 0.
  package static func signal(ofLuminance luminance: SIMD3<Double>) -> SIMD3<Double> {
    let lms = lmsFromRGB * luminance
    return fromPQ
      * SIMD3(PQ.inverseEOTF(lms.x), PQ.inverseEOTF(lms.y), PQ.inverseEOTF(lms.z))
  }

  /// Display-linear values of ICtCp, through PQ; the inverse of `signal(ofLuminance:)`.
  package static func luminance(ofSignal signal: SIMD3<Double>) -> SIMD3<Double> {
    let lms = toPQ * signal
    return rgbFromLMS * SIMD3(PQ.eotf(lms.x), PQ.eotf(lms.y), PQ.eotf(lms.z))
  }

  /// ICtCp of scene-linear values, through HLG.
  ///
  /// - Parameter scene: Red, green, blue in BT.2020 primaries, 1.0 for full signal.
  /// - Returns: I in 0...1, Ct and Cp around 0.
  package static func signal(ofScene scene: SIMD3<Double>) -> SIMD3<Double> {
    fromHLG * HLG.oetf(lmsFromRGB * scene)
  }

  /// Scene-linear values of ICtCp, through HLG; the inverse of `signal(ofScene:)`.
  package static func scene(ofSignal signal: SIMD3<Double>) -> SIMD3<Double> {
    rgbFromLMS * HLG.inverseOETF(toHLG * signal)
  }

  private static func matrix(
    _ row0: (Int, Int, Int), _ row1: (Int, Int, Int), _ row2: (Int, Int, Int)
  ) -> Matrix3x3 {
    func row(_ integers: (Int, Int, Int)) -> SIMD3<Double> {
      SIMD3(Double(integers.0), Double(integers.1), Double(integers.2)) / 4096
    }
    return Matrix3x3(row(row0), row(row1), row(row2))
  }
}
