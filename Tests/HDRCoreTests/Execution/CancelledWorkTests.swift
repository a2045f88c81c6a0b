// SPDX-License-Identifier: Apache-2.0
import Dispatch
@testable import HDRCore
import Synchronization
import Testing

/// The work after `Task.cancel()` in a transform of 24 megapixels, counted in rows.
@Suite("Work after a cancellation") struct CancelledWorkTests {
  /// Counts the rows that are processed after the cancellation, for which rows from 500 on wait.
  private final class Observer: Sendable {
    let started: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let gate = DispatchSemaphore(value: 0)
    private let isCancelled = Atomic(false)
    private let rows = Atomic(0)

    init() { (started, continuation) = AsyncStream.makeStream() }

    /// Number of rows after the cancellation.
    var count: Int { rows.load(ordering: .relaxed) }

    func reach(_ y: Int) {
      if y >= 500 {
        continuation.yield()
        _ = gate.wait(timeout: .now() + 120)
        // For the next row.
        gate.signal()
      }
      if isCancelled.load(ordering: .sequentiallyConsistent) {
        rows.wrappingAdd(1, ordering: .relaxed)
      }
    }

    func open() {
      isCancelled.store(true, ordering: .sequentiallyConsistent)
      gate.signal()
    }
  }

  private struct Stage: LightStage {
    let observer: Observer
    var primaries: ColorPrimaries { .bt2020 }

    func makeBand() -> any LightStageBand { Band(observer: observer) }

    struct Band: LightStageBand {
      let observer: Observer

      func apply(to row: inout LinearRow, y: Int) { observer.reach(y) }
    }
  }

  private final class Rows: RowReader {
    let layout = ImageLayout(width: 6000, height: 4000, components: .gray, samples: .half)

    func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
      let plane = Plane<UInt16>(width: layout.width, height: rows.count, filledWith: 0x3800)
      return ImagePlanes(layout: layout.strip(height: rows.count), planes: .half([plane]))
    }
  }

  /// Each thread completes its band of 32 rows: at most 1.6 % of the image with two threads.
  @Test(arguments: [1, 2]) func isOneBandOfEachThread(threads: Int) async throws {
    let observer = Observer()
    let description = ImageDescription(
      layout: Rows().layout, color: ColorEncoding(primaries: .bt2020, transfer: .linear))
    var target = description
    (target.layout.samples, target.color.transfer) = (.integer(bits: 16), .pq)
    var transform = try ImageTransform(validating: description, to: target)
    transform.stage = Stage(observer: observer)
    let conversion = transform
    let task = Task {
      let execution = Execution(threads: threads)
      // The result is discarded: a failed expectation would print all of it.
      try await execution.run { () throws(ImageError) in
        _ = try conversion.run(Image(description) { Rows() })
      }
    }
    for await _ in observer.started { break }
    task.cancel()
    observer.open()
    let error = await #expect(throws: ImageError.self) { try await task.value }
    #expect(error?.category == .cancelled)
    #expect(1...threads * bandHeight ~= observer.count)
  }
}
