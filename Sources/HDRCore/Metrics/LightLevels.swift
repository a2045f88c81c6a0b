// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import PixelKernels

/// Light levels of an image, measured on the display-linear values of all its pixels.
///
/// Pixels with alpha are measured multiplied by alpha, as composited on black. Hidden colors count
/// as dark, and values divided by a very small alpha do not count as bright.
public struct LightLevels: Sendable {
  /// Levels to measure.
  public enum Extent: Sendable {
    /// None: all levels are 0.
    case nothing
    /// max(R, G, B): its maximum and percentiles.
    case percentiles
    /// All except percentiles, which cost as much as the rest.
    case levels
    /// Maxima, means, minimum, primaries and percentiles.
    case all
  }

  /// Luminance of linear 1.0, in cd/m².
  public let referenceWhite: Double
  /// Number of measured pixels; if 0, all levels are 0.
  public let pixelCount: Int
  /// Maximum of max(R, G, B), in cd/m².
  public let maximum: Double
  /// Mean of max(R, G, B), in cd/m².
  public let average: Double
  /// Minimum luminance (Y), in cd/m².
  public let minimumLuminance: Double
  /// Maximum luminance (Y), in cd/m².
  public let maximumLuminance: Double
  /// Mean luminance (Y), in cd/m².
  public let averageLuminance: Double
  /// The smallest of BT.709, P3 and the image's own primaries that contains 99.99 % of the pixels.
  public let usedPrimaries: ColorPrimaries

  private let histogram: [UInt32]

  init(_ counter: LightCounter, parameters: LightCounter.Parameters, pixelCount: Int) {
    let referenceWhite = parameters.referenceWhite
    self.referenceWhite = referenceWhite
    self.pixelCount = pixelCount
    histogram = counter.histogram
    let light = counter.light
    func luminance(_ bits: UInt32) -> Double {
      // Single precision has relative errors of 1e-7; six digits restore values such as 203.
      let value = Double(Float(bitPattern: bits)) * referenceWhite
      return Double(value.formatted(as: "%.6g")) ?? value
    }
    func mean(_ sum: UInt64) -> Double {
      Double(sum) / parameters.sumScale / Double(pixelCount) * referenceWhite
    }
    maximum = luminance(light.largest_maximum_bits)
    maximumLuminance = luminance(light.largest_luminance_bits)
    minimumLuminance =
      light.smallest_luminance_bits == UInt32.max ? 0 : luminance(light.smallest_luminance_bits)
    average = min(mean(light.sum_of_maxima), maximum)
    averageLuminance = min(max(mean(light.sum_of_luminance), minimumLuminance), maximumLuminance)
    let tolerated = UInt64(pixelCount / 10_000)
    let outside = [light.outside.0, light.outside.1]
    usedPrimaries =
      zip(outside, parameters.candidates).first { $0.0 <= tolerated }?.1 ?? parameters.primaries
  }

  /// Levels of an image that was not measured.
  init(unmeasured parameters: LightCounter.Parameters) {
    referenceWhite = parameters.referenceWhite
    pixelCount = 0
    (maximum, average) = (0, 0)
    (minimumLuminance, maximumLuminance, averageLuminance) = (0, 0, 0)
    usedPrimaries = parameters.primaries
    histogram = []
  }

  /// MaxCLL and MaxFALL: the maximum and mean of max(R, G, B), not rounded.
  ///
  /// Source: CTA-861.3, annex P.
  public var contentLightLevel: LightMetadata.ContentLightLevel {
    LightMetadata.ContentLightLevel(maximum: maximum, maximumAverage: average)
  }

  /// Luminances and primaries as metadata.
  public var contentColorVolume: LightMetadata.ContentColorVolume {
    LightMetadata.ContentColorVolume(
      primaries: usedPrimaries, minimumLuminance: minimumLuminance,
      maximumLuminance: maximumLuminance, averageLuminance: averageLuminance)
  }

  /// Percentile of max(R, G, B) over all pixels, in cd/m².
  ///
  /// - Parameter share: Share of the pixels; clamped to 0...1.
  /// - Returns: The level that `share` of the pixels do not exceed, at most 1.6 % too high for
  ///   levels of at least 6e-8 of reference white; the maximum if percentiles were not measured.
  public func percentile(_ share: Double) -> Double { percentile(share, of: pixelCount) }

  /// Percentile over the darkest `count` pixels.
  private func percentile(_ share: Double, of count: Int) -> Double {
    let wanted = Self.pixels(share, of: count)
    var seen: UInt64 = 0
    for (bin, count) in histogram.enumerated() {
      seen += UInt64(count)
      guard seen >= wanted else { continue }
      return min(Self.upperEdge(ofBin: bin) * referenceWhite, maximum)
    }
    return maximum
  }

  fileprivate static func pixels(_ share: Double, of count: Int) -> UInt64 {
    UInt64(clamping: (min(max(share, 0), 1) * Double(count)).rounded(.up))
  }

  fileprivate static func upperEdge(ofBin bin: Int) -> Double {
    let octave = Double(PK_LOWEST_OCTAVE) + Double(bin) / Double(PK_BINS_PER_OCTAVE)
    let fraction = octave - octave.rounded(.down)
    return exp2(octave.rounded(.down)) * (1 + fraction)
  }

  /// The percentile of content headroom.
  fileprivate static let headroomShare = 0.9999

  /// Headroom of the image content: its 99.99th percentile over reference white, at least 0 stops.
  ///
  /// Infinite values and values above 65504, the largest half-precision number, are of unknown
  /// luminance and do not count. If percentiles were not measured, it is the headroom of `maximum`.
  ///
  /// - Complexity: O(n) for the n bins of the histogram, some thousands.
  public var contentHeadroom: Headroom {
    let unlimited = Int(histogram.last ?? 0)
    let level = percentile(Self.headroomShare, of: pixelCount - unlimited)
    return Headroom(ratio: max(level / referenceWhite, 1))
  }

  /// The key of the image: the level of its bright tones, 1.0 for reference white.
  ///
  /// This is the geometric mean of max(R, G, B) from the 65th to the 85th percentile: the third
  /// quartile, which does not jump if a window or a lamp grows beyond a quarter of the image. Values
  /// above 65504 do not count. It is computed from the bins of percentiles; 0 if these were not
  /// measured.
  ///
  /// - Complexity: O(n) for the n bins of the histogram, some thousands.
  public var key: Double {
    let counts = histogram.dropLast().map(Double.init)
    let total = counts.reduce(0, +)
    guard total > 0 else { return 0 }
    let (first, last) = (0.65 * total, 0.85 * total)
    var (sum, seen) = (0.0, 0.0)
    for (bin, count) in counts.enumerated() where count > 0 {
      let level = (Self.upperEdge(ofBin: max(bin - 1, 0)) + Self.upperEdge(ofBin: bin)) / 2
      sum += max(min(seen + count, last) - max(seen, first), 0) * log2(level)
      seen += count
    }
    return exp2(sum / (last - first))
  }

  /// Headroom and key, for tone-mapping operators, as `contentHeadroom` and `key`.
  public var contentStatistics: ToneMapOperator.ContentStatistics {
    ToneMapOperator.ContentStatistics(headroom: contentHeadroom, key: key)
  }
}

extension LightLevels: CustomStringConvertible {
  /// MaxCLL, MaxFALL and the range of luminances.
  public var description: String {
    let levels = [maximum, average, minimumLuminance, maximumLuminance].map {
      $0.formatted(as: "%.3g")
    }
    return
      "MaxCLL \(levels[0]), MaxFALL \(levels[1]), luminances \(levels[2]) to \(levels[3]) cd/m²"
  }
}

/// Accumulates the light levels of the rows of one band.
struct LightCounter {
  /// Constants of an image.
  struct Parameters: Sendable {
    let primaries: ColorPrimaries
    let referenceWhite: Double
    let candidates: [ColorPrimaries]
    /// Sums count multiples of 1 / `sumScale`.
    fileprivate let sumScale: Double
    fileprivate let luminanceWeights: [Float]
    fileprivate let gamuts: [[Float]]

    init(_ encoding: ColorEncoding) {
      primaries = encoding.primaries
      referenceWhite = encoding.referenceWhite
      // A pixel adds at most 2^31; the scale is chosen for the peak of PQ.
      let octaves = log2(PQ.peakLuminance / referenceWhite).rounded(.up)
      sumScale = exp2(min(30 - octaves, 20))
      candidates = [.bt709, .displayP3]
      let weights = primaries.luminanceWeights
      luminanceWeights = [Float(weights.x), Float(weights.y), Float(weights.z)]
      gamuts = candidates.map { encoding.primaries.conversion(to: $0).elements.map { Float($0) } }
    }
  }

  /// Empty if percentiles are not measured.
  fileprivate(set) var histogram: [UInt32]
  fileprivate(set) var light = pk_light()

  init(_ extent: LightLevels.Extent = .all) {
    histogram =
      extent == .all || extent == .percentiles ? [UInt32](repeating: 0, count: PK_BINS) : []
    light.smallest_luminance_bits = UInt32.max
  }

  mutating func add(_ row: LinearRow, parameters: Parameters, scratch: inout [UInt32]) {
    row.measure(
      luminanceWeights: parameters.luminanceWeights,
      gamuts: (parameters.gamuts[0], parameters.gamuts[1]),
      sumScale: Float(parameters.sumScale), scratch: &scratch, histogram: &histogram, light: &light)
  }

  /// Counts largest components; negative ones count as 0.
  mutating func add(maxima: [Float], scratch: inout [UInt32]) {
    maxima.measureMaxima(scratch: &scratch, histogram: &histogram, light: &light)
  }

  /// Whether these pixels suffice for an image of `pixelCount` pixels to have at least this
  /// headroom.
  func reaches(_ headroom: Headroom, pixelCount: Int) -> Bool {
    let tolerated =
      UInt64(pixelCount)
      - LightLevels.pixels(LightLevels.headroomShare, of: pixelCount)
    var brighter: UInt64 = 0
    for bin in histogram.indices.dropFirst().reversed() {
      guard LightLevels.upperEdge(ofBin: bin - 1) >= headroom.ratio else { break }
      brighter += UInt64(histogram[bin])
      if brighter > tolerated { return true }
    }
    return false
  }

  mutating func add(_ other: LightCounter) {
    for bin in histogram.indices {
      histogram[bin] = UInt32(clamping: UInt64(histogram[bin]) + UInt64(other.histogram[bin]))
    }
    light.sum_of_maxima += other.light.sum_of_maxima
    light.sum_of_luminance += other.light.sum_of_luminance
    light.largest_maximum_bits = max(light.largest_maximum_bits, other.light.largest_maximum_bits)
    light.largest_luminance_bits = max(
      light.largest_luminance_bits, other.light.largest_luminance_bits)
    light.smallest_luminance_bits = min(
      light.smallest_luminance_bits, other.light.smallest_luminance_bits)
    light.outside.0 += other.light.outside.0
    light.outside.1 += other.light.outside.1
  }
}
