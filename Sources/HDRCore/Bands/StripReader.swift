// SPDX-License-Identifier: Apache-2.0
/// A reader whose decoder may use one thread, so that the next rows can be read while some are processed.
package protocol SequentialRowReader: RowReader {
  /// Whether the decoder of the rows that were read last uses one thread.
  var isSequential: Bool { get }
}

extension SequentialRowReader {
  package var isSequential: Bool { true }
}

extension RowReader {
  /// Whether the next rows can be read while some are processed.
  package var canReadAhead: Bool { (self as? any SequentialRowReader)?.isSequential == true }
}

/// Reads strips of an image in order, those of sequential decoders while the one before is processed.
///
/// With one thread, strips are read when they are requested.
package final class StripReader {
  private let reader: any RowReader
  /// The rows of each strip, with the adjacent ones that decoding needs.
  private let ranges: [Range<Int>]
  /// Number of strips that were returned.
  private var count = 0
  /// The strip that is read ahead.
  private var ahead: PendingResult<ImagePlanes>?

  fileprivate init(_ reader: any RowReader, _ ranges: [Range<Int>]) {
    self.reader = reader
    self.ranges = ranges
  }

  /// Returns the next strip.
  ///
  /// - Throws: Errors of the reader, for this strip.
  package func next() throws(ImageError) -> LinearRowDecoder.Strip {
    let rows = ranges[count]
    let image =
      if let strip = ahead.take() { try strip.wait().get() } else { try reader.checkedRows(rows) }
    count += 1
    readAhead()
    return LinearRowDecoder.Strip(image: image, first: rows.lowerBound)
  }

  /// Waits for the strip that is read ahead.
  package func finish() { _ = ahead.take()?.wait() }

  /// Starts to read the next strip; until it is complete, nothing else uses the reader.
  private func readAhead() {
    let execution = Execution.current
    guard count < ranges.count, execution.threads > 1, reader.canReadAhead else { return }
    let rows = ranges[count]
    // SAFETY: nothing else uses the reader meanwhile.
    nonisolated(unsafe) let reader = reader
    ahead = PendingResult(of: execution.withHalfOfThreads) { () throws(ImageError) in
      try unsafe reader.checkedRows(rows)
    }
  }
}

extension LinearRowDecoder {
  /// Prepares to read the strips that decode into `lines`.
  ///
  /// Call `finish()` before the reader is used again.
  package func strips(_ lines: [Range<Int>], of reader: any RowReader) -> StripReader {
    StripReader(reader, lines.map { rowsToRead(toDecode: $0) })
  }
}
