// SPDX-License-Identifier: Apache-2.0
/// Disjoint, non-adjacent ranges in ascending order.
package struct SortedRanges: Sendable {
  package let ranges: [Range<Int>]

  /// Joins ranges in any order; empty ranges are dropped.
  package init(joining ranges: some Sequence<Range<Int>>) {
    var joined: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = joined.last, range.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    self.ranges = joined
  }

  private init(sorted: [Range<Int>]) { ranges = sorted }

  /// Index of the first range that ends after `offset`.
  private func firstIndex(endingAfter offset: Int) -> Int {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  package func contains(_ offset: Int) -> Bool {
    let index = firstIndex(endingAfter: offset)
    return index < ranges.count && ranges[index].contains(offset)
  }

  /// Returns the parts of a range that are not covered by these ranges.
  package func removed(from range: Range<Int>) -> [Range<Int>] {
    var left: [Range<Int>] = []
    var start = range.lowerBound
    for hole in ranges[firstIndex(endingAfter: start)...] {
      guard hole.lowerBound < range.upperBound else { break }
      if start < hole.lowerBound { left.append(start..<hole.lowerBound) }
      start = hole.upperBound
    }
    if start < range.upperBound { left.append(start..<range.upperBound) }
    return left
  }

  /// Returns these ranges without those of `other`.
  package func subtracting(_ other: SortedRanges) -> SortedRanges {
    SortedRanges(sorted: ranges.flatMap(other.removed))
  }
}
