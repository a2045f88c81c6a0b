// SPDX-License-Identifier: Apache-2.0
package import HDRCore
internal import Synchronization

/// Notices that arise while the samples of a file are decoded, such as warnings of a library.
package final class DecodingNotices: Sendable {
  private let entries = Mutex<[Notice]>([])

  package init() {}

  /// The notices so far, in the order in which they arose.
  package var all: [Notice] { entries.withLock { $0 } }

  /// Adds a notice, once for all items and tiles with the same condition.
  package func add(_ notice: Notice) {
    entries.withLock { entries in
      let isKnown = entries.contains {
        $0.code == notice.code && $0.parameters == notice.parameters
      }
      if !isKnown { entries.append(notice) }
    }
  }
}
