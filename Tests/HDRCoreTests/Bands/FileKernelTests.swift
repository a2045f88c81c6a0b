// SPDX-License-Identifier: Apache-2.0
import KernelClones
import PixelKernels
import Testing

/// Kernels for rows of PNG and OpenEXR files: each compared with its definition, and for every
/// instruction set.
@Suite("Kernels of files") struct FileKernelTests {
  private func bytes(_ count: Int, _ seed: Int) -> [UInt8] {
    codes(count, seed).map { UInt8(truncatingIfNeeded: $0) }
  }

  /// Source: PNG Third Edition, 9.2 and 9.4.
  private func filtered(
    _ row: [UInt8], _ above: [UInt8], step: Int, by predict: (Int, Int, Int) -> Int
  ) -> [UInt64] {
    (step..<row.count).map { index in
      let prediction = predict(Int(row[index - step]), Int(above[index]), Int(above[index - step]))
      return UInt64(UInt8(truncatingIfNeeded: Int(row[index]) - prediction))
    }
  }

  private func paeth(_ a: Int, _ b: Int, _ c: Int) -> Int {
    let distances = (abs(b - c), abs(a - c), abs(a + b - 2 * c))
    if distances.0 <= distances.1, distances.0 <= distances.2 { return a }
    return distances.1 <= distances.2 ? b : c
  }

  @Test(arguments: [1, 2, 3, 4, 6, 8], cloneLengths) func filters(step: Int, count: Int) {
    let left = [UInt8](repeating: 0, count: step)
    let (row, above) = (left + bytes(count, 1), left + bytes(count, 2))
    func run(
      _ kernel: (UnsafePointer<UInt8>, UnsafePointer<UInt8>, UnsafeMutablePointer<UInt8>) -> Void
    ) -> [[UInt64]] {
      var found = [UInt8](repeating: 0, count: count)
      unsafe row.withUnsafeBufferPointer { row in
        unsafe above.withUnsafeBufferPointer { above in
          guard let first = row.baseAddress, let second = above.baseAddress else { return }
          unsafe kernel(first + step, second + step, &found)
        }
      }
      return [bits(found)]
    }
    unsafe compare(pk_png_sub, baseline_pk_png_sub, v3_pk_png_sub) { kernel in
      let found = unsafe run { row, _, found in unsafe kernel(row, found, count, step) }
      #expect(found[0] == filtered(row, above, step: step) { a, _, _ in a })
      return found
    }
    unsafe compare(pk_png_up, baseline_pk_png_up, v3_pk_png_up) { kernel in
      let found = unsafe run { row, above, found in unsafe kernel(row, above, found, count) }
      #expect(found[0] == filtered(row, above, step: step) { _, b, _ in b })
      return found
    }
    unsafe compare(pk_png_average, baseline_pk_png_average, v3_pk_png_average) { kernel in
      let found = unsafe run { row, above, found in unsafe kernel(row, above, found, count, step) }
      #expect(found[0] == filtered(row, above, step: step) { a, b, _ in (a + b) / 2 })
      return found
    }
    unsafe compare(pk_png_paeth, baseline_pk_png_paeth, v3_pk_png_paeth) { kernel in
      let found = unsafe run { row, above, found in unsafe kernel(row, above, found, count, step) }
      #expect(found[0] == filtered(row, above, step: step, by: paeth))
      return found
    }
  }

  /// Restored rows are those that were filtered.
  @Test(arguments: [1, 2, 3, 4, 6, 8], cloneLengths) func restoration(step: Int, pixels: Int) {
    let count = step * pixels
    let left = [UInt8](repeating: 0, count: step)
    let (row, above) = (left + bytes(count, 1), left + bytes(count, 2))
    func check(
      _ filtered: [UInt64],
      _ restore: (
        UnsafePointer<UInt8>, UnsafePointer<UInt8>, UnsafeMutablePointer<UInt8>, Int, Int
      ) -> Void
    ) -> [[UInt64]] {
      var found = [UInt8](repeating: 0, count: count)
      unsafe restore(
        filtered.map { UInt8($0) }, Array(above.dropFirst(step)), &found, count, step)
      #expect(found == Array(row.dropFirst(step)))
      return [bits(found)]
    }
    let (sub, up, average, nearest) = (
      filtered(row, above, step: step) { a, _, _ in a },
      filtered(row, above, step: step) { _, b, _ in b },
      filtered(row, above, step: step) { a, b, _ in (a + b) / 2 },
      filtered(row, above, step: step, by: paeth)
    )
    unsafe compare(pk_png_restore_sub, baseline_pk_png_restore_sub, v3_pk_png_restore_sub) {
      unsafe check(sub, $0)
    }
    unsafe compare(pk_png_restore_up, baseline_pk_png_restore_up, v3_pk_png_restore_up) {
      unsafe check(up, $0)
    }
    unsafe compare(
      pk_png_restore_average, baseline_pk_png_restore_average, v3_pk_png_restore_average
    ) { unsafe check(average, $0) }
    unsafe compare(pk_png_restore_paeth, baseline_pk_png_restore_paeth, v3_pk_png_restore_paeth) {
      unsafe check(nearest, $0)
    }
  }

  @Test(arguments: 1...4, cloneLengths) func deinterleaving(channels: Int, count: Int) {
    let samples = bytes(2 * channels * count, 5)
    unsafe compare(
      pk_deinterleave_bytes, baseline_pk_deinterleave_bytes, v3_pk_deinterleave_bytes
    ) { kernel in
      var found = [UInt16](repeating: 0, count: count)
      unsafe kernel(samples, &found, count, channels, 15)
      #expect(found == (0..<count).map { UInt16(samples[channels * $0] & 15) })
      return [bits(found)]
    }
    unsafe compare(
      pk_deinterleave_network16, baseline_pk_deinterleave_network16, v3_pk_deinterleave_network16
    ) { kernel in
      var found = [UInt16](repeating: 0, count: count)
      unsafe kernel(samples, &found, count, channels, 4)
      #expect(
        found
          == (0..<count).map { index in
            let first = 2 * channels * index
            return (UInt16(samples[first]) << 8 | UInt16(samples[first + 1])) >> 4
          })
      return [bits(found)]
    }
  }

  /// 10 bits are widened to 20, and the upper 16 or 8 of them stored.
  @Test(arguments: cloneLengths) func interleaving(count: Int) {
    let row = codes(count, 3).map { $0 >> 6 }
    let wide = row.map { UInt64($0) << 10 | UInt64($0) }
    unsafe compare(
      pk_interleave_network16, baseline_pk_interleave_network16, v3_pk_interleave_network16
    ) { kernel in
      var found = [UInt8](repeating: 0, count: 6 * count)
      unsafe kernel(row, &found, count, 3, 1025, 4)
      #expect(bits(found) == wide.flatMap { [$0 >> 12, $0 >> 4 & 0xFF, 0, 0, 0, 0] })
      return [bits(found)]
    }
    unsafe compare(pk_interleave_bytes, baseline_pk_interleave_bytes, v3_pk_interleave_bytes) {
      kernel in
      var found = [UInt8](repeating: 0, count: 2 * count)
      unsafe kernel(row, &found, count, 2, 1025, 12)
      #expect(bits(found) == wide.flatMap { [$0 >> 12, 0] })
      return [bits(found)]
    }
  }

  /// Source: OpenEXR's ZIP compression, before deflate.
  @Test(arguments: cloneLengths) func exrChunks(count: Int) {
    let row = bytes(count, 4)
    let separated =
      stride(from: 0, to: count, by: 2).map { row[$0] }
      + stride(from: 1, to: count, by: 2).map { row[$0] }
    unsafe compare(pk_separate_bytes, baseline_pk_separate_bytes, v3_pk_separate_bytes) { kernel in
      var found = row
      unsafe kernel(row, &found, count)
      #expect(found == separated)
      return [bits(found)]
    }
    unsafe compare(pk_predict_bytes, baseline_pk_predict_bytes, v3_pk_predict_bytes) { kernel in
      var found = row
      unsafe kernel(row, &found, count)
      for index in 1..<max(count, 1) {
        #expect(found[index] == row[index] &- row[index - 1] &+ 128)
      }
      #expect(found[0] == row[0])
      return [bits(found)]
    }
  }
}
