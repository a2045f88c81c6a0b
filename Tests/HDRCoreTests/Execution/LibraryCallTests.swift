// SPDX-License-Identifier: Apache-2.0
import Dispatch
@testable import HDRCore
import Synchronization
import Testing

@Suite("Calls of libraries") struct LibraryCallTests {
  @Test(arguments: [0.001, 1]) func returnsTheResult(seconds: Double) throws {
    let execution = Execution(threads: 3)
    let threads = try execution.callLibrary(seconds: seconds) { () throws(ImageError) in
      seconds < 1 ? execution.threads : Execution.current.threads
    }
    #expect(threads == 3)
  }

  @Test(arguments: [0.001, 1]) func throwsItsError(seconds: Double) {
    let error = #expect(throws: ImageError.self) {
      try Execution().callLibrary(seconds: seconds) { () throws(ImageError) in
        throw ImageError(.rowsOutside, ["first": 0, "end": 2, "height": 1])
      }
    }
    #expect(error?.code == .rowsOutside)
  }

  /// A call that takes longer than the limit: the cause is the limit, not a cancellation.
  @Test func timeLimitIsTheCause() throws {
    let mayEnd = DispatchSemaphore(value: 0)
    let execution = Execution(budget: Execution.Budget(timeLimit: .milliseconds(20)))
    let error = #expect(throws: ImageError.self) {
      try execution.callLibrary(seconds: 1) { () throws(ImageError) in mayEnd.wait() }
    }
    #expect(error?.code == .timeLimitExceeded)
    mayEnd.signal()
  }

  /// A call that ends only after the function has thrown.
  @Test func cancellationDoesNotWait() throws {
    let execution = Execution()
    let (begun, mayEnd, ended) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let stops = Atomic(0)
    DispatchQueue.global().async {
      begun.wait()
      execution.cancel()
    }
    let error = #expect(throws: ImageError.self) {
      try execution.callLibrary(
        seconds: 1, stop: { stops.wrappingAdd(1, ordering: .relaxed) },
        { () throws(ImageError) in
          begun.signal()
          mayEnd.wait()
          ended.signal()
        })
    }
    #expect(error?.category == .cancelled)
    #expect(stops.load(ordering: .relaxed) == 1)
    mayEnd.signal()
    #expect(ended.wait(timeout: .now() + 120) == .success)
  }
}
