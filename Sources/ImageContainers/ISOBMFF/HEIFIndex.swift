internal import Synchronization

/// Positions by identifier, made when they are first asked for.
///
/// A file controls how many items and references it has, and who asks for each of them once must not
/// search all of them each time.
final class HEIFIndex: Sendable {
  private let positions = Mutex<[UInt32: [Int]]?>(nil)

  /// The positions of elements with an identifier, in order.
  ///
  /// - Parameters:
  ///   - id: The identifier.
  ///   - identifiers: Those of each element, different from each other; always the same.
  /// - Returns: None for an identifier that no element has.
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
