// SPDX-License-Identifier: Apache-2.0
public import HDRCore

/// The bytes of an edited file: new bytes, and unchanged ranges of the source.
///
/// Unchanged data, coded images in particular, are copied only when the file is written.
public struct SplicedBytes: Sendable {
  /// A run of consecutive bytes of the edited file.
  package enum Piece: Hashable, Sendable {
    case new([UInt8])
    /// A range of the source, copied without changes.
    case kept(Range<Int>)

    /// Number of bytes.
    package var count: Int {
      switch self {
      case .new(let bytes): bytes.count
      case .kept(let range): range.count
      }
    }
  }

  /// The file that was edited.
  package let source: ByteSource
  /// Runs of bytes, in the order of the edited file.
  package private(set) var pieces: [Piece] = []
  /// Number of bytes in the edited file.
  public private(set) var count = 0

  package init(source: ByteSource) { self.source = source }

  /// Appends new bytes.
  package mutating func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    count += bytes.count
    pieces.append(.new(bytes))
  }

  /// Appends a range of the source; adjacent ranges are merged.
  ///
  /// A range that exceeds the source is an error only when it is read.
  package mutating func append(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    count += range.count
    if case .kept(let last) = pieces.last, last.upperBound == range.lowerBound {
      pieces[pieces.count - 1] = .kept(last.lowerBound..<range.upperBound)
    } else {
      pieces.append(.kept(range))
    }
  }

  /// Returns all bytes of the edited file.
  ///
  /// - Throws: Errors of reading the source.
  public func allBytes() throws(ImageError) -> [UInt8] {
    let sink = MemorySink()
    sink.reserve(count)
    try sink.write(self)
    return sink.bytes
  }
}

extension SplicedBytes {
  /// The same bytes as pieces of the file that was edited first, so that edits of edits do not nest.
  var flattened: SplicedBytes {
    guard let edited = source.editedFile else { return self }
    var flat = SplicedBytes(source: edited.file.source)
    for piece in pieces {
      switch piece {
      case .new(let bytes): flat.append(bytes)
      case .kept(let range):
        // An error when it is read.
        guard range.upperBound <= edited.count else { return self }
        edited.append(range, to: &flat)
      }
    }
    return flat
  }
}

/// An edited file whose pieces are found by binary search.
final class SplicedFile: ByteProvider {
  fileprivate let file: SplicedBytes
  /// Offset of each piece in the edited file.
  private let starts: [Int]

  var count: Int { file.count }

  init(_ file: SplicedBytes) {
    self.file = file
    var starts: [Int] = []
    var position = 0
    for piece in file.pieces {
      starts.append(position)
      position += piece.count
    }
    self.starts = starts
  }

  /// The index of the piece with a byte.
  private func piece(at offset: Int) -> Int {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    return max(low - 1, 0)
  }

  /// Appends the pieces of a range within the file.
  func append(_ range: Range<Int>, to flat: inout SplicedBytes) {
    for part in parts(of: range) {
      switch part {
      case .new(let bytes): flat.append(bytes)
      case .kept(let range): flat.append(range)
      }
    }
  }

  /// The pieces of a range within the file.
  private func parts(of range: Range<Int>) -> [SplicedBytes.Piece] {
    var parts: [SplicedBytes.Piece] = []
    for index in piece(at: range.lowerBound)..<starts.count {
      let start = starts[index]
      guard start < range.upperBound else { break }
      let part = range.clamped(to: start..<start + file.pieces[index].count)
      switch file.pieces[index] {
      case .new(let bytes):
        parts.append(.new(Array(bytes[part.lowerBound - start..<part.upperBound - start])))
      case .kept(let source):
        let shift = source.lowerBound - start
        parts.append(.kept(part.lowerBound + shift..<part.upperBound + shift))
      }
    }
    return parts
  }

  /// The source of bytes that one piece keeps, and their range in it.
  func kept(_ range: Range<Int>) -> (ByteSource, Range<Int>)? {
    guard !range.isEmpty else { return nil }
    let index = piece(at: range.lowerBound)
    let shift = range.lowerBound - starts[index]
    guard case .kept(let source) = file.pieces[index], shift + range.count <= source.count else {
      return nil
    }
    let start = source.lowerBound + shift
    return (file.source, start..<start + range.count)
  }

  func bytes(in range: Range<Int>) throws(ImageError) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    for part in parts(of: range) {
      switch part {
      case .new(let bytes): result += bytes
      case .kept(let range): result += try file.source.bytes(in: range)
      }
    }
    return result
  }
}
