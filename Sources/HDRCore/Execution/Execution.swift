// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import Synchronization

/// Conditions of an operation: number of threads, limits, a budget, progress and cancellation.
///
/// A value is passed to the functions that start an operation; all functions called from there
/// share it. A function that does not receive a value uses that of its caller (`current`).
///
///     let execution = Execution(threads: 4) { share in
///       print(share)
///       return true  // `false` ends the work
///     }
///     let image = try image.transformed(to: target, execution: execution)
public struct Execution: Sendable {
  /// Number of bands and tiles processed concurrently, from 1 to 256.
  ///
  /// Other numbers become the nearest of these. If it is more than 1, work whose result is needed
  /// later, such as decoding of the next rows by a decoder that uses one thread, runs on one more
  /// thread.
  public var threads: Int { didSet { threads = Self.possible(threads) } }
  /// Limits for one image or one file at a time.
  public var limits: ImageLimits
  /// Limits of memory and work for the whole job.
  public var budget: Budget
  /// Called with the completed share of an operation, such as a conversion or a transform of samples.
  ///
  /// 0 is first, shares never fall, and 1 is reported once, at the end; calls come from the thread that
  /// started the operation. Calls of libraries that report nothing count by the time that they are
  /// expected to take. If the closure returns `false`, the operation is cancelled and throws `.cancelled`.
  public var progress: (@Sendable (Double) -> Bool)?
  /// The operation that runs, and the current part of it; `nil` outside of one.
  var observation: Observation?
  /// Keeps the debits of parsed structures; `nil` to keep them as long as the budget exists.
  var heldMemory: HeldMemory?
  /// Records the files that are parsed; `nil` unless a test counts them.
  package var parseLog: ParseLog?
  private let cancellation = Cancellation()

  private final class Cancellation: Sendable {
    let isRequested = Atomic(false)
  }

  /// Prepares the conditions of an operation.
  ///
  /// - Parameters:
  ///   - threads: Number of threads, limited to 1...256; `nil` for one on each core that the
  ///     process may use.
  ///   - limits: Limits for one image or one file at a time.
  ///   - budget: Limits of memory and work for the whole job.
  ///   - progress: Called with the completed share of the work; see `progress`.
  public init(
    threads: Int? = nil, limits: ImageLimits = ImageLimits(), budget: Budget = Budget(),
    progress: (@Sendable (Double) -> Bool)? = nil
  ) {
    self.threads = Self.possible(threads ?? coreCount)
    self.limits = limits
    self.budget = budget
    self.progress = progress
  }

  private static func possible(_ threads: Int) -> Int { min(max(threads, 1), 256) }

  /// Cancels the operations that this value and its copies are passed to; callable on any thread.
  ///
  /// It cannot be undone: later operations with this value throw `.cancelled` as well.
  ///
  /// Transforms end within one band, decoders of tiled images within the current tiles, and
  /// encoders of PNG, TIFF, JPEG and OpenEXR within one strip or group. A single large HEVC, AV1 or
  /// JPEG XL image is decoded and encoded in one library call that cannot be interrupted: the
  /// operation ends within 10 ms, but the call continues on a thread of its own, with its memory,
  /// until it ends; LibRaw ends after a row, and transcoding between JPEG and JPEG XL is completed
  /// first.
  public func cancel() { cancellation.isRequested.store(true, ordering: .relaxed) }

  /// Whether the operation is cancelled, by `cancel()`, by cancellation of the current task, or by the
  /// time limit of the budget.
  ///
  /// If the current task is cancelled, this property calls `cancel()`, because other threads of the
  /// work do not belong to the task.
  public var isCancelled: Bool {
    // Other threads of the work do not belong to the task.
    if Task.isCancelled { cancel() }
    return cancellation.isRequested.load(ordering: .relaxed) || budget.isOverdue
  }

  /// Fails if the operation is cancelled.
  ///
  /// - Throws: `.cancelled`; `.limitExceeded` if the samples in memory or the time exceed the budget.
  public func checkCancellation() throws(ImageError) {
    try requireNotCancelled()
    try budget.requireRest()
  }

  /// Fails if the operation is cancelled, with the time limit as the cause if it has passed.
  func requireNotCancelled() throws(ImageError) {
    guard isCancelled else { return }
    try budget.requireTime()
    throw ImageError(.cancelled)
  }
}

// MARK: The current execution

extension Execution {
  @TaskLocal private static var ambient: Execution?

  /// The budget of the current operation; `nil` outside of one.
  static var currentBudget: Budget? { ambient?.budget }

  /// The holder of debits of parsed structures.
  static var currentHeldMemory: HeldMemory? { ambient?.heldMemory }

  /// The execution of the current operation.
  ///
  /// Outside of an operation it is a new value with one thread on each core, default limits and an
  /// unused budget.
  public static var current: Execution { ambient ?? Execution() }

  /// The conditions of work on another thread while this one goes on.
  var withHalfOfThreads: Execution {
    var execution = self
    execution.threads /= 2
    return execution
  }

  /// Runs `body` on this thread, with this value as `current`.
  ///
  /// - Parameter body: The operation.
  /// - Returns: Its result.
  /// - Throws: Errors of `body`; those of `checkCancellation()`, before `body` is called.
  public func run<Result>(_ body: () throws -> Result) throws -> Result {
    try checkCancellation()
    return try perform(body)
  }

  /// As the function above, for bodies whose errors have the type of the toolkit.
  package func run<Result>(
    _ body: () throws(ImageError) -> Result
  ) throws(ImageError) -> Result {
    try checkCancellation()
    return try perform(body)
  }

  /// Runs `body` with this value as `current`, even if it is cancelled.
  package func perform<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let result: Swift.Result<Result, Failure> = Self.$ambient.withValue(self) {
      do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Runs an asynchronous function with this value as `current`.
  func during<Result>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    try await Self.$ambient.withValue(self) { try await body() }
  }

  /// Runs a synchronous operation on a separate thread, off the caller's executor.
  ///
  /// Cancelling the calling task ends the operation within one band or tile.
  ///
  /// - Parameter body: The operation.
  /// - Returns: Its result.
  /// - Throws: Errors of `body`; those of `checkCancellation()`, before `body` is called.
  public func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await resultOnThread { () throws(any Error) in try run(body) }.get()
  }

  /// As the function above, for bodies whose errors have the type of the toolkit.
  package func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws(ImageError) -> Result
  ) async throws(ImageError) -> Result {
    try await resultOnThread { () throws(ImageError) in try run(body) }.get()
  }

  private func resultOnThread<Result: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Result
  ) async -> Swift.Result<Result, Failure> {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        WorkerThreads.start {
          let result: Swift.Result<Result, Failure>
          do throws(Failure) { result = .success(try body()) } catch { result = .failure(error) }
          continuation.resume(returning: result)
        }
      }
    } onCancel: {
      cancel()
    }
  }
}
