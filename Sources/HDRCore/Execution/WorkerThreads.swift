// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Platform
internal import Synchronization

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
