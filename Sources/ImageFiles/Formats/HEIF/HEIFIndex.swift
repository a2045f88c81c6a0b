// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Positions by identifier, computed on first use.
///
/// The number of items and references is controlled by the file, so looking up each of them must
/// not take linear time.
final class HEIFIndex: Sendable {
  private let positions = Mutex<[UInt32: [Int]]?>(nil)

  /// Returns the positions of elements with an identifier, in order.
  ///
  /// - Parameters:
  ///   - id: Identifier to look up.
  ///   - identifiers: Distinct identifiers of each element; equal in each call.
  /// - Returns: The positions; empty if such an element does not exist.
  func positions<Elements: Sequence>(
    of id: UInt32, in identifiers: () -> Elements
  ) -> [Int] where Elements.Element: Sequence<UInt32> {
    positions.withLock { positions in
      if positions == nil {
        var made: [UInt32: [Int]] = [:]
        for (position, ids) in identifiers().enumerated() {
          for id in ids { made[id, default: []].append(position) }
        }
        positions = made
      }
      return positions?[id] ?? []
    }
  }
}
