// SPDX-License-Identifier: Apache-2.0
import KernelClones
import PixelKernels
import Testing

@testable import HDRCore

/// Kernels of gain maps, resampling and metrics, tested as in `CloneTests`.
@Suite("Kernel clones of images") struct ImageCloneTests {
  @Test(arguments: cloneLengths) func gain(count: Int) {
    let (base, alternate, map) = (floats(count, 1), floats(count, 2), floats(2 * count + 2, 3))
    let share = (0..<count).map { Float($0 % 5) / 4 }
    let left = (0..<count).map { Int32($0 * 2) }
    unsafe compare(pk_resample, baseline_pk_resample, v3_pk_resample) { kernel in
      var row = base
      unsafe kernel(map, left, share, &row, count)
      return [bits(row)]
    }
    unsafe compare(pk_gain_minus_1, baseline_pk_gain_minus_1, v3_pk_gain_minus_1) { kernel in
      var row = base
      unsafe kernel(base, alternate, 0.3, -0.7, &row, count)
      return [bits(row)]
    }
    unsafe compare(pk_apply_gain, baseline_pk_apply_gain, v3_pk_apply_gain) { kernel in
      var row = base
      unsafe kernel(&row, alternate, count, 0.015625, -0.001)
      return [bits(row)]
    }
    unsafe compare(pk_log_gain, baseline_pk_log_gain, v3_pk_log_gain) { kernel in
      var row = base
      unsafe kernel(base, alternate, &row, count, 0.015625, 0.02, 1e-6)
      return [bits(row)]
    }
    unsafe compare(pk_accumulate, baseline_pk_accumulate, v3_pk_accumulate) { kernel in
      var row = base
      unsafe kernel(&row, alternate, 0.37, count)
      return [bits(row)]
    }
    unsafe compare(pk_average, baseline_pk_average, v3_pk_average) { kernel in
      var row = base
      unsafe kernel(map, left, floats(3 * count, 4), 3, &row, count)
      return [bits(row)]
    }
    unsafe compare(pk_average_pairs, baseline_pk_average_pairs, v3_pk_average_pairs) { kernel in
      var row = base
      unsafe kernel(map, &row, count)
      return [bits(row)]
    }
    let wide = floats(4 * count, 5)
    unsafe compare(pk_average_fours, baseline_pk_average_fours, v3_pk_average_fours) { kernel in
      var row = base
      unsafe kernel(wide, &row, count)
      return [bits(row)]
    }
    unsafe compare(pk_count_codes, baseline_pk_count_codes, v3_pk_count_codes) { kernel in
      var counters = [UInt32].counters(bins: 4096)
      unsafe kernel(codes(count, 6), count, 4, &counters)
      return [bits(counters)]
    }
    unsafe compare(pk_dither_codes, baseline_pk_dither_codes, v3_pk_dither_codes) { kernel in
      var row = codes(count, 7)
      let table = (0..<65_536).map { UInt16($0 / 4) }
      unsafe kernel(&row, count, table, [0, 32, 8, 40, 2, 34, 10, 63], 6)
      return [bits(row)]
    }
  }

  @Test(arguments: cloneLengths) func otherSizes(count: Int) {
    let (a, b, c, d) = (floats(count, 1), floats(count, 2), floats(count, 3), floats(count, 4))
    let group = 4 * Int(PK_GROUP_ROWS)
    unsafe compare(pk_interleave, baseline_pk_interleave, v3_pk_interleave) { kernel in
      var pixels = [Float](repeating: 0, count: group * count)
      unsafe kernel(a, b, c, d, &pixels, count)
      return [bits(pixels)]
    }
    let pixels = floats(group * (2 * count + 6), 5)
    unsafe compare(pk_separate_rows, baseline_pk_separate_rows, v3_pk_separate_rows) { kernel in
      var rows = [Float](repeating: 0, count: group * count)
      unsafe kernel(pixels, &rows, count)
      return [bits(rows)]
    }
    unsafe compare(pk_deinterleave, baseline_pk_deinterleave, v3_pk_deinterleave) { kernel in
      var (a, b, c, d) = (a, b, c, d)
      unsafe kernel(pixels, &a, &b, &c, &d, count)
      return [bits(a), bits(b), bits(c), bits(d)]
    }
    let taps = 6
    let weights = floats(taps * count, 6)
    let first = (0..<count).map { Int32($0 * 2) }
    unsafe compare(pk_filter_columns, baseline_pk_filter_columns, v3_pk_filter_columns) { kernel in
      var rows = [Float](repeating: 0, count: group * count)
      unsafe kernel(pixels, first, first.map { $0 + 2 }, weights, taps, 1, &rows, count)
      return [bits(rows)]
    }
    let rows = floats(taps * (count + 3), 7)
    unsafe compare(pk_filter_rows, baseline_pk_filter_rows, v3_pk_filter_rows) { kernel in
      var row = a
      unsafe kernel(rows, count + 3, weights, taps, 2, 5, 3, &row, count)
      return [bits(row)]
    }
  }

  @Test(arguments: cloneLengths) func metrics(count: Int) {
    let row = floats(count, 1)
    unsafe compare(pk_sample, baseline_pk_sample, v3_pk_sample) { kernel in
      var out = [Double](repeating: 0, count: count)
      let nodes = (0...64).map { Double($0 * $0) }
      // From 1/16 to 16 in steps of an eighth of an octave.
      unsafe nodes.withUnsafeBufferPointer { nodes in
        guard let start = nodes.baseAddress else { return }
        var function = unsafe pk_fine_function(
          nodes: start, first: Float(0.0625).bitPattern, last: Float(16).bitPattern - 1,
          shift: 20, at_zero: -1)
        unsafe kernel(row, &out, count, &function)
      }
      return [bits(out)]
    }
    let doubles = (2...7).map { floats(count, $0).map(Double.init) }
    let matrix = (0..<9).map { Double($0) * 0.37 - 1 }
    unsafe compare(pk_delta_e_itp, baseline_pk_delta_e_itp, v3_pk_delta_e_itp) { kernel in
      var out = row
      unsafe kernel(
        doubles[0], doubles[1], doubles[2], doubles[3], doubles[4], doubles[5], &out, count, matrix)
      return [bits(out)]
    }
    unsafe compare(pk_squared_error, baseline_pk_squared_error, v3_pk_squared_error) { kernel in
      [bits([unsafe kernel(doubles[0], doubles[1], count)])]
    }
  }
}
