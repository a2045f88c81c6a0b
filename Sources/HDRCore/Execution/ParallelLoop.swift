// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import PixelKernels
internal import Platform
internal import Synchronization

/// Runs `body` for 0..<count on the threads of `Execution.current`; work on parts of an image uses this loop.
///
/// Each thread takes the next index from a counter when it has finished one, so that no thread
/// waits for a slower one. The threads of the execution are divided among the workers: within
/// `body`, `Execution.current` has the share of one worker.
///
/// - Parameters:
///   - count: Number of indices.
///   - isReported: Whether the indices are the progress of the current work.
///   - body: The work; results must not depend on the order.
/// - Throws: `.cancelled`; some indices were not processed then.
private func forEachIndex(
  _ count: Int, isReported: Bool = false, _ body: @Sendable (_ index: Int) -> Void
) throws(ImageError) {
  let execution = Execution.current
  try execution.checkCancellation()
  guard count > 0 else { return }
  let workers = min(execution.threads, count)
  var share = execution.withoutProgress
  share.threads = execution.threads / workers
  let worker = share
  let next = Atomic(0)
  WorkerThreads.perform(workers) { number in
    worker.perform {
      while !worker.isCancelled {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < count else { return }
        body(index)
        // The first worker is on the thread of the caller.
        if isReported, number == 0 { execution.advance(to: Double(index + 1) / Double(count)) }
      }
    }
  }
  try execution.checkCancellation()
}

/// Divides rows into bands and runs `body` on them, on several threads.
///
/// Bands start at multiples of `height` for any number of threads, so results do not depend on it.
///
/// - Parameters:
///   - rows: The rows.
///   - height: Rows of a band.
///   - body: The work.
/// - Throws: `.cancelled`; some bands were not processed then.
package func forEachBand(
  of rows: Range<Int>, height: Int = bandHeight, _ body: @Sendable (_ band: Range<Int>) -> Void
) throws(ImageError) {
  let first = rows.lowerBound / height
  try forEachIndex((rows.upperBound + height - 1) / height - first) { index in
    let start = (first + index) * height
    body(max(rows.lowerBound, start)..<min(rows.upperBound, start + height))
  }
}

/// Returns the results of `body` for 0..<count, in this order, computed on several threads.
///
/// If several calls fail, the error of the smallest index is thrown, so that it does not depend on
/// the number of threads.
///
/// - Throws: Errors of `body`; `.cancelled`.
package func concurrentMap<Result: Sendable>(
  _ count: Int, _ body: @Sendable (_ index: Int) throws(ImageError) -> Result
) throws(ImageError) -> [Result] {
  let results = Mutex<[Swift.Result<Result, ImageError>?]>(Array(repeating: nil, count: count))
  try forEachIndex(count) { index in
    let result: Swift.Result<Result, ImageError>
    do throws(ImageError) {
      result = .success(try body(index))
    } catch {
      result = .failure(error)
    }
    results.withLock { $0[index] = result }
  }
  var values: [Result] = []
  values.reserveCapacity(count)
  for result in results.withLock({ $0 }) {
    if let result { values.append(try result.get()) }
  }
  return values
}

/// Runs `body` for 0..<count, on several threads, as the current work; `body` handles its own errors.
///
/// - Throws: `.cancelled`; some indices were not processed then.
package func concurrentForEach(
  _ count: Int, _ body: @Sendable (_ index: Int) -> Void
) throws(ImageError) {
  try forEachIndex(count, isReported: true, body)
}

/// Runs two functions: at the same time if there is more than one thread, otherwise in this order.
///
/// - Parameters:
///   - other: Runs on another thread, which is given half of the threads.
///   - here: Runs on this thread.
/// - Returns: The results of both.
/// - Throws: The error of `other`, or else that of `here`, so that it does not depend on the number of threads.
package func concurrently<Other: Sendable, Here>(
  _ other: @escaping @Sendable () throws(ImageError) -> Other,
  _ here: () throws(ImageError) -> Here
) throws(ImageError) -> (Other, Here) {
  let execution = Execution.current
  guard execution.threads > 1 else {
    return (try Execution.part(upTo: 0.5, nil, other), try here())
  }
  let pending = PendingResult(of: execution.withHalfOfThreads, other)
  let value: Result<Here, ImageError>
  do throws(ImageError) { value = .success(try here()) } catch { value = .failure(error) }
  return (try pending.wait().get(), try value.get())
}

/// Divides the rows of an image into strips.
///
/// A strip has enough bands for all threads of `Execution.current`, and is a small part of a large
/// image.
///
/// - Parameters:
///   - height: Rows of the image.
///   - bandRows: Rows of a band.
/// - Returns: The strips, from top to bottom.
package func strips(of height: Int, bandHeight bandRows: Int = bandHeight) -> [Range<Int>] {
  let rows = bandRows * 2 * max(Execution.current.threads, 1)
  return stride(from: 0, to: height, by: rows).map { $0..<min($0 + rows, height) }
}

/// Rows of a band: few enough to fit in a core's cache, and even, so that rows of 4:2:0 pair up.
package let bandHeight = 32

/// Default number of threads: processors of this process, or a smaller quota of the control group.
package let coreCount = max(
  ControlGroup.current.processorLimits.reduce(
    ProcessInfo.processInfo.activeProcessorCount, min), 1)

/// Threads that take work when there is some, and wait for more otherwise.
///
/// As many exist as were busy at one time; `Execution.threads` limits their number. Those of Dispatch need
/// files of the system and timers, which a process without rights does not have.
package enum WorkerThreads {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    /// Number of threads that wait for work and are not called yet.
    var idle = 0
    /// The process that the threads belong to: `fork` does not copy them.
    var process = getpid()
  }

  private static let state = Mutex(State())
  private static let call = DispatchSemaphore(value: 0)

  /// Runs `work` on another thread; on this one if the system cannot create one.
  package static func start(_ work: @escaping @Sendable () -> Void) {
    let isTaken = state.withLock { state in
      if state.process != getpid() { state = State() }
      guard state.idle > 0 else { return false }
      state.idle -= 1
      state.waiting.append(work)
      return true
    }
    if isTaken {
      call.signal()
    } else if !createThread(work) {
      work()
    }
  }

  /// Runs `work` for each of 0..<count at the same time, the first one on this thread.
  package static func perform(_ count: Int, _ work: @Sendable (_ worker: Int) -> Void) {
    guard count > 1 else { return work(0) }
    let others = DispatchSemaphore(value: 0)
    withoutActuallyEscaping(work) { work in
      let shared = SharedWork(work)
      for worker in 1..<count {
        start {
          shared.run(worker)
          others.signal()
        }
      }
      work(0)
      for _ in 1..<count { others.wait() }
      shared.end()
    }
  }

  /// Work that several threads run, and none retains afterwards.
  // SAFETY: the work is set before the threads start, and removed after they have run it.
  private final class SharedWork: @unchecked Sendable {
    private var work: (@Sendable (Int) -> Void)?

    init(_ work: @escaping @Sendable (Int) -> Void) { self.work = work }

    @inline(never) func run(_ worker: Int) { work?(worker) }

    func end() { work = nil }
  }

  /// Returns whether the system has a thread for `work`, and then for other work.
  private static func createThread(_ work: @escaping @Sendable () -> Void) -> Bool {
    startThread {
      work()
      while true {
        let next = state.withLock { state -> (@Sendable () -> Void)? in
          guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
          state.idle += 1
          return nil
        }
        if let next { next() } else { call.wait() }
      }
    }
  }
}

/// Name of the instruction set of the selected kernels: "baseline" if they have one version only.
package var kernelInstructionSet: String {
  // SAFETY: a constant string.
  unsafe String(cString: pk_instruction_set())
}
