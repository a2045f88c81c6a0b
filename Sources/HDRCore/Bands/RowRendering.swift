internal import PixelKernels

/// A `Rendition` as it runs on rows: from light in the operator's primaries to light in the
/// target's.
struct RowRendering: Sendable {
  private let toneMap: RowToneMap?
  private let desaturation: Float
  /// From the operator's primaries to those in which it runs, and from there to the target's.
  private let matrixBefore: [Float]?
  private let matrixAfter: [Float]?
  private let grayMix: pk_gray_mix_plan?
  /// Light above this is cut off, though `grayMix` does it; `nil` where there is none.
  private let clippingLevel: Float?

  /// Prepares a rendition.
  ///
  /// - Parameters:
  ///   - rendition: The rendering.
  ///   - source: Primaries that hold the image's colors, but for those of unbounded light.
  ///   - target: Primaries of the target.
  ///   - slack: Light above the peak that is rounding.
  ///   - isUnbounded: Whether light may lie outside its primaries or above its peak, as it can in
  ///     floating point and after a gain map.
  ///   - isBegun: Whether rows have been through `componentFunction`.
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
    // A curve keeps the ratios and holds the peak, so it makes no colors that need mapping; nor does
    // the identity, but for the overshoots of Y'CbCr, which are no colors.
    let keepsColors =
      rendition.toneMap.isIdentity || rendition.toneMap.isCurve && working == target
    let isInside =
      keepsColors && !isUnbounded && GrayMix.reach(of: source, in: target) < 1 + 1e-6
    grayMix =
      isInside ? nil : rendition.gamutMapper(from: source, to: target).map(pk_gray_mix_plan.init)
    // Curves hold the peak; what other operators put above it is a color outside the target.
    clippingLevel = rendition.toneMap.mapping.letsLightPass ? grayMix.map { $0.peak + slack } : nil
  }

  /// Light that no component exceeds, or falls below 0; `nil` where there may be other light.
  var peak: Float? { grayMix?.peak }

  /// The first step, if it changes each component by itself; else `nil`.
  ///
  /// - Precondition: Light comes in the operator's primaries.
  static func componentFunction(of rendition: Rendition) -> (@Sendable (Double) -> Double)? {
    guard rendition.highlightDesaturation == 0 else { return nil }
    return rendition.toneMap.mapping.componentFunction
  }

  /// Rows to work with.
  struct Scratch {
    fileprivate var toneMap: RowToneMap.Scratch
    fileprivate var maximum: [Float]

    init(width: Int) {
      toneMap = RowToneMap.Scratch(width: width)
      maximum = [Float](repeating: 0, count: width)
    }
  }

  /// Renders a row of finite light.
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
