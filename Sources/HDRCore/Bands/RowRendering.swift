// SPDX-License-Identifier: Apache-2.0
internal import PixelKernels

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
