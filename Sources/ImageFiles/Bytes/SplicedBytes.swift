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
