// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import PixelKernels

/// A function of one variable, sampled from its double-precision definition for the row kernels.
///
/// Steps have equal width within an octave, and an octave has the same number of them everywhere,
/// so that the relative error of linear interpolation is the same in shadows and highlights.
/// `SampledFunction<Float>` maps rows of pixels: with 128 steps per octave the error of a PQ signal
/// is below 0.06 code values of 16 bits. `SampledFunction<Double>` is for metrics: with 1024 steps
/// the error of PQ is below 5e-8, that of Delta E ITP below 0.0003, and far less for similar
/// colors.
package final class SampledFunction<Value: SampledValue>: Sendable {
  private let nodes: [Value.Node]
  private let steps: OctaveSteps
  /// Bit pattern of the largest argument.
  private let last: UInt32
  /// Value at 0.
  private let offset: Value
  /// Slope below the first node.
  private let slope: Value

  private init(
    nodes: [Value.Node], steps: OctaveSteps, largest: Float, offset: Value, slope: Value
  ) {
    self.nodes = nodes
    self.steps = steps
    // The last node does not have a successor, so arguments stay one bit pattern below the end.
    last = min(largest.bitPattern, steps.end - 1)
    self.offset = offset
    self.slope = slope
  }
}

/// Precision of the values of a `SampledFunction`.
package protocol SampledValue: BinaryFloatingPoint, Sendable {
  /// A sample in the form that its kernel reads.
  associatedtype Node: BitwiseCopyable & Sendable
}

extension Float: SampledValue {
  /// The value in the low half, the difference to the next node in the high half.
  package typealias Node = UInt64
}

extension Double: SampledValue {
  package typealias Node = Double
}

/// The arguments at which functions of positive numbers are sampled.
private struct OctaveSteps: Sendable {
  /// Bit patterns of the first argument, and of the one after the last step.
  let first: UInt32
  let end: UInt32
  /// Bits of a pattern within one step.
  let shift: UInt32

  /// Octaves of the normal numbers in single precision.
  private static let normalOctaves = -126..<128

  /// - Parameters:
  ///   - octaves: Base-2 logarithms of the arguments. At least one is in the range of normal
  ///     numbers; others are left out.
  ///   - stepsPerOctave: A power of two.
  init(_ octaves: Range<Int>, stepsPerOctave: Int) {
    let octaves = octaves.clamped(to: Self.normalOctaves)
    assert(stepsPerOctave.nonzeroBitCount == 1 && !octaves.isEmpty)
    shift = UInt32(23 - stepsPerOctave.trailingZeroBitCount)
    first = UInt32(127 + octaves.lowerBound) << 23
    end = UInt32(127 + octaves.upperBound) << 23
  }

  var count: UInt32 { (end - first) >> shift }

  func argument(_ index: UInt32) -> Double { Double(Float(bitPattern: first + index << shift)) }
}

extension SampledFunction where Value == Float {
  /// Continuation below the lowest octave.
  package enum Below {
    /// A straight line from 0 at 0.
    case throughOrigin
    /// The value at the lowest octave.
    case constant
  }

  /// Samples `definition`; an increasing function stays increasing.
  ///
  /// - Parameters:
  ///   - octaves: Base-2 logarithms of the argument, from the first sample to the last; octaves out
  ///     of range of the normal numbers of single precision are left out.
  ///   - stepsPerOctave: A power of two; over all octaves at most 65536 steps.
  ///   - largest: Maximum argument; larger arguments are clamped.
  ///   - below: Continuation below the first octave.
  ///   - limitFromBelow: Limit from below at jumps of the function, which must be at samples; equal
  ///     to `definition` elsewhere. `nil` for a continuous function.
  ///   - definition: The function, on positive arguments.
  package convenience init(
    octaves: Range<Int>, stepsPerOctave: Int, largest: Float = .greatestFiniteMagnitude,
    below: Below = .throughOrigin, limitFromBelow: ((Double) -> Double)? = nil,
    definition: (Double) -> Double
  ) {
    let steps = OctaveSteps(octaves, stepsPerOctave: stepsPerOctave)
    assert(steps.count <= 1 << 16, "the kernel counts steps in 16 bits")
    let start = definition(steps.argument(0))
    var current = start
    let nodes = (0..<steps.count).map { index in
      let end = steps.argument(index + 1)
      let next = definition(end)
      let reached = limitFromBelow?(end) ?? next
      let node = Float(current)
      var step = Float(reached - Double(node))
      // Rounding must not let a line overshoot the next node, or the function would not be
      // monotonic.
      if step > 0, node + step > Float(reached) { step = step.nextDown }
      current = next
      return UInt64(step.bitPattern) << 32 | UInt64(node.bitPattern)
    }
    self.init(
      nodes: nodes, steps: steps, largest: largest,
      offset: below == .constant ? Float(start) : 0,
      slope: below == .constant ? 0 : Float(start / steps.argument(0)))
  }

  /// Replaces each element of a row by its function value.
  func apply(to row: inout MutableSpan<Float>) {
    unsafe withKernelFunction { function in
      unsafe row.withUnsafeMutableBufferPointer { row in
        guard let start = row.baseAddress else { return }
        // SAFETY: the kernel touches exactly `count` elements.
        unsafe pk_apply_function(start, row.count, function)
      }
    }
  }

  /// Replaces each element of a row by its function value.
  package func apply(to row: inout [Float]) {
    var span = row.mutableSpan
    apply(to: &span)
  }

  /// Passes the function to a kernel.
  ///
  /// Kernels clamp arguments to `last`, so they read only nodes that exist. `body` must not let the
  /// pointer escape.
  func withKernelFunction<Result>(_ body: (UnsafePointer<pk_function>) -> Result) -> Result {
    unsafe nodes.withUnsafeBufferPointer { nodes in
      guard let nodes = nodes.baseAddress else { preconditionFailure("a function of no samples") }
      // SAFETY: the nodes stay in place until the closure returns.
      var function = unsafe pk_function(
        nodes: nodes, first: steps.first, last: last, shift: steps.shift, below_offset: offset,
        below_slope: slope)
      return unsafe body(&function)
    }
  }
}

extension SampledFunction where Value == Double {
  /// Samples a function of luminances.
  ///
  /// - Parameters:
  ///   - octaves: Base-2 logarithms of the luminances, from the first sample to the last; below the
  ///     first, the function is a straight line from its value at 0.
  ///   - definition: The function, for luminances of at least 0.
  convenience init(luminances octaves: Range<Int>, definition: (Double) -> Double) {
    let steps = OctaveSteps(octaves, stepsPerOctave: 1024)
    // One node more than steps, because the kernel interpolates between two nodes.
    let nodes = (0...steps.count).map { definition(steps.argument($0)) }
    self.init(
      nodes: nodes, steps: steps, largest: .greatestFiniteMagnitude, offset: definition(0),
      slope: 0)
  }

  /// Writes the function of each element of a row; negative elements count as 0.
  func apply(to row: [Float], into out: inout [Double]) {
    precondition(out.count == row.count)
    unsafe nodes.withUnsafeBufferPointer { nodes in
      guard let nodes = nodes.baseAddress else { return }
      // SAFETY: the kernel uses the nodes only inside this closure; arguments are clamped to
      // `last`, so it reads only nodes that exist. Both rows are `count` long.
      var function = unsafe pk_fine_function(
        nodes: nodes, first: steps.first, last: last, shift: steps.shift, at_zero: offset)
      unsafe pk_sample(row, &out, row.count, &function)
    }
  }
}
