// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Reads the pieces of a file sequentially for a library that requests bytes.
///
/// Errors are stored for the caller of the library, since they are more specific than the library's
/// own.
final class PieceReader {
  private let pieces: [SplicedBytes.Piece]
  private var index = 0
  /// Number of bytes of the current piece that were read.
  private var position = 0
  private var stored: BufferedBytes
  private(set) var failure: ImageError?

  /// Offset of the next bytes in the source.
  var offset: Int { stored.position }

  init(_ bytes: SplicedBytes) {
    pieces = bytes.pieces
    stored = BufferedBytes(bytes.source, from: 0)
  }

  /// Returns the next bytes, at most `count`: none at the end, `nil` after storing an error.
  func read(atMost count: Int) -> ArraySlice<UInt8>? {
    guard index < pieces.count else { return [] }
    do throws(ImageError) {
      let (taken, size): (ArraySlice<UInt8>, Int)
      switch pieces[index] {
      case .new(let bytes):
        (taken, size) = (bytes.dropFirst(position).prefix(count), bytes.count)
      case .kept(let range):
        if position == 0 { stored.seek(to: range.lowerBound) }
        (taken, size) = (try stored.read(min(count, range.count - position)), range.count)
      }
      position += taken.count
      if position == size { (index, position) = (index + 1, 0) }
      return taken
    } catch {
      failure = failure ?? error
      return nil
    }
  }

  /// Returns exactly the next `count` bytes, or `nil` after storing an error.
  func read(_ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      guard let more = read(atMost: count - bytes.count) else { return nil }
      guard !more.isEmpty else {
        failure = ImageError(.samplesTruncated, at: .init(offset: offset))
        return nil
      }
      bytes += more
    }
    return bytes
  }
}
