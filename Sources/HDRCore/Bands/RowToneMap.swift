// SPDX-License-Identifier: Apache-2.0
internal import PixelKernels
internal import Platform

/// Application of a tone-mapping operator to rows.
package struct RowToneMap: Sendable {
  /// Computation of rows; operators without a case of their own are curves.
  enum Path: Sendable {
    case shoulder(gain: Float, knee: Float, curvature: Float, content: Float, peak: Float)
    case reinhard(numerator: Float, denominator: Float, content: Float, peak: Float)
    /// Largest component to largest component.
    case curve(SampledFunction<Float>)
    case limit(peak: Float)
    case bt2446a(MethodA)
    /// Luminance to gain, with a shoulder for results that are too bright.
    indirect case luminance(weights: SIMD3<Float>, gain: SampledFunction<Float>, limit: RowToneMap?)
    case mixed([MixedGain])
  }

  /// A gain curve of SMPTE ST 2094-50 and the weights of its argument.
  struct MixedGain: Sendable {
    var shared: [Float]
    var component: Float
    var gain: SampledFunction<Float>
  }

  /// Parameters of `BT2446A`; the gain is a function of luma / `step`, so that its jump is at a
  /// sample.
  struct MethodA: Sendable {
    /// `nil` if rows already contain the content's signal.
    var toSignal: SampledFunction<Float>?
    var gain: SampledFunction<Float>
    var step: Float
    var displayPeak: Float
  }

  private let path: Path

  /// Makes an operator from its computation.
  init(_ path: Path) { self.path = path }

  /// Prepares an operator; `nil` if it is the identity.
  ///
  /// - Parameters:
  ///   - toneMap: The operator.
  ///   - isBegun: Whether its `componentFunction` has already been applied to rows.
  init?(_ toneMap: ToneMap, isBegun: Bool) {
    guard !toneMap.isIdentity else { return nil }
    self = toneMap.mapping.onRows(isBegun: isBegun)
  }

  /// Effect of an operator that is otherwise the identity: infinite values become the content's
  /// peak; `nil` for operators without a content peak.
  init?(ofInfiniteLight toneMap: ToneMap) {
    guard let content = toneMap.mapping.contentPeak else { return nil }
    // A shoulder without curvature: the identity up to the largest half-precision value, its peak
    // beyond.
    let largest = Float(Float16.greatestFiniteMagnitude)
    path = .shoulder(gain: 1, knee: largest, curvature: 0, content: largest, peak: Float(content))
  }

  /// Scratch rows for mapping a row.
  struct Scratch {
    fileprivate var argument: [Float]
    fileprivate var value: [Float]
    fileprivate var gains: LinearRow

    init(width: Int) {
      argument = [Float](repeating: 0, count: width)
      value = argument
      gains = LinearRow(width: width, hasAlpha: false)
    }
  }

  /// Maps a row of finite linear values in the operator's primaries.
  ///
  /// - Returns: The number of pixels that changed.
  func apply(to row: inout LinearRow, scratch: inout Scratch) -> Int {
    switch path {
    case .shoulder(let gain, let knee, let curvature, let content, let peak):
      return row.applyShoulder(
        gain: gain, knee: knee, curvature: curvature, content: content, peak: peak)
    case .reinhard(let numerator, let denominator, let content, let peak):
      return row.applyReinhard(
        numerator: numerator, denominator: denominator, content: content, peak: peak)
    case .limit(let peak): return row.limit(to: peak)
    case .curve(let curve): return row.apply(curve)
    case .bt2446a(let method):
      if let toSignal = method.toSignal { row.apply([.sampled(toSignal)]) }
      row.applyBT2446A(gain: method.gain, step: method.step, peak: method.displayPeak)
      return row.width
    case .luminance(let weights, let gain, let limit):
      row.luminance(weights, into: &scratch.argument)
      gain.apply(to: &scratch.argument)
      row.multiply(byGain: scratch.argument)
      _ = limit?.apply(to: &row, scratch: &scratch)
      return row.width
    case .mixed(let gains):
      if let only = gains.first, gains.count == 1, only.component == 0 {
        row.mixComponents(only.shared, into: &scratch.argument)
        only.gain(of: row.red, &scratch)
        return row.scale(by: scratch.value)
      }
      apply(gains, to: &row, scratch: &scratch)
      return row.width
    }
  }

  /// Multiplies by all gains, each computed from the color before any of them.
  private func apply(_ gains: [MixedGain], to row: inout LinearRow, scratch: inout Scratch) {
    for (index, mixed) in gains.enumerated() {
      row.mixComponents(mixed.shared, into: &scratch.argument)
      let isFirst = index == 0
      if mixed.component == 0 {
        mixed.gain(of: row.red, &scratch)
        scratch.gains.red.accumulate(scratch.value, isFirst: isFirst)
        scratch.gains.green.accumulate(scratch.value, isFirst: isFirst)
        scratch.gains.blue.accumulate(scratch.value, isFirst: isFirst)
      } else {
        mixed.gain(of: row.red, &scratch)
        scratch.gains.red.accumulate(scratch.value, isFirst: isFirst)
        mixed.gain(of: row.green, &scratch)
        scratch.gains.green.accumulate(scratch.value, isFirst: isFirst)
        mixed.gain(of: row.blue, &scratch)
        scratch.gains.blue.accumulate(scratch.value, isFirst: isFirst)
      }
    }
    row.red.multiply(by: scratch.gains.red)
    row.green.multiply(by: scratch.gains.green)
    row.blue.multiply(by: scratch.gains.blue)
  }
}

extension RowToneMap.MixedGain {
  /// Assigns to `scratch.value` the gain of a component, whose shared argument is
  /// `scratch.argument`.
  fileprivate func gain(of row: [Float], _ scratch: inout RowToneMap.Scratch) {
    scratch.value.assign(scratch.argument, adding: row, weight: component)
    gain.apply(to: &scratch.value)
  }
}

extension [Float] {
  /// Assigns another row if `isFirst`, otherwise multiplies by it.
  fileprivate mutating func accumulate(_ gain: [Float], isFirst: Bool) {
    if isFirst { assign(gain) } else { multiply(by: gain) }
  }
}

extension SampledFunction<Float> {
  /// Samples a curve from the largest component to its mapped value.
  convenience init(sampling curve: some ToneCurve) {
    let (content, display) = (curve.range.contentPeak, curve.range.displayPeak)
    // The curve ends at the content's peak; a line continues it so that the last step is smooth.
    let before = content * (1 - 1e-4)
    let slope = (display - curve.mapped(before)) / (content - before)
    // Lower end for a curve without a straight part; below the black level of any display.
    let lowest = max(0x1p-30, content * 0x1p-60, curve.knee)
    self.init(
      octaves: Int(clamping: log2(lowest).rounded(.down))..<Int(clamping: log2(content)) + 1,
      stepsPerOctave: 1024,
      largest: Float(content)
    ) { maximum in
      maximum < content ? curve.mapped(maximum) : display + slope * (maximum - content)
    }
  }
}

// The tone kernels of `PixelKernels` as methods on rows. Results are numbers of changed pixels.

extension LinearRow {
  /// Maps max(R, G, B) by the rational shoulder; see `RationalShoulder`.
  mutating func applyShoulder(
    gain: Float, knee: Float, curvature: Float, content: Float, peak: Float
  ) -> Int {
    unsafe withPointers { red, green, blue, count in
      // SAFETY: the rows are `count` long.
      unsafe pk_shoulder(red, green, blue, count, gain, knee, curvature, content, peak)
    }
  }

  /// Maps max(R, G, B) by Reinhard's curve; see `ExtendedReinhard`.
  mutating func applyReinhard(
    numerator: Float, denominator: Float, content: Float, peak: Float
  ) -> Int {
    unsafe withPointers { red, green, blue, count in
      // SAFETY: the rows are `count` long.
      unsafe pk_reinhard(red, green, blue, count, numerator, denominator, content, peak)
    }
  }

  /// The largest component, at least 0.
  package func maximum(into out: inout [Float]) {
    precondition(out.count == width)
    // SAFETY: all four rows are `width` long.
    unsafe pk_maximum(red, green, blue, &out, width)
  }

  /// Scales each pixel so that its largest component is mapped by `curve`; see `ToneCurve`.
  mutating func apply(_ curve: SampledFunction<Float>) -> Int {
    unsafe withPointers { red, green, blue, count in
      unsafe curve.withKernelFunction { curve in
        // SAFETY: the rows are `count` long.
        unsafe pk_tone_curve(red, green, blue, count, curve)
      }
    }
  }

  /// Multiplies each pixel by a gain.
  mutating func scale(by gain: [Float]) -> Int {
    precondition(gain.count == width)
    return unsafe withPointers { red, green, blue, count in
      // SAFETY: all rows are `count` long.
      unsafe pk_scale(red, green, blue, count, gain)
    }
  }

  /// Clips components at `peak`.
  mutating func limit(to peak: Float) -> Int {
    unsafe withPointers { red, green, blue, count in
      // SAFETY: the rows are `count` long.
      unsafe pk_limit(red, green, blue, count, peak)
    }
  }

  /// Number of pixels with a component above a level.
  func pixelCount(above level: Float) -> Int {
    // SAFETY: the rows are `width` long.
    unsafe pk_count_above(red, green, blue, width, level)
  }

  /// Number of pixels with a component below a level.
  package func pixelCount(below level: Float) -> Int {
    // SAFETY: the rows are `width` long.
    unsafe pk_count_below(red, green, blue, width, level)
  }

  /// Converts R'G'B' to display-linear values with a gain of luma, given as a function of luma /
  /// `step`; see `BT2446A`.
  mutating func applyBT2446A(gain: SampledFunction<Float>, step: Float, peak: Float) {
    unsafe withPointers { red, green, blue, count in
      unsafe gain.withKernelFunction { gain in
        // SAFETY: the rows are `count` long.
        unsafe pk_bt2446a(red, green, blue, count, gain, 1 / step, peak)
      }
    }
  }

  /// The part of an `AdaptiveToneMap.ComponentMixing` that the three components share.
  func mixComponents(_ mixing: [Float], into out: inout [Float]) {
    precondition(out.count == width && mixing.count >= 5)
    // SAFETY: all four rows are `width` long; the kernel reads five weights.
    unsafe pk_mix_components(red, green, blue, &out, width, mixing)
  }

  /// Moves pixels toward white in proportion to the reduction of their largest component; see
  /// `Rendition`.
  mutating func moveTowardWhite(maximumBefore: [Float], _ parameters: pk_whitening) {
    precondition(maximumBefore.count == width)
    unsafe withPointers { red, green, blue, count in
      var parameters = parameters
      // SAFETY: all rows are `count` long.
      unsafe pk_toward_white(red, green, blue, count, maximumBefore, &parameters)
    }
  }

  /// Applies `GamutMapper`; limits components to 0...peak.
  mutating func apply(_ parameters: pk_gamut_parameters) -> Int {
    unsafe withPointers { red, green, blue, count in
      var parameters = parameters
      // SAFETY: the rows are `count` long.
      return unsafe pk_map_gamut(red, green, blue, count, &parameters)
    }
  }

  /// Maps colors outside the target's primaries and peak into the target gamut.
  package mutating func map(by gamut: GamutRows) { _ = apply(gamut.parameters) }
}

/// A `GamutMapper` on rows, with the parameters of its kernel.
package struct GamutRows: Sendable {
  fileprivate let parameters: pk_gamut_parameters

  package init(_ mapper: GamutMapper) { parameters = pk_gamut_parameters(mapper) }
}

extension [Float] {
  /// Assigns `shared + weight * component`, at least 0.
  mutating func assign(_ shared: [Float], adding component: [Float], weight: Float) {
    precondition(shared.count == count && component.count == count)
    // SAFETY: all three rows are `count` long.
    unsafe pk_add_component(shared, component, &self, count, weight)
  }
}

extension [Float] {
  /// Adds dither of up to half a code to signals before they are quantized, in a pattern without
  /// visible structure.
  ///
  /// The mean of an area is then precise beyond the code values. A signal that a code represents
  /// exactly is still quantized to that code.
  ///
  /// Source: Martin Roberts, "The Unreasonable Effectiveness of Quasirandom Sequences", 2018: R2.
  mutating func dither(y: Int, _ scale: QuantizationScale) {
    let (across, down): (UInt32, UInt32) = (3_242_174_889, 2_447_445_413)
    // SAFETY: the row is `count` long.
    unsafe pk_dither_r2(
      &self, count, UInt32(truncatingIfNeeded: y) &* down, across, 0.98 / scale.scale)
  }
}
