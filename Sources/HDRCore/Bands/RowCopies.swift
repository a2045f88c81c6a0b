// Rows from and to planes, without a look at what they hold.

extension Array where Element: BitwiseCopyable & Sendable {
  /// Becomes a row of a plane.
  package mutating func assign(_ plane: Plane<Element>, row y: Int) {
    let source = plane.row(y)
    // SAFETY: the row is read before the closure returns.
    unsafe source.withUnsafeBufferPointer { unsafe assign($0) }
  }

  /// Becomes another row, without giving up this one's memory.
  mutating func assign(_ other: [Element]) {
    // SAFETY: the row is read before the closure returns.
    unsafe other.withUnsafeBufferPointer { unsafe assign($0) }
  }

  private mutating func assign(_ samples: UnsafeBufferPointer<Element>) {
    precondition(samples.count == count)
    unsafe withUnsafeMutableBufferPointer { row in
      // SAFETY: both rows are `count` long.
      unsafe _ = row.update(fromContentsOf: samples)
    }
  }

  /// Writes this row into another of the same length.
  package func copy(into row: inout MutableSpan<Element>) {
    precondition(row.count == count)
    unsafe row.withUnsafeMutableBufferPointer { row in
      // SAFETY: both rows are `count` long.
      unsafe withUnsafeBufferPointer { unsafe _ = row.update(fromContentsOf: $0) }
    }
  }
}
