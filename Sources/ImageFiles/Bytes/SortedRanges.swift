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

/// Mapping of ranges of the parsed file to offsets in the serialized file.
struct RangeMap: Sendable {
  private var moves: [(source: Range<Int>, target: Int)] = []

  /// Adds a range; ranges must be added in ascending order and must not overlap.
  mutating func add(_ source: Range<Int>, at target: Int) {
    if !source.isEmpty { moves.append((source, target)) }
  }

  /// Returns the new offset of a byte; `nil` if it is not kept.
  func target(of offset: Int) -> Int? {
    guard let move = move(holding: offset) else { return nil }
    return move.target + offset - move.source.lowerBound
  }

  /// Returns whether a range is kept contiguous.
  func contains(_ range: Range<Int>) -> Bool {
    guard let move = move(holding: range.lowerBound) else { return false }
    return range.upperBound <= move.source.upperBound
  }

  private func move(holding offset: Int) -> (source: Range<Int>, target: Int)? {
    var (low, high) = (0, moves.count)
    while low < high {
      let middle = (low + high) / 2
      if moves[middle].source.upperBound <= offset { low = middle + 1 } else { high = middle }
    }
    guard low < moves.count, moves[low].source.contains(offset) else { return nil }
    return moves[low]
  }
}

/// Data to append that are not in a kept box of the parsed file.
struct AppendedData: Sendable {
  /// Distinct parts, in order.
  private(set) var parts: [SourceBytes] = []
  private(set) var count = 0
  private var offsets: [SourceBytes.Identity: Int] = [:]

  mutating func add(_ part: SourceBytes) {
    guard offsets[part.identity] == nil else { return }
    offsets[part.identity] = count
    parts.append(part)
    count += part.count
  }

  /// Returns the offset of a part within the appended data.
  func offset(of part: SourceBytes) -> Int? { offsets[part.identity] }
}
