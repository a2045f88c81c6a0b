// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Synchronization

/// Reads of a provider of a program in large blocks, the last of which are kept.
///
/// A parser reads some bytes here and there; on a network, each read costs a round trip.
final class ReadAhead: ByteProvider {
  private static let blockSize = 1 << 20
  private static let blockCount = 4

  private let provider: any ByteProvider
  let count: Int
  /// Bytes and their offsets, the last used first.
  private let blocks = Mutex<[(offset: Int, bytes: [UInt8])]>([])

  init(_ provider: some ByteProvider) {
    self.provider = provider
    count = max(provider.count, 0)
  }

  func bytes(in range: Range<Int>) throws -> [UInt8] {
    guard range.count < Self.blockSize else { return try provider.bytes(in: range) }
    if let kept = kept(range) { return kept }
    let block = range.lowerBound..<range.lowerBound + min(Self.blockSize, count - range.lowerBound)
    let bytes = try provider.bytes(in: block)
    // A provider that breaks its promise; the caller finds that bytes are missing.
    guard bytes.count == block.count else { return Array(bytes.prefix(range.count)) }
    blocks.withLock { blocks in
      blocks = [(block.lowerBound, bytes)] + blocks.prefix(Self.blockCount - 1)
    }
    return Array(bytes.prefix(range.count))
  }

  private func kept(_ range: Range<Int>) -> [UInt8]? {
    blocks.withLock { blocks in
      let found = blocks.firstIndex {
        $0.offset <= range.lowerBound && range.upperBound <= $0.offset + $0.bytes.count
      }
      guard let found else { return nil }
      let block = blocks.remove(at: found)
      blocks.insert(block, at: 0)
      return Array(block.bytes[range.lowerBound - block.offset..<range.upperBound - block.offset])
    }
  }
}
