// SPDX-License-Identifier: Apache-2.0
internal import PixelKernels

extension [Float] {
  /// Assigns 2^(bias + L) - 1, where L is interpolated between the logarithms of two rows.
  package mutating func assignGainMinus1(
    between above: [Float], _ below: [Float], share: Float, bias: Float
  ) {
    precondition(above.count == count && below.count == count)
    // SAFETY: all three rows are `count` long.
    unsafe pk_gain_minus_1(above, below, share, bias, &self, count)
  }

  /// Assigns (x + baseOffset) * gain - alternateOffset.
  package mutating func apply(
    gainMinus1 gain: [Float], baseOffset: Float, offsetDifference: Float
  ) {
    precondition(gain.count == count)
    // SAFETY: both rows are `count` long.
    unsafe pk_apply_gain(&self, gain, count, baseOffset, offsetDifference)
  }
}

extension [Float] {
  /// Assigns the base-2 logarithm of the gain from one row of linear values to another.
  ///
  /// Sums below `smallest` are replaced by it.
  package mutating func assignLogGain(
    from base: [Float], offset baseOffset: Float, to alternate: [Float],
    offset alternateOffset: Float, smallest: Float
  ) {
    precondition(base.count == count && alternate.count == count)
    // SAFETY: all three rows are `count` long.
    unsafe pk_log_gain(
      base, alternate, &self, count, baseOffset, alternateOffset, smallest)
  }
}

/// Conversion of codes to fewer levels with ordered dither.
package struct DitheredCodes: Sendable {
  /// Value of each code, in units of 1 / 2^`shift`.
  private let table: [UInt16]
  private let shift: UInt32

  /// Prepares a conversion.
  ///
  /// - Parameters:
  ///   - bits: Depth of the resulting codes. Up to 10 bits, all 64 thresholds are distinct; beyond
  ///     that, fewer.
  ///   - range: Range of 16-bit source codes; codes outside are clamped to it.
  ///   - code: Value of each source code, with a fraction.
  package init(bits: Int, range: ClosedRange<Int>, _ code: (Int) -> Double) {
    shift = UInt32(min(6, 16 - bits))
    let units = Double(1 << shift)
    let within = range.map { UInt16(clamping: code($0) * units + 0.5) }
    table = (0..<1 << 16).map { code in
      within[min(max(code, range.lowerBound), range.upperBound) - range.lowerBound]
    }
  }

  /// Converts a row of codes, adding eight thresholds in turn, in units of 1/64, 0 to 63.
  package func apply(to codes: inout MutableSpan<UInt16>, thresholds: [UInt16]) {
    precondition(thresholds.count == 8)
    let pattern = thresholds.map { $0 >> UInt16(6 - shift) }
    unsafe codes.withUnsafeMutableBufferPointer { codes in
      guard let start = codes.baseAddress else { return }
      // SAFETY: the table has an entry for each code, and there are eight thresholds.
      unsafe pk_dither_codes(start, codes.count, table, pattern, shift)
    }
  }
}

extension [UInt32] {
  /// Counters for bins of codes, whose number is a power of two.
  package static func counters(bins: Int) -> [UInt32] {
    [UInt32](repeating: 0, count: bins * Int(PK_COUNTERS))
  }

  /// Adds codes to the counters.
  package mutating func count(_ codes: Span<UInt16>) {
    let bins = count / Int(PK_COUNTERS)
    precondition(bins.nonzeroBitCount == 1 && bins <= 1 << 16)
    precondition(count == bins * Int(PK_COUNTERS))
    let shift = UInt32(16 - bins.trailingZeroBitCount)
    unsafe codes.withUnsafeBufferPointer { codes in
      guard let start = codes.baseAddress else { return }
      // SAFETY: there are counters for each 16-bit code.
      unsafe pk_count_codes(start, codes.count, shift, &self)
    }
  }

  /// Number of codes in each bin.
  package var bins: [UInt32] {
    stride(from: 0, to: count, by: Int(PK_COUNTERS)).map { start in
      self[start..<start + Int(PK_COUNTERS)].reduce(0, +)
    }
  }
}
