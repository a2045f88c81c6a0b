// SPDX-License-Identifier: Apache-2.0
import Dispatch
import HDRCore
import Synchronization
import Testing

/// Cancellation and progress.
@Suite("Execution") struct ExecutionTests {
  /// An image of 24 megapixels that is never in memory as a whole.
  private final class EndlessReader: RowReader {
    let layout: ImageLayout
    private let strips: Counter

    init(_ layout: ImageLayout, counting strips: Counter) {
      self.layout = layout
      self.strips = strips
    }

    func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
      strips.increment()
      var strip = layout
      strip.height = rows.count
      let plane = Plane<Float>(width: strip.width, height: strip.height, filledWith: 0.5)
      return ImagePlanes(layout: strip, planes: .float([plane, plane, plane]))
    }
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func increment() { count.withLock { $0 += 1 } }
  }

  private static let layout = ImageLayout(
    width: 6000, height: 4000, components: .rgb, samples: .float)

  private static func image(counting strips: Counter) -> Image {
    Image(
      ImageDescription(
        layout: layout, color: ColorEncoding(primaries: .bt2020, transfer: .linear))
    ) { () throws(ImageError) in EndlessReader(layout, counting: strips) }
  }

  private static var target: ImageDescription {
    var layout = layout
    layout.samples = .integer(bits: 10)
    return ImageDescription(
      layout: layout, color: ColorEncoding(primaries: .bt2020, transfer: .pq))
  }

  /// The receiver of progress cancels a transform after its first strip.
  @Test func progressEndsTheWork() {
    let strips = Counter()
    let execution = Execution(threads: 2) { $0 == 0 }
    let error = #expect(throws: ImageError.self) {
      try Self.image(counting: strips).transformed(to: Self.target, execution: execution)
    }
    #expect(error?.category == .cancelled && strips.value == 1)
    #expect(execution.isCancelled)
    // Cancellation is permanent.
    #expect(throws: ImageError.self) { try execution.run { 1 } }
  }

  /// `Task.cancel()` ends a transform of 24 megapixels within the current strip.
  ///
  /// The transform waits for the cancellation after its first strip, so that the result does not
  /// depend on the speed of either thread.
  @Test func taskEndsTheWork() async {
    let strips = Counter()
    let (started, continuation) = AsyncStream.makeStream(of: Void.self)
    let cancelled = DispatchSemaphore(value: 0)
    let execution = Execution(threads: 2) { share in
      if share == 0 { return true }
      continuation.yield()
      _ = cancelled.wait(timeout: .now() + 60)
      return true
    }
    let task = Task {
      try await execution.run { () throws(ImageError) in
        try Self.image(counting: strips).transformed(to: Self.target, execution: execution)
      }
    }
    for await _ in started { break }
    task.cancel()
    cancelled.signal()
    let error = await #expect(throws: ImageError.self) { try await task.value }
    #expect(error?.category == .cancelled && strips.value == 1)
  }

  /// Parts take their shares of an operation, whose end is reported once; work on other threads does not report.
  @Test(arguments: [1, 4]) func parts(threads: Int) throws {
    let shares = Mutex<[Double]>([])
    let execution = Execution(threads: threads) { share in
      shares.withLock { $0.append(share) }
      return true
    }
    try execution.run { () throws(ImageError) in
      try Execution.operation { () throws(ImageError) in
        var stages = Stages(1, 2, 1)
        try stages.next { () throws(ImageError) in
          try Execution.current.report(0.5)
          try Execution.current.report(0.25)
          _ = try concurrentMap(8) { (_) throws(ImageError) in
            try Execution.current.report(0.9)
          }
        }
        // It begins with 1/8, and ends with 3/4.
        try stages.next { () throws(ImageError) in
          for index in 1...2 {
            try Execution.step(to: index, of: 2) { () throws(ImageError) in
              try Execution.operation { () throws(ImageError) in
                try Execution.current.report(0.5)
              }
            }
          }
        }
        // Parts without reports leave their shares to others.
        try stages.next { () throws(ImageError) in try Execution.current.report(1) }
      }
    }
    let (first, half) = (0.125, (0.75 - 0.125) / 2)
    let expected = [
      0, first, first + half / 2, first + half, first + half * 3 / 2, first + half * 2, 1,
    ]
    #expect(shares.withLock { $0 } == expected)
  }

  /// Bands and indices that were not started are not processed.
  @Test(arguments: [1, 2, 5]) func bands(threads: Int) {
    let done = Counter()
    let execution = Execution(threads: threads)
    let error = #expect(throws: ImageError.self) {
      try execution.run { () throws(ImageError) in
        try forEachBand(of: 0..<32_000) { _ in
          done.increment()
          if done.value >= 3 { execution.cancel() }
        }
      }
    }
    #expect(error?.category == .cancelled)
    #expect(3...3 + threads ~= done.value)

    let mapped = Counter()
    let other = Execution(threads: threads)
    #expect(throws: ImageError.self) {
      try other.run { () throws(ImageError) in
        try concurrentMap(1000) { index in
          mapped.increment()
          Execution.current.cancel()
          return index
        }
      }
    }
    #expect(1...threads ~= mapped.value)
  }

  /// Every row is processed once for any number of threads.
  @Test(arguments: [1, 2, 3, 8]) func everyRow(threads: Int) throws {
    let rows = Mutex<[Int]>([])
    let squares = try Execution(threads: threads).perform {
      try forEachBand(of: 7..<333) { band in
        #expect(band.lowerBound == 7 || band.lowerBound % bandHeight == 0)
        rows.withLock { $0 += Array(band) }
      }
      return try concurrentMap(100) { $0 * $0 }
    }
    #expect(rows.withLock { $0.sorted() } == Array(7..<333))
    #expect(squares == (0..<100).map { $0 * $0 })
  }

  /// Workers share the execution including its threads, so that nested loops do not multiply the
  /// number of threads.
  @Test(arguments: [(17, 9, 1), (8, 2, 4), (3, 1, 3), (1, 4, 1)])
  func workersShareThreads(threads: Int, count: Int, expected: Int) throws {
    let execution = Execution(threads: threads, budget: Execution.Budget(steps: count))
    let found = try execution.run { () throws(ImageError) in
      try concurrentMap(count) { (_) throws(ImageError) in
        try Execution.current.budget.debit(for: "test")
        return Execution.current.threads
      }
    }
    #expect(found == Array(repeating: expected, count: count))
    #expect(execution.budget.spentSteps == count)
  }

  /// Two functions run at the same time if there are two threads, and the errors of the first come first.
  @Test(arguments: [(1, 1), (2, 1), (5, 2)]) func twoFunctions(threads: Int, share: Int) throws {
    let order = Mutex<[String]>([])
    @Sendable func run(_ isOther: Bool, fails: Bool = false) throws(ImageError) -> Int {
      let name = isOther ? "other" : "here"
      order.withLock { $0.append(name) }
      if fails { throw ImageError(.libraryFailed, ["library": "\(name)", "detail": ""]) }
      return Execution.current.threads
    }
    let execution = Execution(threads: threads)
    let counts = try execution.run { () throws(ImageError) in
      try concurrently({ () throws(ImageError) in try run(true) }) { () throws(ImageError) in
        try run(false)
      }
    }
    #expect(counts == (share, threads))
    #expect(threads > 1 || order.withLock { $0 } == ["other", "here"])
    for (first, second, expected) in [
      (true, true, "other"), (true, false, "other"), (false, true, "here"),
    ] {
      let error = #expect(throws: ImageError.self) {
        try execution.run { () throws(ImageError) in
          try concurrently({ () throws(ImageError) in try run(true, fails: first) }) {
            () throws(ImageError) in try run(false, fails: second)
          }
        }
      }
      #expect(error.map { "\($0)".contains(expected) } == true)
    }
  }

  @Test func threadsAreAtLeastOne() {
    var execution = Execution(threads: -3)
    #expect(execution.threads == 1)
    execution.threads = 0
    #expect(execution.threads == 1)
  }
}
