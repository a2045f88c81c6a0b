// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import HDRCore
internal import Synchronization

/// Runs jobs concurrently, as many as threads and memory allow.
///
/// Jobs start in their order. As long as enough of them wait, each has one thread, since whole images
/// scale better than bands; the last ones, and images that need most of the memory, share the
/// remaining threads.
struct BatchScheduler {
  let threads: Int
  /// Bytes.
  let memory: Int

  private struct State {
    var next = 0
    var running = 0
    var freeThreads: Int
    var freeMemory: Int
    var isStopped = false
    var isFilling = false
    var mustFillAgain = false
  }

  /// Runs all jobs and waits for them.
  ///
  /// - Parameters:
  ///   - count: Number of jobs.
  ///   - cost: Bytes that a job needs, by estimate; called once before it starts.
  ///   - body: Runs a job with a number of threads and bytes of memory; `false` starts no further job.
  func run(
    _ count: Int, cost: @escaping @Sendable (Int) -> Int,
    _ body: @escaping @Sendable (_ index: Int, _ threads: Int, _ memory: Int) -> Bool
  ) {
    let run = Run(self, count, cost, body)
    run.fill()
    run.group.wait()
  }

  /// The number of threads for a job that starts.
  ///
  /// - Parameters:
  ///   - free: Threads that no job has.
  ///   - waiting: Jobs that have not started, this one included.
  ///   - fitting: Jobs of this size that fit into the free memory, at least 1.
  /// - Returns: A number in 1...free.
  static func share(free: Int, waiting: Int, fitting: Int) -> Int {
    max(free / max(min(waiting, fitting, free), 1), 1)
  }

  private final class Run: Sendable {
    let group = DispatchGroup()
    private let scheduler: BatchScheduler
    private let count: Int
    private let cost: @Sendable (Int) -> Int
    private let body: @Sendable (Int, Int, Int) -> Bool
    private let state: Mutex<State>

    init(
      _ scheduler: BatchScheduler, _ count: Int, _ cost: @escaping @Sendable (Int) -> Int,
      _ body: @escaping @Sendable (Int, Int, Int) -> Bool
    ) {
      (self.scheduler, self.count, self.cost, self.body) = (scheduler, count, cost, body)
      state = Mutex(State(freeThreads: scheduler.threads, freeMemory: scheduler.memory))
    }

    /// Starts as many jobs as fit; only one thread does so at a time.
    func fill() {
      let mayFill = state.withLock { state in
        state.mustFillAgain = state.isFilling
        defer { state.isFilling = true }
        return !state.isFilling
      }
      guard mayFill else { return }
      var waitingCost: Int?
      while true {
        let next = state.withLock { state -> Int? in
          guard state.next < count, !state.isStopped, state.freeThreads > 0 else { return nil }
          return state.next
        }
        var isStarted = false
        if let next {
          let need = min(waitingCost ?? cost(next), scheduler.memory)
          isStarted = start(next, need)
          waitingCost = isStarted ? nil : need
        }
        if isStarted { continue }
        let isDone = state.withLock { state in
          defer { state.mustFillAgain = false }
          if !state.mustFillAgain { state.isFilling = false }
          return !state.mustFillAgain
        }
        if isDone { return }
      }
    }

    /// Starts a job if its memory is free.
    private func start(_ index: Int, _ need: Int) -> Bool {
      let share = state.withLock { state -> (threads: Int, memory: Int)? in
        guard need <= state.freeMemory || state.running == 0 else { return nil }
        let threads = BatchScheduler.share(
          free: state.freeThreads, waiting: count - index,
          fitting: need > 0 ? max(state.freeMemory / need, 1) : Int.max)
        // What the estimate leaves is divided as the threads are.
        let part = Double(threads) / Double(state.freeThreads)
        let memory = min(
          max(need, Int(clamping: Double(state.freeMemory) * part)), state.freeMemory)
        state.next += 1
        state.running += 1
        state.freeThreads -= threads
        state.freeMemory -= memory
        return (threads, memory)
      }
      guard let (threads, memory) = share else { return false }
      DispatchQueue.global().async(group: group) { [self] in
        let continues = body(index, threads, memory)
        state.withLock { state in
          state.running -= 1
          state.freeThreads += threads
          state.freeMemory += memory
          if !continues { state.isStopped = true }
        }
        fill()
      }
      return true
    }
  }
}
