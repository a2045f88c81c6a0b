// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Testing

@testable import Command

@Suite("Scheduling") struct BatchSchedulerTests {
  private final class Log: Sendable {
    struct State {
      var order: [Int] = []
      var threads = 0
      var memory = 0
      var mostThreads = 0
      var mostMemory = 0
    }

    let state = Mutex(State())

    func begin(_ index: Int, _ threads: Int, _ memory: Int) {
      state.withLock { state in
        state.order.append(index)
        state.threads += threads
        state.memory += memory
        state.mostThreads = max(state.mostThreads, state.threads)
        state.mostMemory = max(state.mostMemory, state.memory)
      }
    }

    func end(_ threads: Int, _ memory: Int) {
      state.withLock { state in
        state.threads -= threads
        state.memory -= memory
      }
    }
  }

  @Test(arguments: [1, 3, 8]) func staysWithinThreadsAndMemory(threads: Int) {
    let log = Log()
    let costs = (0..<60).map { $0 % 7 == 0 ? 90 : 20 + $0 % 5 }
    BatchScheduler(threads: threads, memory: 100).run(costs.count, cost: { costs[$0] }) {
      index, threads, memory in
      #expect(memory >= costs[index] && memory <= 100)
      log.begin(index, threads, costs[index])
      Thread.sleep(forTimeInterval: 0.001)
      log.end(threads, costs[index])
      return true
    }
    log.state.withLock { state in
      #expect(state.order.sorted() == Array(0..<60))
      #expect(state.mostThreads <= threads && state.mostMemory <= 100)
    }
  }

  /// A job that exceeds the memory runs alone.
  @Test func tooLargeJobsRun() {
    let log = Log()
    BatchScheduler(threads: 4, memory: 10).run(5, cost: { _ in 1000 }) { index, threads, _ in
      log.begin(index, threads, 1)
      log.end(threads, 1)
      #expect(threads == 4)
      return true
    }
    log.state.withLock { #expect($0.mostMemory == 1 && $0.order == [0, 1, 2, 3, 4]) }
  }

  @Test func endsEarly() {
    let log = Log()
    BatchScheduler(threads: 1, memory: 10).run(9, cost: { _ in 1 }) { index, threads, _ in
      log.begin(index, threads, 1)
      log.end(threads, 1)
      return index < 3
    }
    log.state.withLock { #expect($0.order == [0, 1, 2, 3]) }
  }

  @Test(arguments: [
    (8, 200, 50, 1), (8, 2, 50, 4), (8, 200, 1, 8), (8, 200, 3, 2), (1, 5, 5, 1), (8, 1, 50, 8),
  ])
  func share(free: Int, waiting: Int, fitting: Int, threads: Int) {
    #expect(BatchScheduler.share(free: free, waiting: waiting, fitting: fitting) == threads)
  }
}
