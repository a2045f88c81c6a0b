// SPDX-License-Identifier: Apache-2.0
internal import PixelKernels

// Safe methods on rows for the kernels of `PixelKernels`, which take pointers.
//
// Memory safety depends on lengths, so they are checked before the loop, in release builds as well.
// Arguments of public functions do not reach these checks: rows are made by the module that uses
// them.

internal import PixelKernels

extension LinearRow {
  /// Multiplies each pixel by a matrix, row-major.
  package mutating func multiply(by matrix: [Float]) {
    precondition(matrix.count == 9)
    unsafe withPointers { red, green, blue, count in
      // SAFETY: the rows are `count` long, the matrix has nine elements.
      unsafe pk_matrix(red, green, blue, count, matrix)
    }
  }

  /// Multiplies each pixel by a matrix, row-major, and clamps components to 0...1.
  mutating func multiplyToUnit(by matrix: [Float]) {
    precondition(matrix.count == 9)
    unsafe withPointers { red, green, blue, count in
      // SAFETY: the rows are `count` long, the matrix has nine elements.
      unsafe pk_matrix_to_unit(red, green, blue, count, matrix)
    }
  }

  /// Clamps components to 0...peak, and counts the pixels below `low` or above `high`.
  mutating func clip(peak: Float, low: Float, high: Float, counting counts: inout pk_clip_count) {
    unsafe withPointers { red, green, blue, count in
      // SAFETY: the rows are `count` long.
      unsafe pk_clip(red, green, blue, count, peak, low, high, &counts)
    }
  }

  /// Replaces NaN by 0, and clamps values to `-largest...largest`.
  mutating func makeFinite(largest: Float, counting counts: inout pk_clip_count) {
    unsafe withPointers { red, green, blue, count in
      // SAFETY: the rows are `count` long.
      unsafe pk_make_finite(red, green, blue, count, largest, &counts)
    }
  }

  /// The weighted sum of the components; at least 0.
  package func luminance(_ weights: SIMD3<Float>, into out: inout [Float]) {
    precondition(out.count == width)
    // SAFETY: all four rows are `width` long.
    unsafe pk_luminance(red, green, blue, &out, width, weights.x, weights.y, weights.z)
  }

  /// Multiplies the three components by a gain per pixel.
  package mutating func multiply(byGain gain: [Float]) {
    red.multiply(by: gain)
    green.multiply(by: gain)
    blue.multiply(by: gain)
  }

  /// Passes the three rows, which have equal length, to a kernel.
  ///
  /// `body` must not let the pointers escape.
  @inlinable
  package mutating func withPointers<Result>(
    _ body: (
      UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, Int
    ) -> Result
  ) -> Result {
    // SAFETY: the pointers live as long as the closures that get them.
    unsafe red.withUnsafeMutableBufferPointer { red in
      unsafe green.withUnsafeMutableBufferPointer { green in
        unsafe blue.withUnsafeMutableBufferPointer { blue in
          guard let r = red.baseAddress, let g = green.baseAddress, let b = blue.baseAddress
          else { preconditionFailure("an empty row") }
          return unsafe body(r, g, b, red.count)
        }
      }
    }
  }
}

extension LinearRow {
  /// Counts the light levels of this row; sums are of multiples of 1 / `sumScale`.
  ///
  /// If `histogram` is empty, it stays empty.
  func measure(
    luminanceWeights: [Float], gamuts: ([Float], [Float]), sumScale: Float,
    scratch: inout [UInt32], histogram: inout [UInt32], light: inout pk_light
  ) {
    precondition(scratch.count == width && (histogram.isEmpty || histogram.count == PK_BINS))
    precondition(luminanceWeights.count == 3 && gamuts.0.count == 9 && gamuts.1.count == 9)
    unsafe histogram.withUnsafeMutableBufferPointer { bins in
      // SAFETY: the rows and `scratch` are `width` long, the histogram has PK_BINS bins or is absent.
      unsafe pk_measure(
        red, green, blue, width, luminanceWeights, gamuts.0, gamuts.1, sumScale, &scratch,
        bins.isEmpty ? nil : bins.baseAddress, &light)
    }
  }
}

extension pk_clip_count {
  mutating func add(_ other: pk_clip_count) {
    not_a_number += other.not_a_number
    below += other.below
    above += other.above
    infinite += other.infinite
  }
}

extension [Float] {
  /// Counts largest components; negative ones count as 0.
  func measureMaxima(scratch: inout [UInt32], histogram: inout [UInt32], light: inout pk_light) {
    precondition(scratch.count == count && histogram.count == PK_BINS)
    // SAFETY: the rows are `count` long, the histogram has PK_BINS bins.
    unsafe pk_measure_maximum(self, count, &scratch, &histogram, &light)
  }
}

extension [Float] {
  package mutating func multiply(by gain: [Float]) {
    precondition(gain.count == count)
    unsafe withUnsafeMutableBufferPointer { row in
      guard let start = row.baseAddress else { return }
      // SAFETY: both rows are `count` long.
      unsafe pk_multiply(start, gain, row.count)
    }
  }

  mutating func unpremultiply(by alpha: [Float]) {
    precondition(alpha.count == count)
    unsafe withUnsafeMutableBufferPointer { row in
      guard let start = row.baseAddress else { return }
      // SAFETY: both rows are `count` long.
      unsafe pk_unpremultiply(start, alpha, row.count)
    }
  }

  /// Clamps elements to 0...1; NaN becomes 0.
  package mutating func clampToShares() {
    for index in indices { self[index] = self[index] > 0 ? Swift.min(self[index], 1) : 0 }
  }

  /// Assigns signals: (code - offset) * scale.
  mutating func assign(_ plane: Plane<UInt16>, row y: Int, offset: Float, scale: Float) {
    let codes = plane.row(y)
    precondition(codes.count == count)
    unsafe withUnsafeMutableBufferPointer { row in
      unsafe codes.withUnsafeBufferPointer { codes in
        guard let start = row.baseAddress, let codes = codes.baseAddress else { return }
        // SAFETY: both rows are `count` long.
        unsafe pk_codes_to_signal(codes, start, row.count, offset, scale)
      }
    }
  }

  /// Assigns the entry of `table` for each code; the number of entries is a power of two.
  package mutating func assign(_ plane: Plane<UInt16>, row y: Int, table: [Float]) {
    var row = mutableSpan
    row.assign(plane, row: y, table: table)
  }

  /// Assigns a row of chroma interpolated from one of half the resolution.
  mutating func assign(doubling half: [Float], chromaLocation: ChromaLocation) {
    precondition(half.count == (count + 1) / 2)
    unsafe withUnsafeMutableBufferPointer { row in
      guard let start = row.baseAddress else { return }
      // SAFETY: `half` holds a sample for each pair of the row.
      if chromaLocation == .center {
        unsafe pk_double_center(half, start, row.count)
      } else {
        unsafe pk_double_left(half, start, row.count)
      }
    }
  }

  /// Assigns a row of half resolution filtered from a full one.
  mutating func assign(halving full: [Float], chromaLocation: ChromaLocation) {
    precondition(count == (full.count + 1) / 2)
    unsafe withUnsafeMutableBufferPointer { half in
      guard let start = half.baseAddress else { return }
      // SAFETY: this row has a sample for each pair of `full`.
      if chromaLocation == .center {
        unsafe pk_halve_center(full, start, full.count)
      } else {
        unsafe pk_halve_left(full, start, full.count)
      }
    }
  }

  /// Assigns the weighted mean of this row and another, whose share is `weight`.
  mutating func mix(_ other: [Float], weight: Float) {
    precondition(other.count == count)
    unsafe withUnsafeMutableBufferPointer { row in
      guard let start = row.baseAddress else { return }
      // SAFETY: both rows are `count` long.
      unsafe pk_mix(start, other, row.count, 1 - weight, weight)
    }
  }
}

extension MutableSpan<Float> {
  /// Assigns the entry of `table` for each code; the number of entries is a power of two.
  package mutating func assign(_ plane: Plane<UInt16>, row y: Int, table: [Float]) {
    let codes = plane.row(y)
    precondition(codes.count == count && table.count.nonzeroBitCount == 1)
    unsafe withUnsafeMutableBufferPointer { row in
      unsafe codes.withUnsafeBufferPointer { codes in
        guard let start = row.baseAddress, let codes = codes.baseAddress else { return }
        // SAFETY: both rows are `count` long; the mask keeps codes within the table.
        unsafe pk_codes_to_light(codes, start, row.count, table, UInt16(table.count - 1))
      }
    }
  }
}

extension [Float] {
  /// Assigns the values of a row of half-precision samples.
  mutating func assign(halves plane: Plane<UInt16>, row y: Int) {
    let halves = plane.row(y)
    precondition(halves.count == count)
    unsafe withUnsafeMutableBufferPointer { row in
      unsafe halves.withUnsafeBufferPointer { halves in
        guard let start = row.baseAddress, let halves = halves.baseAddress else { return }
        // SAFETY: both rows are `count` long.
        unsafe pk_half_to_float(halves, start, row.count)
      }
    }
  }

  /// Assigns the values of half-precision samples.
  mutating func assign(halves: [UInt16]) {
    precondition(halves.count == count)
    unsafe withUnsafeMutableBufferPointer { row in
      guard let start = row.baseAddress else { return }
      // SAFETY: both rows are `count` long.
      unsafe pk_half_to_float(halves, start, row.count)
    }
  }

  /// Writes the nearest half-precision values, ties to even; values beyond ±65504 become infinite.
  func writeHalves(to halves: inout [UInt16]) {
    precondition(halves.count == count)
    unsafe halves.withUnsafeMutableBufferPointer { halves in
      guard let start = halves.baseAddress else { return }
      // SAFETY: both rows are `count` long.
      unsafe pk_float_to_half(self, start, halves.count)
    }
  }
}

extension [Float] {
  /// Writes the nearest half-precision values, ties to even; finite values are clamped to ±65504.
  func writeFiniteHalves(to halves: inout MutableSpan<UInt16>) {
    precondition(halves.count == count)
    unsafe halves.withUnsafeMutableBufferPointer { halves in
      guard let start = halves.baseAddress else { return }
      // SAFETY: both rows are `count` long.
      unsafe pk_float_to_finite_half(self, start, halves.count)
    }
  }
}

/// Conversion from signal to codes, as in `Quantization`, in the form of the kernels.
package struct QuantizationScale: Sendable {
  var offset: Float
  var scale: Float
  var highest: Float

  package init(offset: Float, scale: Float, highest: Float) {
    self.offset = offset
    self.scale = scale
    self.highest = highest
  }

  /// The scale of color differences.
  init(chromaOf levels: Quantization) {
    self.init(
      offset: Float(levels.chromaOffset), scale: Float(levels.chromaScale),
      highest: Float(levels.maximumCode))
  }
}

extension [Float] {
  /// Writes codes; rounds half up; NaN becomes 0.
  package func quantize(_ scale: QuantizationScale, into codes: inout MutableSpan<UInt16>) {
    precondition(codes.count == count)
    unsafe codes.withUnsafeMutableBufferPointer { codes in
      guard let start = codes.baseAddress else { return }
      // SAFETY: both rows are `count` long.
      unsafe pk_quantize(self, start, codes.count, scale.offset, scale.scale, scale.highest)
    }
  }
}

extension [Float] {
  /// Assigns 2^(bias + L) - 1, where L is interpolated between the logarithms of two rows.
  package mutating func assignGainMinus1(
    between above: [Float], _ below: [Float], share: Float, bias: Float
  ) {
    precondition(above.count == count && below.count == count)
    // SAFETY: all three rows are `count` long.
    unsafe pk_gain_minus_1(above, below, share, bias, &self, count)
  }

  /// Assigns (x + baseOffset) * gain - alternateOffset.
  package mutating func apply(
    gainMinus1 gain: [Float], baseOffset: Float, offsetDifference: Float
  ) {
    precondition(gain.count == count)
    // SAFETY: both rows are `count` long.
    unsafe pk_apply_gain(&self, gain, count, baseOffset, offsetDifference)
  }
}

extension [Float] {
  /// Assigns the base-2 logarithm of the gain from one row of linear values to another.
  ///
  /// Sums below `smallest` are replaced by it.
  package mutating func assignLogGain(
    from base: [Float], offset baseOffset: Float, to alternate: [Float],
    offset alternateOffset: Float, smallest: Float
  ) {
    precondition(base.count == count && alternate.count == count)
    // SAFETY: all three rows are `count` long.
    unsafe pk_log_gain(base, alternate, &self, count, baseOffset, alternateOffset, smallest)
  }
}

/// Conversion of codes to fewer levels with ordered dither.
package struct DitheredCodes: Sendable {
  /// Value of each code, in units of 1 / 2^`shift`.
  private let table: [UInt16]
  private let shift: UInt32

  /// Prepares a conversion.
  ///
  /// - Parameters:
  ///   - bits: Depth of the resulting codes. Up to 10 bits, all 64 thresholds are distinct; beyond
  ///     that, fewer.
  ///   - range: Range of 16-bit source codes; codes outside are clamped to it.
  ///   - code: Value of each source code, with a fraction.
  package init(bits: Int, range: ClosedRange<Int>, _ code: (Int) -> Double) {
    shift = UInt32(min(6, 16 - bits))
    let units = Double(1 << shift)
    let within = range.map { UInt16(clamping: code($0) * units + 0.5) }
    table = (0..<1 << 16).map { code in
      within[min(max(code, range.lowerBound), range.upperBound) - range.lowerBound]
    }
  }

  /// Converts a row of codes, adding eight thresholds in turn, in units of 1/64, 0 to 63.
  package func apply(to codes: inout MutableSpan<UInt16>, thresholds: [UInt16]) {
    precondition(thresholds.count == 8)
    let pattern = thresholds.map { $0 >> UInt16(6 - shift) }
    unsafe codes.withUnsafeMutableBufferPointer { codes in
      guard let start = codes.baseAddress else { return }
      // SAFETY: the table has an entry for each code, and there are eight thresholds.
      unsafe pk_dither_codes(start, codes.count, table, pattern, shift)
    }
  }
}

extension [UInt32] {
  /// Counters for bins of codes, whose number is a power of two.
  package static func counters(bins: Int) -> [UInt32] {
    [UInt32](repeating: 0, count: bins * Int(PK_COUNTERS))
  }

  /// Adds codes to the counters.
  package mutating func count(_ codes: Span<UInt16>) {
    let bins = count / Int(PK_COUNTERS)
    precondition(bins.nonzeroBitCount == 1 && bins <= 1 << 16)
    precondition(count == bins * Int(PK_COUNTERS))
    let shift = UInt32(16 - bins.trailingZeroBitCount)
    unsafe codes.withUnsafeBufferPointer { codes in
      guard let start = codes.baseAddress else { return }
      // SAFETY: there are counters for each 16-bit code.
      unsafe pk_count_codes(start, codes.count, shift, &self)
    }
  }

  /// Number of codes in each bin.
  package var bins: [UInt32] {
    stride(from: 0, to: count, by: Int(PK_COUNTERS)).map { start in
      self[start..<start + Int(PK_COUNTERS)].reduce(0, +)
    }
  }
}
