// SPDX-License-Identifier: Apache-2.0
internal import PixelKernels

/// The steps between decoding and encoding of linear values: primaries and exposure, tone, gamut,
/// limits.
struct ColorPipeline: Sendable {
  /// Tolerance for values out of range that do not count as clipped, in cd/m²; it covers the
  /// rounding of the matrices.
  static let slackLuminance = 0.02

  /// To the primaries of the rendition's operator, or directly to the target's.
  private let matrix: [Float]?
  private let rendering: RowRendering?
  /// From the display's primaries to the target's.
  private let fromDisplay: [Float]?
  private let limit: Limit?
  private let glow: Glow?

  /// Emissive pixels: values above `slack` at alpha 0, above `peak` at other alpha.
  private struct Glow: Sendable {
    var slack: Float
    var peak: Float
  }

  /// Limits to 0...peak; values below `low` or above `high` count as clipped.
  private struct Limit: Sendable {
    var peak: Float
    var low: Float
    var high: Float
  }

  /// Prepares the steps from one color encoding to another.
  ///
  /// - Parameters:
  ///   - source: Color of the source.
  ///   - target: Color of the target.
  ///   - exposure: Gain of the linear values, in stops.
  ///   - rendition: Rendering for a display; `nil` for none.
  ///   - isUnbounded: Whether values may be outside the primaries or above the peak.
  ///   - isLimited: Whether values are clipped to the range of the target's signal.
  ///   - losesGlow: Whether premultiplied values become straight.
  ///   - isBegun: Whether `componentFunction` has already been applied to rows.
  init(
    from source: ColorEncoding, to target: ColorEncoding, exposure: Double,
    rendition: Rendition?, isUnbounded: Bool, isLimited: Bool, losesGlow: Bool = false,
    isBegun: Bool = false
  ) {
    matrix = Self.firstMatrix(from: source, to: target, exposure, rendition)
    let display = rendition?.primaries ?? target.primaries
    rendering = rendition.map {
      RowRendering(
        $0, from: source.primaries, to: display,
        slack: Float(Self.slackLuminance / target.referenceWhite), isUnbounded: isUnbounded,
        isBegun: isBegun)
    }
    fromDisplay = RowMatrix.elements(from: display, to: target.primaries)
    let limit = Self.limit(
      of: target, displayPeak: rendition?.toneMap.displayPeak, isLimited: isLimited)
    let rendered = fromDisplay == nil ? rendering?.peak : nil
    if let limit, let rendered, rendered <= limit.peak {
      self.limit = nil
    } else {
      self.limit = limit
    }
    let peak = target.transfer == .hlg ? HLG.Display.reference.peakLuminance : PQ.peakLuminance
    glow =
      losesGlow
      ? Glow(
        slack: Float(Self.slackLuminance / target.referenceWhite),
        peak: Float((peak + Self.slackLuminance) / target.referenceWhite)) : nil
  }

  private static func firstMatrix(
    from source: ColorEncoding, to target: ColorEncoding, _ exposure: Double,
    _ rendition: Rendition?
  ) -> [Float]? {
    let gain = Headroom(stops: exposure).ratio * source.referenceWhite / target.referenceWhite
    let primaries = rendition?.toneMap.primaries ?? target.primaries
    return RowMatrix.elements(from: source.primaries, to: primaries, gain: gain)
  }

  /// The first step, if it maps each component independently; otherwise `nil`.
  ///
  /// Decoders can combine it with their own function of each component.
  static func componentFunction(
    from source: ColorEncoding, to target: ColorEncoding, exposure: Double, rendition: Rendition?
  ) -> (@Sendable (Double) -> Double)? {
    guard firstMatrix(from: source, to: target, exposure, rendition) == nil else { return nil }
    return rendition.flatMap { RowRendering.componentFunction(of: $0) }
  }

  private static func limit(
    of target: ColorEncoding, displayPeak: Double?, isLimited: Bool
  ) -> Limit? {
    let slack = Float(slackLuminance / target.referenceWhite)
    let peak: Double? =
      switch target.transfer {
      case _ where !isLimited: nil
      case .pq: PQ.peakLuminance / target.referenceWhite
      // The peak of HLG is one of scene light; `RowEncoder` applies it.
      case .hlg: nil
      default: 1
      }
    guard let lowest = [peak, displayPeak].compactMap({ $0 }).min() else {
      // HLG cannot represent negative values; the peak only keeps arithmetic finite.
      return isLimited ? Limit(peak: 1e30, low: -slack, high: .infinity) : nil
    }
    return Limit(peak: Float(lowest), low: -slack, high: Float(lowest) + slack)
  }

  /// Whether the pipeline leaves values unchanged.
  var isIdentity: Bool {
    matrix == nil && rendering == nil && fromDisplay == nil && limit == nil && glow == nil
  }

  /// Scratch rows, and running counts of pixels.
  struct Scratch {
    fileprivate(set) var clipped = pk_clip_count()
    fileprivate(set) var changes = ImageTransform.Changes()
    /// Emissive pixels that straight alpha cannot store.
    fileprivate(set) var emissive = 0
    fileprivate var rendering: RowRendering.Scratch

    init(width: Int) { rendering = RowRendering.Scratch(width: width) }
  }

  func apply(to row: inout LinearRow, scratch: inout Scratch) {
    if let matrix { row.multiply(by: matrix) }
    if let glow { scratch.emissive += row.emissiveCount(slack: glow.slack, peak: glow.peak) }
    rendering?.apply(
      to: &row, scratch: &scratch.rendering, counting: &scratch.changes,
      clipped: &scratch.clipped)
    if let fromDisplay { row.multiply(by: fromDisplay) }
    if let limit {
      row.clip(peak: limit.peak, low: limit.low, high: limit.high, counting: &scratch.clipped)
    }
  }
}

/// Matrices in the layout of the kernels.
enum RowMatrix {
  /// The elements of a conversion; `nil` if it is the identity.
  static func elements(
    from source: ColorPrimaries, to target: ColorPrimaries, gain: Double = 1
  ) -> [Float]? {
    // Files that round chromaticities to single precision specify the same primaries.
    guard !source.isClose(to: target, tolerance: 1e-6) || gain != 1 else { return nil }
    return source.conversion(to: target).elements.map { Float($0 * gain) }
  }
}
