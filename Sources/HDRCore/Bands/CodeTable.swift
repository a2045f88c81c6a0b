internal import PixelKernels

/// The codes of light, for the row kernels: one for each step of the light's bit pattern, as
/// `SampledFunction` has them.
///
/// A step is at most an eighth of what a code covers, so light is off by at most a sixteenth of a
/// code before it is rounded. The light that a code stands for becomes that code.
final class CodeTable: Sendable {
  private let codes: [UInt16]
  private let first: UInt32
  private let shift: UInt32

  /// More would leave the caches close to a core.
  private static let largestCount = 1 << 18

  /// Samples what codes light has; `nil` if the table would be too large.
  ///
  /// - Parameters:
  ///   - levels: Of the codes.
  ///   - light: The light of a signal; increasing, and not negative.
  init?(_ levels: Quantization, light: (Double) -> Double) {
    let lowest = levels.code(ofSignal: 0)
    let highest = levels.code(ofSignal: 1)
    /// The light from which on it is the next code.
    let thresholds = (lowest..<highest).map { code in
      Float(light((Double(code) + 0.5 - levels.signalOffset) / levels.signalScale))
    }
    guard let least = thresholds.first, let most = thresholds.last, least.isNormal else {
      return nil
    }
    let narrowest =
      zip(thresholds.dropFirst(), thresholds)
      .map { Int($0.bitPattern) - Int($1.bitPattern) }.min() ?? 0
    guard narrowest >= 8 else { return nil }
    let shift = UInt32((narrowest / 8).bitWidth - 1 - (narrowest / 8).leadingZeroBitCount)
    // A step that lies wholly below the first threshold, and one that lies wholly above the last.
    let first = (least.bitPattern >> shift - 1) << shift
    let count = Int((most.bitPattern - first) >> shift) + 2
    guard count <= Self.largestCount else { return nil }
    var code = 0
    codes = (0..<count).map { step in
      let middle = Float(bitPattern: first + UInt32(step) << shift + (1 << shift) / 2)
      while code < thresholds.count, thresholds[code] <= middle { code += 1 }
      return lowest + UInt16(code)
    }
    self.shift = shift
    self.first = first
  }

  /// Lends the table to a kernel.
  ///
  /// Kernels use only steps that exist, arguments being limited. `body` must not let the pointer
  /// escape.
  fileprivate func withKernelTable(_ body: (UnsafePointer<pk_code_table>) -> Void) {
    unsafe codes.withUnsafeBufferPointer { codes in
      guard let start = codes.baseAddress else { preconditionFailure("a table without codes") }
      // SAFETY: the codes stay in place until the closure returns; patterns of positive numbers
      // are positive.
      var table = unsafe pk_code_table(
        codes: start, first: Int32(bitPattern: first),
        last: Int32(bitPattern: first + UInt32(codes.count - 1) << shift), shift: shift)
      unsafe body(&table)
    }
  }
}

extension ColorEncoding {
  /// A table for red, green and blue; `nil` where they need arithmetic, curves of their own, or more
  /// bits than a table has steps for.
  func codeTable(for format: StoredFormat) -> CodeTable? {
    guard case .integer(let bits) = format.samples, bits <= 12 else { return nil }
    if case .ycbcr = format.components { return nil }
    switch transfer {
    case .linear, .sampled: return nil
    default:
      return CodeTable(Quantization(bits: bits, isFullRange: format.isFullRange)) {
        componentLight(ofSignal: $0, component: 0)
      }
    }
  }
}

extension [Float] {
  /// Writes the codes of light that is a number.
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
