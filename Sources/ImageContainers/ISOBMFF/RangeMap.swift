/// Where runs of the old file come to lie in the new one.
struct RangeMap: Sendable {
  private var moves: [(source: Range<Int>, target: Int)] = []

  /// Adds a run; runs are added in the order of their sources and do not overlap.
  mutating func add(_ source: Range<Int>, at target: Int) {
    if !source.isEmpty { moves.append((source, target)) }
  }

  /// The new place of a byte.
  func target(of offset: Int) -> Int? {
    guard let move = move(holding: offset) else { return nil }
    return move.target + offset - move.source.lowerBound
  }

  /// Whether all bytes of a range stay together.
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

/// Runs of bytes that are not in the old file yet, or not in a box that is kept.
struct AppendedData: Sendable {
  private struct Key: Hashable {
    var origin: ObjectIdentifier
    var range: Range<Int>

    init(_ part: SourceBytes) {
      origin = ObjectIdentifier(part.origin)
      range = part.range
    }
  }

  /// Each once, in order.
  private(set) var parts: [SourceBytes] = []
  private(set) var count = 0
  private var offsets: [Key: Int] = [:]

  mutating func add(_ part: SourceBytes) {
    guard offsets[Key(part)] == nil else { return }
    offsets[Key(part)] = count
    parts.append(part)
    count += part.count
  }

  /// Where a run begins among all of them.
  func offset(of part: SourceBytes) -> Int? { offsets[Key(part)] }
}
