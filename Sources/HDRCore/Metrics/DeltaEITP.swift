// SPDX-License-Identifier: Apache-2.0
/// Color difference on a display; 1 is just noticeable under the most critical viewing conditions.
///
/// Source: Recommendation ITU-R BT.2124.
package enum DeltaEITP {
  /// From PQ signal of cone responses to a space in which Delta E ITP is the Euclidean distance.
  static let fromPQ = Matrix3x3(diagonal: weights) * ICtCp.fromPQ

  /// T is half of Ct; P is Cp.
  private static let weights = SIMD3(720, 360, 720.0)
}
