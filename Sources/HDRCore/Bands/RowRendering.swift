internal import PixelKernels

/// Application of a `Rendition` to rows: from linear values in the operator's primaries to linear
/// values in the target's.
struct RowRendering: Sendable {
  private let toneMap: RowToneMap?
  private let desaturation: Float
  /// From the operator's primaries to its working primaries, and from there to the target's.
  private let matrixBefore: [Float]?
  private let matrixAfter: [Float]?
  private let grayMix: pk_gray_mix_plan?
  /// Level above which values count as clipped by `grayMix`; `nil` if the operator limits to the
  /// peak.
  private let clippingLevel: Float?

  /// Prepares a rendition.
  ///
  /// - Parameters:
  ///   - rendition: The rendering.
  ///   - source: Primaries that contain the image's colors, except unbounded values.
  ///   - target: Primaries of the target.
  ///   - slack: Tolerance above the peak for rounding.
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
    desaturation = rendition.toneMap.isIdentity ? 0 : Float(rendition.highlightDesaturation)
    matrixBefore = RowMatrix.elements(from: rendition.toneMap.primaries, to: working)
    matrixAfter = RowMatrix.elements(from: working, to: target)
    // A curve keeps ratios and limits to the peak, so its colors do not need gamut mapping. The
    // same is true of the identity, except for overshoots of Y'CbCr, which are not colors of the
    // image.
    let keepsColors =
      rendition.toneMap.isIdentity || rendition.toneMap.isCurve && working == target
    let isInside =
      keepsColors && !isUnbounded && GrayMix.reach(of: source, in: target) < 1 + 1e-6
    grayMix =
      isInside ? nil : rendition.gamutMapper(from: source, to: target).map(pk_gray_mix_plan.init)
    // Curves limit to the peak; values above it from other operators are colors out of gamut.
    clippingLevel = rendition.toneMap.mapping.letsLightPass ? grayMix.map { $0.peak + slack } : nil
  }

  /// Upper limit of components, whose lower limit is 0; `nil` if components are not limited.
  var peak: Float? { grayMix?.peak }

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
    to row: inout LightRow, scratch: inout Scratch,
    counting changes: inout ImageTransform.Changes, clipped: inout pk_clip_count
  ) {
    if let matrixBefore { row.multiply(by: matrixBefore) }
    if let toneMap {
      if desaturation > 0 { row.maximum(into: &scratch.maximum) }
      changes.toneMapped += toneMap.apply(to: &row, scratch: &scratch.toneMap)
      if desaturation > 0 {
        row.moveTowardWhite(maximumBefore: scratch.maximum, strength: desaturation)
      }
    }
    let above = clippingLevel.map { row.pixelCount(above: $0) } ?? 0
    clipped.above += UInt64(above)
    if let matrixAfter { row.multiply(by: matrixAfter) }
    if let grayMix { changes.gamutMapped += max(row.apply(grayMix) - above, 0) }
  }
}

extension pk_gray_mix_plan {
  init(_ mix: GrayMix) {
    self.init(
      weights: (Float(mix.weights.x), Float(mix.weights.y), Float(mix.weights.z)),
      knee: Float(mix.knee), curvature: Float(mix.curvature), reach: Float(mix.reach),
      peak: Float(mix.peak))
  }
}
