internal import Foundation
internal import PixelKernels

/// A function of one variable, sampled from its double-precision definition for the row kernels.
///
/// Steps are equal within an octave and alike from octave to octave, so that the relative error of
/// the straight lines between samples is the same in shadows and highlights: with 128 steps an
/// octave a PQ signal is off by less than 0.06 codes of 16 bits. An increasing function stays so.
package final class SampledFunction: Sendable {
  /// What happens below the lowest octave.
  package enum Below {
    /// A straight line from 0 at 0.
    case throughOrigin
    /// The value at the lowest octave.
    case constant
  }

  /// Octaves of the normal numbers in single precision.
  static let normalOctaves = -126..<128

  private let nodes: [UInt64]
  private let first: UInt32
  private let last: UInt32
  private let shift: UInt32
  private let belowOffset: Float
  private let belowSlope: Float

  /// Samples `definition`.
  ///
  /// - Parameters:
  ///   - octaves: Base-2 logarithms of the argument, from the first sample to the last; what is
  ///     beyond `normalOctaves` is left out.
  ///   - stepsPerOctave: A power of two; with the octaves at most 65536 steps.
  ///   - largest: Larger arguments count as this one.
  ///   - below: What the function is below the first octave.
  ///   - limitFromBelow: What the function tends to where it jumps, which only samples may be: the
  ///     same as `definition` elsewhere. `nil` for a function without jumps.
  ///   - definition: The function, on positive arguments.
  package init(
    octaves: Range<Int>, stepsPerOctave: Int, largest: Float = .greatestFiniteMagnitude,
    below: Below = .throughOrigin, limitFromBelow: ((Double) -> Double)? = nil,
    definition: (Double) -> Double
  ) {
    precondition(stepsPerOctave.nonzeroBitCount == 1, "steps are cut from the bit pattern")
    let octaves = octaves.clamped(to: Self.normalOctaves)
    precondition(!octaves.isEmpty, "a function is sampled where single precision has numbers")
    let shift = UInt32(23 - stepsPerOctave.trailingZeroBitCount)
    let first = UInt32(127 + octaves.lowerBound) << 23
    let end = UInt32(127 + octaves.upperBound) << 23
    precondition((end - first) >> shift <= 1 << 16, "kernels count steps in 16 bits")
    func argument(_ index: UInt32) -> Double {
      Double(Float(bitPattern: first + index << shift))
    }
    var current = definition(argument(0))
    belowOffset = below == .constant ? Float(current) : 0
    belowSlope = below == .constant ? 0 : Float(current / Double(Float(bitPattern: first)))
    nodes = (0..<(end - first) >> shift).map { index in
      let end = argument(index + 1)
      let next = definition(end)
      let reached = limitFromBelow?(end) ?? next
      let node = Float(current)
      var step = Float(reached - Double(node))
      // Rounding must not let a line overshoot the next node: order would be lost there.
      if step > 0, node + step > Float(reached) { step = step.nextDown }
      current = next
      return UInt64(step.bitPattern) << 32 | UInt64(node.bitPattern)
    }
    self.shift = shift
    self.first = first
    // The last node has no successor: arguments stay one pattern below the end.
    last = min(largest.bitPattern, end - 1)
  }

  /// Replaces each element of a row by the function of it.
  func apply(to row: inout MutableSpan<Float>) {
    unsafe withKernelFunction { function in
      unsafe row.withUnsafeMutableBufferPointer { row in
        guard let start = row.baseAddress else { return }
        // SAFETY: the kernel touches exactly `count` elements.
        unsafe pk_apply_function(start, row.count, function)
      }
    }
  }

  /// Lends the function to a kernel.
  ///
  /// Kernels use only nodes that exist, arguments being limited to `last`. `body` must not let the
  /// pointer escape.
  func withKernelFunction<Result>(_ body: (UnsafePointer<pk_function>) -> Result) -> Result {
    unsafe nodes.withUnsafeBufferPointer { nodes in
      guard let nodes = nodes.baseAddress else { preconditionFailure("a function of no samples") }
      // SAFETY: the nodes stay in place until the closure returns.
      var function = unsafe pk_function(
        nodes: nodes, first: first, last: last, shift: shift, below_offset: belowOffset,
        below_slope: belowSlope)
      return unsafe body(&function)
    }
  }
}
