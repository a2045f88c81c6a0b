internal import Dispatch
internal import Foundation

/// Splits the rows of a picture into bands and runs `body` on them, on several threads.
///
/// Bands start at multiples of `bandHeight`, whatever the number of threads, so results do not
/// depend on it.
package func forEachBand(
  of rows: Range<Int>, threads: Int, _ body: @Sendable (_ band: Range<Int>) -> Void
) {
  let first = rows.lowerBound / bandHeight
  let end = (rows.upperBound + bandHeight - 1) / bandHeight
  let workers = min(max(threads, 1), end - first)
  DispatchQueue.concurrentPerform(iterations: workers) { worker in
    for band in stride(from: first + worker, to: end, by: workers) {
      body(
        max(rows.lowerBound, band * bandHeight)..<min(rows.upperBound, (band + 1) * bandHeight))
    }
  }
}

/// The rows of a picture in strips: enough bands for all threads, and a small part of a large picture.
package func strips(of height: Int, threads: Int) -> [Range<Int>] {
  let rows = bandHeight * max(2 * threads, 4)
  return stride(from: 0, to: height, by: rows).map { $0..<min($0 + rows, height) }
}

/// Rows of a band: few enough to stay in a core's cache, even, so that 4:2:0 rows pair up.
package let bandHeight = 32

/// Threads for a caller who does not say how many.
let coreCount = ProcessInfo.processInfo.activeProcessorCount
