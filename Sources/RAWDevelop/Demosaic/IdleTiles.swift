// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Finished tiles, whose memory is used again.
final class IdleTiles<Tile: Sendable>: Sendable {
  private let tiles = Mutex<[Tile]>([])

  /// Takes a tile out that is suitable.
  func take(where isSuitable: (Tile) -> Bool) -> Tile? {
    tiles.withLock { tiles in tiles.firstIndex(where: isSuitable).map { tiles.remove(at: $0) } }
  }

  func put(_ tile: Tile) { tiles.withLock { $0.append(tile) } }
}
