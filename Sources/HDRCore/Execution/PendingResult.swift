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
      let value: Result<Value, ImageError> = execution.withoutProgress.perform {
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
  /// It runs on a thread of its own, since all threads of Swift's pool may wait for such functions, with
  /// the limits of this value.
  ///
  /// - Parameter body: The function; it is cancelled with the operation.
  /// - Returns: Its result.
  /// - Throws: Its errors as `callingProgram(_:)`; `.cancelled`; `.limitExceeded` after the time of the budget.
  package func waitForProgram<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) throws(ImageError) -> Result {
    try requireNotCancelled()
    var inner = withoutProgress
    inner.heldMemory = nil
    let pending = PendingResult<Result>()
    let task = Task.detached(executorPreference: ThreadExecutor()) { [inner] in
      do { pending.set(.success(try await inner.during(body))) } catch {
        pending.set(.failure(ImageError(ofProgram: error)))
      }
    }
    while !pending.wait(milliseconds: 10) {
      do throws(ImageError) { try requireNotCancelled() } catch {
        task.cancel()
        throw error
      }
    }
    return try pending.take().get()
  }
}

/// Runs jobs one after another, on a worker thread.
private final class ThreadExecutor: TaskExecutor {
  /// Jobs that wait; `nil` while no thread runs jobs.
  private let jobs = Mutex<[UnownedJob]?>(nil)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let startsThread = jobs.withLock { jobs in
      defer { jobs = (jobs ?? []) + [job] }
      return jobs == nil
    }
    if startsThread { WorkerThreads.start { self.runJobs() } }
  }

  private func runJobs() {
    while let job = next() {
      // SAFETY: the executor lives until the function returns.
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  private func next() -> UnownedJob? {
    jobs.withLock { jobs in
      guard jobs?.isEmpty == false else {
        jobs = nil
        return nil
      }
      return jobs?.removeFirst()
    }
  }
}
