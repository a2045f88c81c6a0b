// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Synchronization

/// The result of work on another thread, which is taken once.
package final class PendingResult<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, ImageError>?>(nil)
  private let isSet = DispatchSemaphore(value: 0)

  /// Starts `body` under the conditions of an operation.
  package init(
    of execution: Execution, _ body: @escaping @Sendable () throws(ImageError) -> Value
  ) {
    WorkerThreads.start { [self] in
      let value: Result<Value, ImageError> = execution.perform {
        do throws(ImageError) { return .success(try body()) } catch { return .failure(error) }
      }
      set(value)
    }
  }

  /// Makes a place for a result, which the caller sets.
  fileprivate init() {}

  fileprivate func set(_ value: Result<Value, ImageError>) {
    result.withLock { $0 = value }
    isSet.signal()
  }

  /// Returns whether there is a result, after the given time at the latest.
  func wait(milliseconds: Int) -> Bool {
    isSet.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
  }

  /// Waits for the result and takes it; meanwhile, the work notices that the task of this thread is cancelled.
  package func wait() -> Result<Value, ImageError> {
    while !wait(milliseconds: 10) { _ = Execution.current.isCancelled }
    return take()
  }

  /// The result; valid once `wait(milliseconds:)` has returned `true`.
  func take() -> Result<Value, ImageError> {
    result.withLock { result in
      guard let value = result.take() else { preconditionFailure("waited for") }
      return value
    }
  }
}

extension Execution {
  /// Runs an asynchronous function of the program that uses the library, and waits for it on this thread.
  ///
  /// - Parameter body: The function; it is cancelled with the operation.
  /// - Returns: Its result.
  /// - Throws: Its errors as `callingProgram(_:)`; `.cancelled`; `.limitExceeded` after the time of the budget.
  package func waitForProgram<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) throws(ImageError) -> Result {
    let pending = PendingResult<Result>()
    let task = Task.detached(executorPreference: WorkerExecutor.shared) {
      do { pending.set(.success(try await body())) } catch {
        pending.set(.failure(ImageError(ofProgram: error)))
      }
    }
    while !pending.wait(milliseconds: 10) {
      if isCancelled { task.cancel() }
      try requireNotCancelled()
    }
    return try pending.take().get()
  }
}

/// Runs tasks on worker threads, since all threads of Swift's own pool may be waiting for them.
private final class WorkerExecutor: TaskExecutor {
  static let shared = WorkerExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // SAFETY: the executor is never released.
    WorkerThreads.start { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
