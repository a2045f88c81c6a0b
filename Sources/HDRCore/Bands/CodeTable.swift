internal import PixelKernels

/// Code values of linear values, for the row kernels: an entry for each step of the bit pattern, as
/// `SampledFunction` has them.
///
/// A step holds at most one place where the next code begins. Its entry is the first code, above as
/// many bits as a step has, plus what is missing from that place to the step's end; so adding the bits
/// of light within the step carries into the next code just where that begins. Rounding is exact.
final class CodeTable: Sendable {
  private let entries: [UInt32]
  private let first: UInt32
  private let shift: UInt32

  /// Kernels count steps in 16 bits; more would leave the caches close to a core, too.
  private static let largestCount = 1 << 16

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
    guard narrowest > 0 else { return nil }
    let bits = Int(highest).bitWidth - Int(highest).leadingZeroBitCount
    let shift = UInt32(
      min(narrowest.bitWidth - 1 - narrowest.leadingZeroBitCount, UInt32.bitWidth - bits))
    // A step that lies wholly below the first threshold, and one that lies wholly above the last.
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

  /// Lends the table to a kernel.
  ///
  /// Kernels use only steps that exist, arguments being limited. `body` must not let the pointer
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
  /// A table for red, green and blue; `nil` where they need arithmetic, curves of their own, or more
  /// bits than a table has steps for.
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
