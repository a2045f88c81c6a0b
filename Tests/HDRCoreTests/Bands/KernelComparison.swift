// SPDX-License-Identifier: Apache-2.0
import KernelClones
import PixelKernels
import TestSupport
import Testing

/// Expects the same results of a kernel for all instruction sets.
func compare<Kernel>(
  _ chosen: Kernel, _ baseline: Kernel, _ v3: Kernel, _ run: (Kernel) -> [[UInt64]],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let expected = run(baseline)
  #expect(run(chosen) == expected, sourceLocation: sourceLocation)
  guard kernel_clones_can_run_v3() else { return }
  #expect(run(v3) == expected, sourceLocation: sourceLocation)
}

/// Lengths around every vector width, and one of many vectors.
let cloneLengths = [1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 1003]

/// Linear values of all magnitudes and signs, and values that are not finite.
func floats(_ count: Int, _ seed: Int) -> [Float] {
  var random = SplitMix(seed: UInt64(seed))
  let special: [Float] = [
    .nan, .infinity, -.infinity, 0, -0.0, 0x1p-140, -0x1p-149, 3.4e38, 65504, 65520,
  ]
  return (0..<count).map { index in
    index % 13 == 12
      ? special[Int(random.next() >> 32) % special.count]
      : Float.random(in: -0.5...4, using: &random) * (index % 3 == 0 ? 30 : 1)
  }
}

func codes(_ count: Int, _ seed: Int) -> [UInt16] {
  var random = SplitMix(seed: UInt64(seed))
  return (0..<count).map { _ in UInt16(truncatingIfNeeded: random.next() >> 40) }
}

/// Bit patterns, with one pattern for every NaN, whose payload is not specified.
func bits(_ row: [Float]) -> [UInt64] {
  row.map { UInt64($0.isNaN ? Float.nan.bitPattern : $0.bitPattern) }
}

func bits<Code: FixedWidthInteger>(_ row: [Code]) -> [UInt64] { row.map { UInt64($0) } }

func bits(_ count: pk_clip_count) -> [UInt64] {
  [count.not_a_number, count.below, count.above, count.infinite]
}

func bits(_ row: [Double]) -> [UInt64] {
  row.map { $0.isNaN ? Double.nan.bitPattern : $0.bitPattern }
}
