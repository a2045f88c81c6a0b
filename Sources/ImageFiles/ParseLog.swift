// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Sizes of the files that were parsed, for tests that count parses.
package final class ParseLog: Sendable {
  @TaskLocal package static var current: ParseLog?

  private let entries = Mutex<[Int]>([])

  package init() {}

  /// Size of each parsed file in bytes, in parsing order.
  package var sizes: [Int] { entries.withLock { $0 } }

  func add(size: Int) { entries.withLock { $0.append(size) } }
}
