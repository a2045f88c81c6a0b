internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// Reads the pieces of a file, one after the other, for a library that asks for its next bytes.
///
/// Errors are kept for the caller of the library: they are more specific than the library's own.
final class PieceReader {
  private let pieces: [SplicedBytes.Piece]
  private var index = 0
  /// Bytes of the present piece that were read.
  private var position = 0
  private var stored: BufferedBytes
  private(set) var failure: ImageError?

  /// Where in the source the next bytes are.
  var offset: Int { stored.position }

  init(_ bytes: SplicedBytes) {
    pieces = bytes.pieces
    stored = BufferedBytes(bytes.source, from: 0)
  }

  /// The next bytes, at most `count`; none at the end, and `nil` after noting an error.
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

  /// Exactly the next `count` bytes, or `nil` after noting why not.
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
