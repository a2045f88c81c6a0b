internal import PixelKernels

/// Where each sample of a row lies between those of another one.
package struct LinearPositions: Sendable {
  private let left: [Int32]
  private let share: [Float]
  private let sourceCount: Int

  /// Centers of `count` samples that cover as much as `sourceCount` others do.
  package init(from sourceCount: Int, to count: Int) {
    self.sourceCount = sourceCount
    let positions = (0..<count).map { index in
      let center = (Double(index) + 0.5) * Double(sourceCount) / Double(count) - 0.5
      return min(max(center, 0), Double(sourceCount - 1))
    }
    left = positions.map { Int32(min(Int($0), max(sourceCount - 2, 0))) }
    share = zip(positions, left).map { Float($0 - Double($1)) }
  }

  package typealias Element = (above: Int, below: Int, share: Float)

  package var count: Int { left.count }

  /// The sample at or before `index`, the next one, and the next one's share.
  package subscript(index: Int) -> Element {
    let above = Int(left[index])
    return (above, min(above + 1, sourceCount - 1), share[index])
  }

  /// Fills a row by interpolating another.
  package func resample(_ samples: [Float], into row: inout [Float]) {
    precondition(samples.count == sourceCount && row.count == left.count)
    guard sourceCount > 1 else {
      for index in row.indices { row[index] = samples[0] }
      return
    }
    // SAFETY: `row`, `left` and `share` have the same count; `left` stops before the last sample.
    unsafe pk_resample(samples, left, share, &row, row.count)
  }
}

extension [Float] {
  /// Becomes 2^(bias + L) - 1, L lying between the logarithms of two rows.
  package mutating func assignGainMinus1(
    between above: [Float], _ below: [Float], share: Float, bias: Float
  ) {
    precondition(above.count == count && below.count == count)
    // SAFETY: all three rows are `count` long.
    unsafe pk_gain_minus_1(above, below, share, bias, &self, count)
  }

  /// Becomes (x + baseOffset) * gain - alternateOffset.
  package mutating func apply(
    gainMinus1 gain: [Float], baseOffset: Float, offsetDifference: Float
  ) {
    precondition(gain.count == count)
    // SAFETY: both rows are `count` long.
    unsafe pk_apply_gain(&self, gain, count, baseOffset, offsetDifference)
  }
}

/// Which samples of a row each sample of a shorter one covers, and how much of each.
package struct AreaPositions: Sendable {
  private let first: [Int32]
  /// Of the first sample of each area, then of the second, and so on.
  private let weights: [Float]
  private let taps: Int
  private let sourceCount: Int

  /// `count` areas of equal size that cover `sourceCount` samples.
  package init(from sourceCount: Int, to count: Int) {
    precondition((1...sourceCount).contains(count))
    self.sourceCount = sourceCount
    let size = Double(sourceCount) / Double(count)
    func edge(_ index: Int) -> Double {
      index == count ? Double(sourceCount) : Double(index) * size
    }
    let taps = min(Int(size.rounded(.up)) + 1, sourceCount)
    let first = (0..<count).map { min(Int(edge($0)), sourceCount - taps) }
    self.taps = taps
    self.first = first.map(Int32.init)
    weights = (0..<taps).flatMap { tap in
      (0..<count).map { index in
        let sample = Double(first[index] + tap)
        let covered = min(sample + 1, edge(index + 1)) - max(sample, edge(index))
        return Float(max(covered, 0) / size)
      }
    }
  }

  package var count: Int { first.count }

  /// Whether each area is one sample.
  package var isIdentity: Bool { count == sourceCount }

  /// The samples that area `index` covers, and how much of each.
  package subscript(index: Int) -> [(sample: Int, weight: Float)] {
    (0..<taps).map { (Int(first[index]) + $0, weights[$0 * count + index]) }
      .filter { $0.1 > 0 }
  }

  /// Averages a row.
  package func average(_ row: [Float], into averages: inout [Float]) {
    precondition(row.count == sourceCount && averages.count == count)
    // SAFETY: the row has two or four times as many samples as `averages`, where that is said. Else:
    // `averages` and `first` have the same count, `weights` `taps` times as many; areas of `taps`
    // samples end before the row does.
    switch sourceCount {
    case 2 * count: unsafe pk_average_pairs(row, &averages, averages.count)
    case 4 * count: unsafe pk_average_fours(row, &averages, averages.count)
    default: unsafe pk_average(row, first, weights, taps, &averages, averages.count)
    }
  }
}

extension [Float] {
  /// Becomes the base-2 logarithm of the gain from one row of light to another.
  ///
  /// Sums below `smallest` count as that.
  package mutating func assignLogGain(
    from base: [Float], offset baseOffset: Float, to alternate: [Float],
    offset alternateOffset: Float, smallest: Float
  ) {
    precondition(base.count == count && alternate.count == count)
    // SAFETY: all three rows are `count` long.
    unsafe pk_log_gain(
      base, alternate, &self, count, baseOffset, alternateOffset, smallest)
  }

  /// Adds another row times its weight.
  package mutating func add(_ row: [Float], weight: Float) {
    precondition(row.count == count)
    // SAFETY: both rows are `count` long.
    unsafe pk_accumulate(&self, row, weight, count)
  }
}

/// How codes become others with dither.
package struct DitheredCodes: Sendable {
  /// What each code becomes, in units of 1 / 2^`shift`.
  private let table: [UInt16]
  private let shift: UInt32

  /// Prepares.
  ///
  /// - Parameters:
  ///   - bits: Of the codes to make. Up to 10 each of 64 thresholds counts, beyond that fewer.
  ///   - range: Codes of 16 bits; what is below or above becomes what the first or the last does.
  ///   - code: What each code becomes, with a fraction.
  package init(bits: Int, range: ClosedRange<Int>, _ code: (Int) -> Double) {
    shift = UInt32(min(6, 16 - bits))
    let units = Double(1 << shift)
    let within = range.map { UInt16(code($0) * units + 0.5) }
    table = (0..<1 << 16).map { code in
      within[min(max(code, range.lowerBound), range.upperBound) - range.lowerBound]
    }
  }

  /// Replaces a row of codes, adding each of eight thresholds in turn, in 64ths up to 63.
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
  /// Counters for bins of codes, which have a power of two of them.
  package static func counters(bins: Int) -> [UInt32] {
    [UInt32](repeating: 0, count: bins * Int(PK_COUNTERS))
  }

  /// Counts codes.
  package mutating func count(_ codes: Span<UInt16>) {
    let bins = count / Int(PK_COUNTERS)
    precondition(bins.nonzeroBitCount == 1 && bins <= 1 << 16)
    precondition(count == bins * Int(PK_COUNTERS))
    let shift = UInt32(16 - bins.trailingZeroBitCount)
    unsafe codes.withUnsafeBufferPointer { codes in
      guard let start = codes.baseAddress else { return }
      // SAFETY: there are counters for each code that has 16 bits.
      unsafe pk_count_codes(start, codes.count, shift, &self)
    }
  }

  /// How often codes of each bin were counted.
  package var bins: [UInt32] {
    stride(from: 0, to: count, by: Int(PK_COUNTERS)).map { start in
      self[start..<start + Int(PK_COUNTERS)].reduce(0, +)
    }
  }
}
