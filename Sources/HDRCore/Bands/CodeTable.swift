// SPDX-License-Identifier: Apache-2.0
internal import PixelKernels

/// Code values of linear values, for the row kernels, with one entry for each step of the bit
/// pattern, as in `SampledFunction`.
///
/// The next code begins at most once within a step. An entry contains the first code, shifted left
/// by the bits of a step, plus the distance from that transition to the end of the step. Adding the
/// bits of the linear value within the step therefore carries into the next code exactly at the
/// transition. Rounding is exact.
final class CodeTable: Sendable {
  private let entries: [UInt32]
  private let first: UInt32
  private let shift: UInt32

  /// Kernels count steps in 16 bits; a larger table would also exceed the caches close to a core.
  private static let largestCount = 1 << 16

  /// Samples the codes of linear values; `nil` if the table would be too large.
  ///
  /// - Parameters:
  ///   - levels: Quantization of the codes.
  ///   - light: The linear value of a signal; increasing and not negative.
  init?(_ levels: Quantization, light: (Double) -> Double) {
    let lowest = levels.code(ofSignal: 0)
    let highest = levels.code(ofSignal: 1)
    /// Linear values at which the next code begins.
    let thresholds = (lowest..<highest).map { code in
      Float(light((Double(code) + 0.5 - levels.signalOffset) / levels.signalScale))
    }
    guard let least = thresholds.first, let most = thresholds.last, least.isNormal else {
      return nil
    }
    let narrowest =
      zip(thresholds.dropFirst(), thresholds)
      .map { Int($0.bitPattern) - Int($1.bitPattern) }.min() ?? 0
    guard narrowest > 0 else { return nil }
    let bits = Int(highest).bitWidth - Int(highest).leadingZeroBitCount
    let shift = UInt32(
      min(narrowest.bitWidth - 1 - narrowest.leadingZeroBitCount, UInt32.bitWidth - bits))
    // The first step is entirely below the first threshold; the last step is entirely above the
    // last.
    let first = (least.bitPattern >> shift - 1) << shift
    let count = Int((most.bitPattern - first) >> shift) + 2
    guard count <= Self.largestCount else { return nil }
    var code = 0
    entries = (0..<count).map { step in
      let start = first + UInt32(step) << shift
      while code < thresholds.count, thresholds[code].bitPattern <= start { code += 1 }
      let entry = (UInt32(lowest) + UInt32(code)) << shift
      let next = code < thresholds.count ? thresholds[code].bitPattern - start : 1 << shift
      return next < 1 << shift ? entry + ((1 << shift) - next) : entry
    }
    self.shift = shift
    self.first = first
  }

  /// Passes the table to a kernel.
  ///
  /// Kernels clamp arguments, so they read only steps that exist. `body` must not let the pointer
  /// escape.
  fileprivate func withKernelTable(_ body: (UnsafePointer<pk_code_table>) -> Void) {
    unsafe entries.withUnsafeBufferPointer { entries in
      guard let start = entries.baseAddress else { preconditionFailure("a table without entries") }
      // SAFETY: the entries stay in place until the closure returns; patterns of positive numbers
      // are positive.
      var table = unsafe pk_code_table(
        entries: start, first: Int32(bitPattern: first),
        last: Int32(bitPattern: first + UInt32(entries.count - 1) << shift), shift: shift)
      unsafe body(&table)
    }
  }
}

extension ColorEncoding {
  /// A table for red, green and blue; `nil` for encodings that need arithmetic, a curve for each
  /// component, or more bits than a table has steps for.
  func codeTable(for format: ImageLayout) -> CodeTable? {
    guard case .integer(let bits) = format.samples, bits <= 12 else { return nil }
    if case .ycbcr = format.components { return nil }
    switch transfer {
    case .linear, .sampled: return nil
    default:
      return CodeTable(Quantization(bits: bits, isFullRange: isFullRange)) {
        componentLight(ofSignal: $0, component: 0)
      }
    }
  }
}

extension [Float] {
  /// Writes the codes of linear values that are not NaN.
  func encode(_ table: CodeTable, into codes: inout MutableSpan<UInt16>) {
    precondition(codes.count == count)
    unsafe codes.withUnsafeMutableBufferPointer { codes in
      guard let start = codes.baseAddress else { return }
      unsafe table.withKernelTable { table in
        // SAFETY: both rows are `count` long.
        unsafe pk_light_to_codes(self, start, codes.count, table)
      }
    }
  }
}
