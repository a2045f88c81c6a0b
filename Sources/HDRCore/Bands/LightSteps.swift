internal import PixelKernels

/// What happens to light between decoding and encoding: primaries and exposure, tone, limits.
struct LightSteps: Sendable {
  /// How far light may be out of range without counting as clipped, for the rounding of the matrices:
  /// cd/m².
  static let slackLuminance = 0.02

  private let matrix: [Float]?
  private let shoulder: Shoulder?
  private let limit: Limit?

  private struct Shoulder: Sendable {
    var knee: Float
    var curvature: Float
    var content: Float
    var peak: Float
  }

  /// 0...peak; what is below `low` or above `high` counts as clipped.
  private struct Limit: Sendable {
    var peak: Float
    var low: Float
    var high: Float
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
      limit = nil
      return
    }
    let slack = Float(Self.slackLuminance / target.referenceWhite)
    switch target.transfer {
    case .pq:
      let peak = Float(PQ.peakLuminance / target.referenceWhite)
      limit = Limit(peak: peak, low: -slack, high: peak + slack)
    // HLG's peak is one of scene light, which `RowEncoder` knows; this one keeps arithmetic finite.
    case .hlg: limit = Limit(peak: 1e30, low: -slack, high: .infinity)
    default: limit = Limit(peak: 1, low: -slack, high: 1 + slack)
    }
  }

  func apply(to row: inout LightRow, counting counts: inout pk_clip_count) {
    if let matrix { row.multiply(by: matrix) }
    if let limit {
      row.clip(peak: limit.peak, low: limit.low, high: limit.high, counting: &counts)
    }
    if let shoulder {
      row.applyShoulder(
        knee: shoulder.knee, curvature: shoulder.curvature, content: shoulder.content,
        peak: shoulder.peak)
    }
  }
}
