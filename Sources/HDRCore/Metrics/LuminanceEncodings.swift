// SPDX-License-Identifier: Apache-2.0
/// Encodings of luminance for error metrics.
enum LuminanceEncodings {
  /// PQ signal; linear below luminances that are black at any depth.
  static let pq = SampledFunction<Double>(luminances: -60..<14, definition: PQ.inverseEOTF)
  /// Signal of PU21; constant below 0.005 cd/m².
  static let pu21 = SampledFunction<Double>(luminances: -8..<14, definition: PU21.signal)
}
