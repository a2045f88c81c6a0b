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

/// Reader of an image, of which some rows are kept and can be read again without decoding.
package final class RowKeeper: SequentialRowReader {
  package let layout: ImageLayout
  package var isSequential: Bool { reader?.canReadAhead == true }
  /// Starts the decoder; `nil` once the image is freed.
  private var open: (() throws(ImageError) -> any RowReader)?
  private var reader: (any RowReader)?
  private var bands: [Band]

  /// Prepares a reader.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - bands: Rows to keep, with the adjacent ones that decoding needs.
  package init(_ image: Image, keeping bands: [Range<Int>]) {
    layout = image.layout
    open = { () throws(ImageError) in try image.makeReader() }
    self.bands = bands.map { Band($0, of: image.layout) }
  }

  /// Prepares a reader whose rows can be read once, except those to keep.
  ///
  /// - Parameters:
  ///   - reader: The reader of the image.
  ///   - bands: Rows to keep, with the adjacent ones that decoding needs.
  package init(once reader: any RowReader, keeping bands: [Range<Int>]) {
    layout = reader.layout
    self.reader = reader
    self.bands = bands.map { Band($0, of: reader.layout) }
  }

  package func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    if let band = bands.first(where: { $0.isComplete && $0.rows.contains(rows) }) {
      return band.strip(rows: rows)
    }
    let reader = try currentReader()
    let planes = try reader.read(rows: rows)
    for index in bands.indices { bands[index].keep(rows, of: planes) }
    return planes
  }

  private func currentReader() throws(ImageError) -> any RowReader {
    if let reader { return reader }
    guard let open else { preconditionFailure("rows that were not kept of an image that is freed") }
    let new = try open()
    reader = new
    return new
  }

  /// Starts the decoder; one of whole images decodes its image.
  ///
  /// - Throws: Errors of the decoder.
  package func beginDecoding() throws(ImageError) { _ = try currentReader() }

  /// Frees the decoder, which only other rows than the kept ones start again.
  package func endDecoding() { reader = nil }

  /// Frees the image, of which only the kept rows may be read from now on.
  ///
  /// - Throws: Errors of the decoder, if rows to keep were not read before.
  package func freeImage() throws(ImageError) {
    for band in bands where !band.isComplete { _ = try read(rows: band.rows) }
    reader = nil
    open = nil
  }
}

extension RowKeeper {
  /// Rows to keep.
  private struct Band {
    let rows: Range<Int>
    /// The first row that was not read yet.
    private var end: Int
    /// The rows before it; one part once all were read.
    private var parts: [ImagePlanes] = []

    init(_ rows: Range<Int>, of layout: ImageLayout) {
      self.rows =
        max(rows.lowerBound - Self.margin, 0)..<min(rows.upperBound + Self.margin, layout.height)
      end = self.rows.lowerBound
    }

    /// Adjacent rows that decoding may need; even, as the bounds of requests.
    private static let margin = 2

    var isComplete: Bool { end == rows.upperBound }

    /// Copies the next rows to keep from rows of the image.
    mutating func keep(_ read: Range<Int>, of planes: ImagePlanes) {
      let next = (end..<rows.upperBound).clamped(to: read)
      guard !next.isEmpty, next.lowerBound == end else { return }
      let first = next.lowerBound - read.lowerBound
      parts.append(ImagePlanes(joining: [planes.strip(rows: first..<first + next.count)]))
      end = next.upperBound
      if isComplete, parts.count > 1 { parts = [ImagePlanes(joining: parts)] }
    }

    /// Returns some of the rows, all of which are kept.
    func strip(rows: Range<Int>) -> ImagePlanes {
      parts[0].strip(
        rows: rows.lowerBound - self.rows.lowerBound..<rows.upperBound - self.rows.lowerBound)
    }
  }
}
