import KernelClones
import PixelKernels
import Testing

/// Kernels for rows of PNG and OpenEXR files: each compared with its definition, and for every
/// instruction set.
@Suite("Kernels of files") struct FileKernelTests {
  /// Source: PNG Third Edition, 9.2 and 9.4.
  private func filtered(
    _ type: Int, _ row: [UInt8], _ above: [UInt8], step: Int
  ) -> [UInt8] {
    (step..<row.count).map { index in
      let (a, b, c) = (Int(row[index - step]), Int(above[index]), Int(above[index - step]))
      let estimate = a + b - c
      let distances = (abs(estimate - a), abs(estimate - b), abs(estimate - c))
      let nearest =
        distances.0 <= distances.1 && distances.0 <= distances.2
        ? a : distances.1 <= distances.2 ? b : c
      let prediction = [a, b, (a + b) / 2, nearest][type]
      return UInt8(truncatingIfNeeded: Int(row[index]) - prediction)
    }
  }

  @Test(arguments: [1, 2, 3, 4, 6, 8], cloneLengths) func filters(step: Int, count: Int) {
    func bytes(_ seed: Int) -> [UInt8] {
      let random = codes(count, seed).map { UInt8(truncatingIfNeeded: $0) }
      return [UInt8](repeating: 0, count: step) + random
    }
    let (row, above) = (bytes(1), bytes(2))
    func check(
      _ type: Int, _ kernel: (UnsafePointer<UInt8>, UnsafePointer<UInt8>, inout [UInt8]) -> Void
    ) {
      var found = [UInt8](repeating: 0, count: count)
      unsafe row.withUnsafeBufferPointer { row in
        unsafe above.withUnsafeBufferPointer { above in
          guard let first = row.baseAddress, let second = above.baseAddress else { return }
          unsafe kernel(first + step, second + step, &found)
        }
      }
      #expect(found == filtered(type, row, above, step: step))
    }
    for unsafe kernel in unsafe [pk_png_sub, baseline_pk_png_sub, v3_pk_png_sub].prefix(runnable) {
      unsafe check(0) { row, _, found in unsafe kernel(row, &found, count, step) }
    }
    for unsafe kernel in unsafe [pk_png_up, baseline_pk_png_up, v3_pk_png_up].prefix(runnable) {
      unsafe check(1) { row, above, found in unsafe kernel(row, above, &found, count) }
    }
    for unsafe kernel in unsafe [pk_png_average, baseline_pk_png_average, v3_pk_png_average].prefix(
      runnable)
    {
      unsafe check(2) { row, above, found in unsafe kernel(row, above, &found, count, step) }
    }
    for unsafe kernel in unsafe [pk_png_paeth, baseline_pk_png_paeth, v3_pk_png_paeth].prefix(runnable) {
      unsafe check(3) { row, above, found in unsafe kernel(row, above, &found, count, step) }
    }
  }

  /// Kernels that this machine can run.
  private var runnable: Int { kernel_clones_can_run_v3() ? 3 : 2 }

  @Test(arguments: cloneLengths) func interleaving(count: Int) {
    let row = codes(count, 3).map { $0 >> 6 }
    // 10 bits are widened to 20, and the upper 16 or 8 of them stored.
    let wide = row.map { UInt32($0) << 10 | UInt32($0) }
    for unsafe kernel in unsafe [
      pk_interleave_network16, baseline_pk_interleave_network16, v3_pk_interleave_network16,
    ].prefix(runnable) {
      var bytes = [UInt8](repeating: 0, count: 6 * count)
      unsafe kernel(row, &bytes, count, 3, 1025, 4)
      #expect(
        bytes
          == wide.flatMap {
            [UInt8(truncatingIfNeeded: $0 >> 12), UInt8(truncatingIfNeeded: $0 >> 4), 0, 0, 0, 0]
          })
    }
    for unsafe kernel in unsafe [
      pk_interleave_bytes, baseline_pk_interleave_bytes, v3_pk_interleave_bytes,
    ].prefix(runnable) {
      var bytes = [UInt8](repeating: 0, count: 2 * count)
      unsafe kernel(row, &bytes, count, 2, 1025, 12)
      #expect(bytes == wide.flatMap { [UInt8(truncatingIfNeeded: $0 >> 12), 0] })
    }
  }

  /// Source: OpenEXR's ZIP compression, before deflate.
  @Test(arguments: cloneLengths) func exrChunks(count: Int) {
    let bytes = codes(count, 4).map { UInt8(truncatingIfNeeded: $0) }
    let separated =
      stride(from: 0, to: count, by: 2).map { bytes[$0] }
      + stride(from: 1, to: count, by: 2).map { bytes[$0] }
    let predicted = separated.indices.map { index in
      index == 0 ? separated[0] : separated[index] &- separated[index - 1] &+ 128
    }
    for unsafe (separate, predict) in unsafe [
      (pk_separate_bytes, pk_predict_bytes),
      (baseline_pk_separate_bytes, baseline_pk_predict_bytes),
      (v3_pk_separate_bytes, v3_pk_predict_bytes),
    ].prefix(runnable) {
      var (found, differences) = (bytes, bytes)
      unsafe separate(bytes, &found, count)
      unsafe predict(found, &differences, count)
      #expect(found == separated)
      #expect(differences == predicted)
    }
  }
}
