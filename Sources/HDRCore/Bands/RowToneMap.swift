internal import Foundation
internal import PixelKernels

/// A tone-mapping operator as it runs on rows.
package struct RowToneMap: Sendable {
  /// How rows are computed; operators without a path of their own are curves.
  enum Path: Sendable {
    case shoulder(knee: Float, curvature: Float, content: Float, peak: Float)
    case reinhard(numerator: Float, denominator: Float, content: Float, peak: Float)
    /// Largest component to largest component.
    case curve(SampledFunction<Float>)
    case limit(peak: Float)
    case bt2446a(MethodA)
    /// Luminance to gain, and a shoulder where that is too bright.
    indirect case luminance(weights: SIMD3<Float>, gain: SampledFunction<Float>, limit: RowToneMap?)
    case mixed([MixedGain])
  }

  /// A gain curve of SMPTE ST 2094-50 and what it is a function of.
  struct MixedGain: Sendable {
    var shared: [Float]
    var component: Float
    var gain: SampledFunction<Float>
  }

  /// Parameters of `BT2446A`; the gain is a function of luma over `step`, so that its jump is a sample.
  struct MethodA: Sendable {
    /// `nil` where rows come as the content's signal already.
    var toSignal: SampledFunction<Float>?
    var gain: SampledFunction<Float>
    var step: Float
    var displayPeak: Float
  }

  private let path: Path

  /// An operator by how its rows are computed.
  init(_ path: Path) { self.path = path }

  /// Prepares an operator; `nil` where it changes nothing.
  ///
  /// - Parameters:
  ///   - toneMap: The operator.
  ///   - isBegun: Whether rows have been through its `componentFunction`.
  init?(_ toneMap: ToneMap, isBegun: Bool) {
    guard !toneMap.isIdentity else { return nil }
    self = toneMap.mapping.onRows(isBegun: isBegun)
  }

  /// Effect of an operator that is the identity: infinite values become the content's
  /// peak; `nil` for operators without one.
  init?(ofInfiniteLight toneMap: ToneMap) {
    guard let content = toneMap.mapping.contentPeak else { return nil }
    // A shoulder without a bend: straight up to the largest half, and its peak beyond.
    let largest = Float(Float16.greatestFiniteMagnitude)
    path = .shoulder(knee: largest, curvature: 0, content: largest, peak: Float(content))
  }

  /// Rows to work with while a row is mapped.
  struct Scratch {
    fileprivate var argument: [Float]
    fileprivate var value: [Float]
    fileprivate var gains: LightRow

    init(width: Int) {
      argument = [Float](repeating: 0, count: width)
      value = argument
      gains = LightRow(width: width, hasAlpha: false)
    }
  }

  /// Maps a row of finite light in the operator's primaries.
  ///
  /// - Returns: The number of pixels that changed.
  func apply(to row: inout LightRow, scratch: inout Scratch) -> Int {
    switch path {
    case .shoulder(let knee, let curvature, let content, let peak):
      return row.applyShoulder(knee: knee, curvature: curvature, content: content, peak: peak)
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

  /// Multiplies by the gains of the color as it was before any of them.
  private func apply(_ gains: [MixedGain], to row: inout LightRow, scratch: inout Scratch) {
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
  /// Makes `scratch.value` the gain of a component, whose shared argument is in `scratch.argument`.
  fileprivate func gain(of row: [Float], _ scratch: inout RowToneMap.Scratch) {
    scratch.value.assign(scratch.argument, adding: row, weight: component)
    gain.apply(to: &scratch.value)
  }
}

extension [Float] {
  /// Becomes, or is multiplied by, another row.
  fileprivate mutating func accumulate(_ gain: [Float], isFirst: Bool) {
    if isFirst { assign(gain) } else { multiply(by: gain) }
  }
}

extension SampledFunction<Float> {
  /// Samples what a curve makes of the largest component.
  convenience init(sampling curve: some ToneCurve) {
    let (content, display) = (curve.range.contentPeak, curve.range.displayPeak)
    // The curve ends at the content's peak; a line goes on so that the last step is a smooth one.
    let before = content * (1 - 1e-4)
    let slope = (display - curve.mapped(before)) / (content - before)
    // A curve without a straight part is one from there on: less than any display shows.
    let lowest = max(0x1p-30, content * 0x1p-60, curve.knee)
    self.init(
      octaves: Int(log2(lowest).rounded(.down))..<Int(log2(content)) + 1, stepsPerOctave: 1024,
      largest: Float(content)
    ) { maximum in
      maximum < content ? curve.mapped(maximum) : display + slope * (maximum - content)
    }
  }
}
