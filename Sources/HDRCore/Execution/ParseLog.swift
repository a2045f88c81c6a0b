// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Sizes of the files that an operation parsed, for tests that count parses.
package final class ParseLog: Sendable {
  private let entries = Mutex<[Int]>([])

  package init() {}

  /// Size of each parsed file in bytes, in parsing order.
  package var sizes: [Int] { entries.withLock { $0 } }

  /// Records a parse.
  package func add(size: Int) { entries.withLock { $0.append(size) } }
}
