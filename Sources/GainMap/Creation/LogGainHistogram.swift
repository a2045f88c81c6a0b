// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRCore

/// Histogram of the log gains of a gain map.
///
/// Log gains are codes in steps of 1/2048 stop, from -16 to 16 stops; the bins are wider.
struct LogGainHistogram: Sendable {
  /// Steps per stop.
  static let stepsPerStop = 2048
  /// Code of a gain of 1.
  static let zero = 16 * stepsPerStop
  /// Steps per bin.
  static let stepsPerBin = 16
  private static let bins = (1 << 16) / stepsPerBin

  private var counters = [UInt32].counters(bins: bins)
  private var counts: [UInt32] { counters.bins }

  /// Returns the log gain of a code, in stops.
  static func logGain(ofCode code: Int) -> Double { Double(code - zero) / Double(stepsPerStop) }

  /// Returns the codes of a range of gains in stops.
  static func codes(from minimum: Double, to maximum: Double) -> ClosedRange<Int> {
    func code(_ logGain: Double, _ rule: FloatingPointRoundingRule) -> Int {
      let code = (logGain * Double(stepsPerStop)).rounded(rule) + Double(zero)
      return Int(clamping: min(max(code, 0), 65_535))
    }
    let first = code(minimum, .down)
    return first...max(first, code(maximum, .up))
  }

  mutating func add(_ codes: Span<UInt16>) { counters.count(codes) }

  mutating func add(_ other: LogGainHistogram) {
    // Even the largest image has too few samples for an overflow.
    for index in counters.indices { counters[index] &+= other.counters[index] }
  }

  /// Returns the range of gains without outliers, as codes.
  ///
  /// - Parameter share: Share of the samples that may exceed the range at each end.
  /// - Returns: The lowest and the highest code.
  func range(leavingOut share: Double) -> ClosedRange<Int> {
    let counts = counts
    let total = counts.reduce(0) { $0 + Int($1) }
    let tolerated = Int(clamping: Double(total) * share)
    func edge(_ bins: some Sequence<Int>) -> Int {
      var seen = 0
      for bin in bins {
        seen += Int(counts[bin])
        if seen > tolerated { return bin }
      }
      return 0
    }
    let (low, high) = (edge(counts.indices), edge(counts.indices.reversed()))
    let (first, last) = (low * Self.stepsPerBin, (high + 1) * Self.stepsPerBin - 1)
    // A gain of 1 everywhere is exact, not half a bin wide.
    return low == high && low == Self.zero / Self.stepsPerBin ? Self.zero...Self.zero : first...last
  }

  /// Returns the gamma with the least quantization error.
  ///
  /// With v = u^gamma, a step of v is a step of u times u^(1 - gamma) / gamma; the sum of its squares
  /// over all samples is minimized.
  func gamma(for range: ClosedRange<Int>) -> Double {
    guard range.count > 1 else { return 1 }
    let counts = counts
    let bins = counts.indices.filter { counts[$0] > 0 }
    let relative = bins.map { bin in
      let center = Double(bin * Self.stepsPerBin) + Double(Self.stepsPerBin) / 2
      let u = (center - Double(range.lowerBound)) / Double(range.upperBound - range.lowerBound)
      // Steps next to 0 are not larger than the first code value.
      return min(max(u, 1 / 512.0), 1)
    }
    func error(_ gamma: Double) -> Double {
      zip(bins, relative).reduce(0) { sum, pair in
        sum + Double(counts[pair.0]) * pow(pair.1, 2 - 2 * gamma) / (gamma * gamma)
      }
    }
    let candidates = stride(from: 0.3, through: 2.0, by: 0.05).map { ($0 * 100).rounded() / 100 }
    let best = candidates.min { error($0) < error($1) }
    return best ?? 1
  }
}
