// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Synchronization

/// Reads strips of an image in order, each while the one before it is processed.
///
/// Most decoders use one thread, and others would wait for it. With one thread, and for an image in
/// memory, strips are read when they are requested.
package final class StripReader {
  private let reader: any RowReader
  /// The rows of each strip, with the adjacent ones that decoding needs.
  private let ranges: [Range<Int>]
  /// Number of strips that were returned.
  private var count = 0
  /// The strip that is read ahead; `nil` if none is.
  private var ahead: PendingStrip?
  private let readsAhead: Bool
  /// A queue of its own has a thread even if all threads of the shared queues wait.
  private let queue = DispatchQueue(label: "rows")

  fileprivate init(_ reader: any RowReader, _ ranges: [Range<Int>]) {
    self.reader = reader
    self.ranges = ranges
    readsAhead = Execution.current.threads > 1 && !reader.isInMemory
  }

  /// Returns the next strip.
  ///
  /// - Throws: Errors of the reader, for this strip.
  package func next() throws(ImageError) -> LinearRowDecoder.Strip {
    let rows = ranges[count]
    let image = if let ahead { try ahead.wait().get() } else { try reader.checkedRows(rows) }
    count += 1
    ahead =
      readsAhead && count < ranges.count ? PendingStrip(ranges[count], of: reader, on: queue) : nil
    return LinearRowDecoder.Strip(image: image, first: rows.lowerBound)
  }

  /// Waits for the strip that is read ahead.
  package func finish() {
    _ = ahead?.wait()
    ahead = nil
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

/// Rows that are read on another thread.
private final class PendingStrip: Sendable {
  private let result = Mutex<Result<ImagePlanes, ImageError>?>(nil)
  private let reading = DispatchGroup()

  /// Starts to read; until `wait()` returns, nothing else uses the reader.
  init(_ rows: Range<Int>, of reader: any RowReader, on queue: DispatchQueue) {
    // The queue does not inherit the conditions of the operation.
    let execution = Execution.current
    // SAFETY: the owner does not use the reader before `wait()` returns.
    nonisolated(unsafe) let reader = reader
    queue.async(group: reading) { [self] in
      let strip: Result<ImagePlanes, ImageError> = execution.perform {
        do throws(ImageError) {
          return .success(try unsafe reader.checkedRows(rows))
        } catch {
          return .failure(error)
        }
      }
      result.withLock { $0 = strip }
    }
  }

  func wait() -> Result<ImagePlanes, ImageError> {
    reading.wait()
    return result.withLock { result in
      guard let result else { preconditionFailure("waited for") }
      return result
    }
  }
}
