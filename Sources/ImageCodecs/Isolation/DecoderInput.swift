// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
package import ImageContainers

/// The bytes of an image that a decoder process reads.
package struct DecoderInput: Sendable {
  let source: ByteSource
  /// The pieces of the file that the bytes consist of.
  private var pieces: [SplicedBytes.Piece] = []

  /// The bytes of a whole file.
  package init(_ source: ByteSource) { self.source = source }

  /// Bytes in memory.
  package init(_ bytes: [UInt8]) { source = ByteSource(bytes) }

  /// The pieces of a file that code an image.
  package init(_ file: SplicedBytes) {
    source = ByteSource(file)
    pieces = file.pieces
  }

  /// The offset in the file of an offset in these bytes, of which a decoder may have any idea.
  func fileOffset(_ offset: Int) -> Int {
    let offset = min(max(offset, 0), source.count)
    guard !pieces.isEmpty else { return offset }
    var (start, last) = (0, 0)
    for piece in pieces {
      if case .kept(let range) = piece {
        last = min(max(range.lowerBound, range.lowerBound + offset - start), range.upperBound)
      }
      start += piece.count
      if offset <= start { break }
    }
    return last
  }
}
