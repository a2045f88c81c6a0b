internal import PixelKernels

/// A function of luminance, sampled in double precision for metrics.
///
/// Steps are those of `SampledFunction`. With 1024 of them an octave, PQ is off by less than 5e-8:
/// a Delta E ITP by less than 0.0003, and far less for colors that lie close together.
final class FineFunction: Sendable {
  private let nodes: [Double]
  private let first: UInt32
  private let last: UInt32
  private let shift: UInt32
  private let atZero: Double

  /// Signal of PQ; straight below luminances that are black at any depth.
  static let pq = FineFunction(octaves: -60..<14, definition: PQ.inverseEOTF)
  /// Constant below 0.005 cd/m².
  static let pu21 = FineFunction(octaves: -8..<14, definition: PU21.signal)

  /// Samples `definition`.
  ///
  /// - Parameters:
  ///   - octaves: Base-2 logarithms of the luminances, from the first sample to the last.
  ///   - stepsPerOctave: A power of two.
  ///   - definition: The function, on luminances from 0.
  init(octaves: Range<Int>, stepsPerOctave: Int = 1024, definition: (Double) -> Double) {
    precondition(stepsPerOctave.nonzeroBitCount == 1, "steps are cut from the bit pattern")
    let shift = UInt32(23 - stepsPerOctave.trailingZeroBitCount)
    let first = UInt32(127 + octaves.lowerBound) << 23
    let end = UInt32(127 + octaves.upperBound) << 23
    nodes = (0...(end - first) >> shift).map { index in
      definition(Double(Float(bitPattern: first + index << shift)))
    }
    atZero = definition(0)
    self.first = first
    last = end - 1
    self.shift = shift
  }

  /// The function of each element of a row; negative elements count as 0.
  func apply(to row: [Float], into out: inout [Double]) {
    precondition(out.count == row.count)
    unsafe nodes.withUnsafeBufferPointer { nodes in
      guard let nodes = nodes.baseAddress else { return }
      // SAFETY: the kernel uses the nodes only inside this closure; arguments being limited to
      // `last`, it reads only nodes that exist. Both rows are `count` long.
      var function = unsafe pk_fine_function(
        nodes: nodes, first: first, last: last, shift: shift, at_zero: atZero)
      unsafe pk_sample(row, &out, row.count, &function)
    }
  }
}
