internal import Dispatch
internal import Foundation
internal import Synchronization

/// Runs `body` for 0..<count on several threads; the one loop that all parallel work goes through.
///
/// Each thread takes the next index from a counter when it is done with one, so that none waits for
/// another that is slower, or that other work on the machine holds up.
///
/// - Parameters:
///   - count: Number of indices.
///   - threads: Indices worked on at the same time.
///   - isStopped: Asked before each index; no further one is started once it is true.
///   - body: The work; results must not depend on the order.
private func forEachIndex(
  _ count: Int, threads: Int, until isStopped: @Sendable () -> Bool,
  _ body: @Sendable (_ index: Int) -> Void
) {
  guard count > 0 else { return }
  let next = Atomic(0)
  let execution = Execution.current
  DispatchQueue.concurrentPerform(iterations: min(max(threads, 1), count)) { _ in
    execution.share {
      while !isStopped() {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < count else { return }
        body(index)
      }
    }
  }
}

/// Splits rows into bands and runs `body` on them, on several threads.
///
/// Bands start at multiples of `bandHeight`, whatever the number of threads, so results do not
/// depend on it.
package func forEachBand(
  of rows: Range<Int>, threads: Int, _ body: @Sendable (_ band: Range<Int>) -> Void
) {
  forEachIndex(bandCount(of: rows), threads: threads, until: { false }) {
    body(band($0, of: rows))
  }
}

/// Splits rows into bands and runs `body` on them, until the work is cancelled.
///
/// - Throws: `.cancelled`; some bands are missing then.
package func forEachBand(
  of rows: Range<Int>, _ execution: Execution, _ body: @Sendable (_ band: Range<Int>) -> Void
) throws(ImageError) {
  forEachIndex(
    bandCount(of: rows), threads: execution.threads, until: { execution.isCancelled }
  ) {
    body(band($0, of: rows))
  }
  try execution.checkCancellation()
}

private func bandCount(of rows: Range<Int>) -> Int {
  (rows.upperBound + bandHeight - 1) / bandHeight - rows.lowerBound / bandHeight
}

private func band(_ index: Int, of rows: Range<Int>) -> Range<Int> {
  let start = (rows.lowerBound / bandHeight + index) * bandHeight
  return max(rows.lowerBound, start)..<min(rows.upperBound, start + bandHeight)
}

/// The results of `body` for 0..<count, in this order, computed on several threads.
///
/// Of several errors that of the smallest index is thrown, so that it does not depend on the
/// threads.
///
/// - Throws: Errors of `body`; `.cancelled`.
package func concurrentMap<Result: Sendable>(
  _ count: Int, threads: Int, _ body: @Sendable (_ index: Int) throws(ImageError) -> Result
) throws(ImageError) -> [Result] {
  let execution = Execution.current
  let results = Mutex<[Swift.Result<Result, ImageError>?]>(Array(repeating: nil, count: count))
  forEachIndex(count, threads: threads, until: { execution.isCancelled }) { index in
    let result: Swift.Result<Result, ImageError>
    do throws(ImageError) {
      result = .success(try body(index))
    } catch {
      result = .failure(error)
    }
    results.withLock { $0[index] = result }
  }
  try execution.checkCancellation()
  var values: [Result] = []
  values.reserveCapacity(count)
  for result in results.withLock({ $0 }) {
    if let result { values.append(try result.get()) }
  }
  return values
}

/// Runs `body` for 0..<count, on several threads; `body` handles its own errors.
package func concurrentForEach(
  _ count: Int, threads: Int, _ body: @Sendable (_ index: Int) -> Void
) {
  forEachIndex(count, threads: threads, until: { false }, body)
}

/// The rows of an image in strips: enough bands for all threads, and a small part of a large image.
package func strips(of height: Int, threads: Int) -> [Range<Int>] {
  let rows = bandHeight * max(2 * threads, 4)
  return stride(from: 0, to: height, by: rows).map { $0..<min($0 + rows, height) }
}

/// Rows of a band: few enough to stay in a core's cache, even, so that 4:2:0 rows pair up.
package let bandHeight = 32

/// Threads for a caller who does not say how many.
let coreCount = ProcessInfo.processInfo.activeProcessorCount
