internal import PixelKernels

/// What happens to light between decoding and encoding: primaries and exposure, tone, limits.
struct LightSteps: Sendable {
  /// How far light may be out of range without counting as clipped: rounding of the matrices, in
  /// units of reference white.
  static let slack: Float = 1e-4

  private let matrix: [Float]?
  private let shoulder: Shoulder?
  private let limit: Limit

  private struct Shoulder: Sendable {
    var knee: Float
    var curvature: Float
    var content: Float
    var peak: Float
  }

  private enum Limit: Sendable {
    /// 0...peak.
    case range(peak: Float)
    /// Anything finite.
    case finite
  }

  /// Plans the way from one meaning to another.
  ///
  /// - Parameters:
  ///   - source: What the light is.
  ///   - target: What it shall be.
  ///   - exposure: In stops.
  ///   - shoulder: A tone curve on the light of the target.
  ///   - isLimited: Whether light must be what the target's signal can say.
  init(
    from source: ColorEncoding, to target: ColorEncoding, exposure: Double,
    shoulder: RationalShoulder?, isLimited: Bool
  ) {
    let gain = Headroom(stops: exposure).ratio * source.referenceWhite / target.referenceWhite
    if source.primaries == target.primaries, gain == 1 {
      matrix = nil
    } else {
      let conversion = source.primaries.conversion(to: target.primaries)
      matrix = conversion.elements.map { Float($0 * gain) }
    }
    self.shoulder = shoulder.map {
      Shoulder(
        knee: Float($0.knee), curvature: Float($0.curvature), content: Float($0.contentPeak),
        peak: Float($0.displayPeak))
    }
    guard isLimited else {
      limit = .finite
      return
    }
    switch target.transfer {
    case .pq: limit = .range(peak: Float(PQ.peakLuminance / target.referenceWhite))
    case .linear: limit = .finite
    // HLG's limit is one of scene light, which `RowEncoder` knows; this one keeps arithmetic finite.
    case .hlg: limit = .range(peak: 1e30)
    default: limit = .range(peak: 1)
    }
  }

  func apply(to row: inout LightRow, counting counts: inout pk_clip_count) {
    if let matrix { row.multiply(by: matrix) }
    switch limit {
    case .range(let peak): row.clip(peak: peak, slack: Self.slack, counting: &counts)
    case .finite: row.makeFinite(counting: &counts)
    }
    if let shoulder {
      row.applyShoulder(
        knee: shoulder.knee, curvature: shoulder.curvature, content: shoulder.content,
        peak: shoulder.peak)
    }
  }
}
