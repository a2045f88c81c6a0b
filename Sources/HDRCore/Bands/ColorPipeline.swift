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

/// Application of a `Rendition` to rows: from linear values in the operator's primaries to linear
/// values in the target's.
struct RowRendering: Sendable {
  private let toneMap: RowToneMap?
  private let whitening: pk_whitening?
  /// From the operator's primaries to its working primaries, and from there to the target's.
  private let matrixBefore: [Float]?
  private let matrixAfter: [Float]?
  private let gamutParameters: pk_gamut_parameters?
  /// Level above which values count as clipped by `gamutParameters`; `nil` if the operator limits to
  /// the peak.
  private let clippingLevel: Float?
  /// Scale and offset that raise 0 to the display's black, and the limits of values before; `nil`
  /// for black without luminance.
  private let raise: (scale: Float, offset: Float, peak: Float, slack: Float)?

  /// Prepares a rendition.
  ///
  /// - Parameters:
  ///   - rendition: The rendering.
  ///   - source: Primaries that contain the image's colors, except unbounded values.
  ///   - target: Primaries of the target.
  ///   - slack: Tolerance below 0 and above the peak for rounding.
  ///   - isUnbounded: Whether values may be outside the primaries or above the peak, as in floating
  ///     point and after a gain map.
  ///   - isBegun: Whether `componentFunction` has already been applied to rows.
  init(
    _ rendition: Rendition, from source: ColorPrimaries, to target: ColorPrimaries,
    slack: Float, isUnbounded: Bool, isBegun: Bool
  ) {
    let working = rendition.workingPrimaries(for: target)
    toneMap =
      RowToneMap(rendition.toneMap, isBegun: isBegun)
      ?? (isUnbounded ? RowToneMap(ofInfiniteLight: rendition.toneMap) : nil)
    whitening =
      rendition.toneMap.isIdentity || rendition.highlightDesaturation == 0
      ? nil : pk_whitening(strength: rendition.highlightDesaturation, in: working)
    matrixBefore = RowMatrix.elements(from: rendition.toneMap.primaries, to: working)
    matrixAfter = RowMatrix.elements(from: working, to: target)
    // A curve keeps ratios and limits to the peak, so its colors do not need gamut mapping. The
    // same is true of the identity, except for overshoots of Y'CbCr, which are not colors of the
    // image.
    let keepsColors = rendition.toneMap.isIdentity || rendition.toneMap.isCurve && working == target
    let isInside = keepsColors && !isUnbounded && source.reach(in: target) < 1 + 1e-6
    gamutParameters =
      isInside
      ? nil
      : rendition.gamutMapper(from: source, to: target).map {
        pk_gamut_parameters($0, slack: slack)
      }
    // Curves limit to the peak; values above it from other operators are colors out of gamut.
    clippingLevel =
      rendition.toneMap.mapping.letsLightPass ? gamutParameters.map { $0.peak + slack } : nil
    let black = rendition.black
    let displayPeak = rendition.toneMap.displayPeak
    raise =
      black > 0
      ? (Float(1 - black / displayPeak), Float(black), Float(displayPeak), slack) : nil
  }

  /// Upper limit of components, whose lower limit is 0; `nil` if components are not limited.
  var peak: Float? { gamutParameters?.peak }

  /// The first step, if it maps each component independently; otherwise `nil`.
  ///
  /// - Precondition: Linear values are in the operator's primaries.
  static func componentFunction(of rendition: Rendition) -> (@Sendable (Double) -> Double)? {
    guard rendition.highlightDesaturation == 0 else { return nil }
    return rendition.toneMap.mapping.componentFunction
  }

  /// Scratch rows.
  struct Scratch {
    fileprivate var toneMap: RowToneMap.Scratch
    fileprivate var maximum: [Float]

    init(width: Int) {
      toneMap = RowToneMap.Scratch(width: width)
      maximum = [Float](repeating: 0, count: width)
    }
  }

  /// Renders a row of finite linear values.
  func apply(
    to row: inout LinearRow, scratch: inout Scratch,
    counting changes: inout ImageTransform.Changes, clipped: inout pk_clip_count
  ) {
    if let matrixBefore { row.multiply(by: matrixBefore) }
    if let toneMap {
      if whitening != nil { row.maximum(into: &scratch.maximum) }
      changes.toneMapped += toneMap.apply(to: &row, scratch: &scratch.toneMap)
      if let whitening { row.moveTowardWhite(maximumBefore: scratch.maximum, whitening) }
    }
    let above = clippingLevel.map { row.pixelCount(above: $0) } ?? 0
    clipped.above += UInt64(above)
    if let matrixAfter { row.multiply(by: matrixAfter) }
    if let gamutParameters { changes.gamutMapped += max(row.apply(gamutParameters) - above, 0) }
    guard let raise else { return }
    if gamutParameters == nil {
      // Values are clipped before they are raised: a negative one would become darker than black.
      row.clip(
        peak: raise.peak, low: -raise.slack, high: raise.peak + raise.slack, counting: &clipped)
    }
    row.scale(by: raise.scale, adding: raise.offset)
  }
}

extension pk_whitening {
  /// The parameters for colors of these primaries.
  init(strength: Double, in primaries: ColorPrimaries) {
    self.init()
    self.strength = Float(strength)
    let matrix = GamutMapper.coneResponses(of: primaries)
    copy(matrix.elements, into: &responses)
    copy(matrix.inverse.elements, into: &colors)
  }
}

extension pk_gamut_parameters {
  /// The parameters of a mapping, with the derived matrices of the kernel.
  ///
  /// `slack` is the tolerance below 0 for colors that do not count as out of gamut.
  init(_ mapper: GamutMapper, slack: Float = 0) {
    self.init()
    self.slack = slack
    let (margin, marginAtPeak) = (
      GamutMapper.margin(mapper.knee), GamutMapper.margin(mapper.kneeAtPeak)
    )
    weights = (Float(mapper.weights.x), Float(mapper.weights.y), Float(mapper.weights.z))
    peak = Float(mapper.peak)
    (inside, inside_at_peak) = (Float(1 - mapper.knee), Float(mapper.kneeAtPeak))
    (per_margin, per_margin_at_peak) = (Float(1 / margin), Float(1 / marginAtPeak))
    (knee, knee_at_peak) = (Float(mapper.knee / margin), Float(mapper.kneeAtPeak / marginAtPeak))
    locus_knee = Float(GamutMapper.locusKnee)
    least_brightness = Float(GamutMapper.leastBrightness)
    chroma_loss = Float(GamutMapper.chromaLoss)
    chroma_loss_of_darkest = Float(GamutMapper.chromaLossOfDarkest)
    let toColor = mapper.colorOfResponses
    let response = toColor.transposed * mapper.weights
    response_weights = (Float(response.x), Float(response.y), Float(response.z))
    copy(mapper.locus.flatMap { [$0.x, $0.y, $0.z] }, into: &locus)
    copy(mapper.responses.elements, into: &responses)
    copy(
      (0..<3).flatMap { row in
        let offsets = toColor[row: row] - response
        return [offsets.x, offsets.y, offsets.z]
      }, into: &offsets)
    let (a, b) = GamutMapper.oklabOpponents
    copy(mapper.oklab.elements + [a.x, a.y, a.z, b.x, b.y, b.z], into: &oklab)
  }
}

/// Copies numbers into an array of C, which Swift imports as a tuple of the same length.
private func copy<Tuple>(_ numbers: [Double], into tuple: inout Tuple) {
  // SAFETY: the tuple consists of floats without padding; the count is checked.
  unsafe withUnsafeMutableBytes(of: &tuple) { bytes in
    let floats = unsafe bytes.bindMemory(to: Float.self)
    precondition(floats.count == numbers.count)
    for (index, number) in numbers.enumerated() { unsafe floats[index] = Float(number) }
  }
}
