// SPDX-License-Identifier: Apache-2.0
internal import PixelKernels

/// A function of one component, in the form of the row kernels.
enum ComponentCurve: Sendable {
  case sampled(SampledFunction<Float>)
  /// `SRGB.eotf`, for signals from -4 to 4; other signals are clamped.
  case srgbToLight
  /// `SRGB.inverseEOTF`, for linear values from 0 to 1; other values are clamped.
  case lightToSRGB

  func apply(to row: inout [Float]) {
    switch self {
    case .sampled(let function): function.apply(to: &row)
    case .srgbToLight: unsafe Self.apply(pk_srgb_to_light, to: &row)
    case .lightToSRGB: unsafe Self.apply(pk_light_to_srgb, to: &row)
    }
  }

  private static func apply(
    _ kernel: (UnsafeMutablePointer<Float>, Int) -> Void, to row: inout [Float]
  ) {
    unsafe row.withUnsafeMutableBufferPointer { row in
      guard let start = row.baseAddress else { return }
      // SAFETY: the kernel touches exactly `count` elements.
      unsafe kernel(start, row.count)
    }
  }
}
