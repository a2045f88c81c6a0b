// SPDX-License-Identifier: Apache-2.0
#if HEIF || AVIF
internal import HDRCore
internal import ImageFiles

extension Plane<UInt16> {
  /// Converts alpha to full range and another bit depth, rounding to the nearest code value.
  func coverage(fromBits: Int, isFullRange: Bool, toBits: Int) -> Plane<UInt16> {
    let target = 1 << toBits - 1
    let source = 1 << fromBits - 1
    guard fromBits != toBits || !isFullRange else { return self }
    // Source: ITU-T H.273, 8.3: narrow range has 219 steps starting at 16, for 8 bits.
    let (black, range) =
      isFullRange ? (0, source) : (16 << (fromBits - 8), 219 << (fromBits - 8))
    let samples = span
    return Plane(width: width, height: height) { output in
      for index in samples.indices {
        let code = min(max(Int(samples[index]) - black, 0), range)
        output.append(UInt16((code * target * 2 + range) / (range * 2)))
      }
    }
  }
}
#endif
