// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import ImageFiles

@Suite("Sorted ranges") struct SortedRangesTests {
  @Test func joining() {
    let ranges = SortedRanges(joining: [8..<9, 3..<5, 0..<0, 5..<6, 4..<5, 1..<2])
    #expect(ranges.ranges == [1..<2, 3..<6, 8..<9])
    #expect((0..<10).filter(ranges.contains) == [1, 3, 4, 5, 8])
  }

  /// Compares with sets of integers.
  @Test func removing() {
    var random = SplitMix(seed: 7)
    for _ in 0..<300 {
      func some() -> [Range<Int>] {
        (0..<5).map { _ in
          let start = Int(random.next() % 30)
          return start..<start + Int(random.next() % 6)
        }
      }
      let (first, second) = (some(), some())
      let difference = SortedRanges(joining: first).subtracting(SortedRanges(joining: second))
      #expect(
        Set(difference.ranges.joined()) == Set(first.joined()).subtracting(second.joined()))
      let whole = SortedRanges(joining: second).removed(from: 4..<20)
      #expect(Array(whole.joined()) == (4..<20).filter { !Set(second.joined()).contains($0) })
    }
  }
}
