// SPDX-License-Identifier: Apache-2.0
#if HEIF || AVIF
@testable import HDRConversion
import HDRCore
import Testing

@testable import ImageCodecs
@testable import ImageFiles

@Suite("Alpha plane") struct AlphaPlaneTests {
  private func plane(_ samples: [UInt16], width: Int) -> Plane<UInt16> {
    Plane(width: width, height: samples.count / width) { output in
      for sample in samples { output.append(sample) }
    }
  }

  /// 128 / 255 * 1023 = 513.5 and 1 / 1023 * 255 = 0.25, rounded to nearest.
  @Test func depthChangesToTheNearestCode() {
    let eight = plane([0, 1, 128, 255], width: 4)
    let ten = eight.coverage(fromBits: 8, isFullRange: true, toBits: 10)
    #expect(ten.values == [0, 4, 514, 1023])
    #expect(ten.coverage(fromBits: 10, isFullRange: true, toBits: 8) == eight)
  }

  /// Source: ITU-T H.273, 8.3.
  @Test func narrowRangeIsWidened() {
    let narrow = plane([0, 64, 502, 940, 1023], width: 5)
    let full = narrow.coverage(fromBits: 10, isFullRange: false, toBits: 10)
    #expect(full.values == [0, 0, 512, 1023, 1023])
  }

  @Test func interpolationKeepsCenters() throws {
    let small = plane([0, 100, 200, 300], width: 2)
    #expect(try small.interpolated(width: 2, height: 2) == small)
    let wide = try small.interpolated(width: 4, height: 2)
    #expect(wide.values(inRow: 0) == [0, 25, 75, 100])
    #expect(wide.values(inRow: 1) == [200, 225, 275, 300])
    #expect(try small.interpolated(width: 1, height: 1).values == [150])
  }
}
#endif
