// SPDX-License-Identifier: Apache-2.0
public import HDRCore
internal import Platform

/// Difference between an image made with a gain map and the image that the gain map was made from.
public struct GainMapQuality: Hashable, Sendable {
  /// Mean Delta E ITP of the measured pixels; 1 is just noticeable.
  public let meanDeltaE: Double
  /// Delta E ITP that 99 % of the pixels do not exceed.
  public let deltaE99: Double
  /// PSNR of PQ-encoded red, green and blue in BT.2020, in decibels; the peak is signal 1.
  ///
  /// It is infinite for equal images.
  public let pqPSNR: Double
  /// Share of the pixels that were measured, 0 to 1.
  public let measuredShare: Double

  /// The pixels that are measured.
  public enum Extent: String, Codable, CaseIterable, Sendable {
    /// Bands of rows at equal distances: a quarter to a thirty-second of the rows of a large image,
    /// all rows of an image of fewer than 768.
    case sampled
    /// All pixels.
    case full

    /// The bands of rows that are measured; none if these are all rows of an image.
    package func bands(ofHeight height: Int) -> [Range<Int>] {
      let interval = bandInterval(forHeight: height)
      return interval == 1 ? [] : LightComparison.bands(ofHeight: height, interval: interval)
    }

    /// Distance of the bands, so that at least twelve of them are measured.
    fileprivate func bandInterval(forHeight height: Int) -> Int {
      switch self {
      case .full: 1
      case .sampled: min(max(height / bandHeight / 12, 1), 8)
      }
    }
  }

  init(_ difference: LightComparison.Result) {
    measuredShare = difference.comparedShare
    meanDeltaE = difference.deltaE.mean
    deltaE99 = difference.deltaE.percentile99
    pqPSNR = difference.pqPSNR
  }
}

extension GainMapImage {
  /// Measures the difference between a baseline image with this gain map and an alternate image.
  ///
  /// - Parameters:
  ///   - base: Description of the baseline image as decoded.
  ///   - baseReader: Its rows.
  ///   - alternate: Description of the alternate image, of the same size.
  ///   - alternateReader: Its rows.
  ///   - extent: The pixels that are measured.
  ///   - execution: Threads, progress and cancellation.
  /// - Returns: The difference at the headroom of the alternate image.
  /// - Throws: `.invalidArgument` for images of different sizes, invalid descriptions, and readers
  ///   without the layout of their image; `.unsupported` for a matrix that cannot be decoded;
  ///   errors of the readers; `.cancelled`.
  public func quality(
    of base: ImageDescription, _ baseReader: any RowReader,
    comparedTo alternate: ImageDescription, _ alternateReader: any RowReader,
    extent: GainMapQuality.Extent = .full, execution: Execution = .current
  ) throws(ImageError) -> GainMapQuality {
    var comparison = try LightComparison(
      try Self.linear(base).applying(self, for: Headroom(metadata.alternateHeadroom)),
      try Self.linear(alternate))
    comparison.coverage = .first
    comparison.measurement = .nothing
    comparison.bandInterval = extent.bandInterval(forHeight: base.layout.height)
    return try execution.run { () throws(ImageError) in
      try Execution.operation { () throws(ImageError) in
        GainMapQuality(try comparison.run(baseReader, alternateReader))
      }
    }
  }

  /// A transform to linear values in BT.2020; 1.0 of relative encodings is 203 cd/m².
  private static func linear(_ image: ImageDescription) throws(ImageError) -> ImageTransform {
    var image = image
    switch image.color.transfer {
    case .pq, .hlg: break
    default: image.color.referenceWhite = ColorEncoding.defaultReferenceWhite
    }
    return try LightComparison.linear(of: image)
  }
}

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
