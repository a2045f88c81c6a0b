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
  package func run<Result>(_ body: () throws(ImageError) -> Result) throws(ImageError) -> Result {
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
  func during<Result>(_ body: @Sendable () async throws -> Result) async throws -> Result {
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

extension Execution {
  /// Runs a call of a codec library for a whole image, so that cancellation does not wait for it.
  ///
  /// libaom, x265, libde265 and dav1d cannot be interrupted. A long call therefore has its own
  /// thread: when the operation is cancelled, this function throws, and the call ends later
  /// and releases what it retains. Its result is discarded.
  ///
  /// - Parameters:
  ///   - seconds: Time that the call is expected to take with two threads, from which its progress is estimated; a
  ///     short call runs on the caller's thread.
  ///   - stop: Asks the library to end the call early, where it can; called on any thread.
  ///   - call: The call.
  /// - Returns: Its result.
  /// - Throws: Errors of `call`; `.cancelled`; `.limitExceeded` after the time of the budget.
  package func callLibrary<Result: Sendable>(
    seconds: Double, stop: @Sendable () -> Void = {},
    _ call: @escaping @Sendable () throws(ImageError) -> Result
  ) throws(ImageError) -> Result {
    guard seconds >= Self.longCall else { return try call() }
    let start = ContinuousClock.now
    let pending = PendingResult(of: self, call)
    while !pending.wait(milliseconds: 10) {
      if isCancelled { stop() }
      try requireNotCancelled()
      let time = (.now - start) / .seconds(seconds)
      // A straight line, continued by a curve that approaches 1.
      advance(to: time < 0.5 ? time : 1 - 0.25 / time)
    }
    return try pending.take().get()
  }

  /// Seconds that a call with a thread of its own takes at least.
  private static let longCall = 0.02
}

extension Execution {
  /// A stage of a conversion.
  public enum Stage: String, Hashable, Sendable, CaseIterable {
    /// The file is opened, and images that are decoded as a whole are decoded.
    case reading
    /// The headroom of the image is measured, which takes a pass of its own.
    case measuring
    /// Samples are decoded and converted; formats whose encoders accept rows are encoded as well.
    case converting
    /// The whole image is encoded and written.
    case encoding
  }

  /// The operation whose progress is reported, and the part of it that the current work is.
  struct Observation: Sendable {
    private let reported = Reported()
    /// The shares of the operation that the part takes.
    fileprivate var shares = 0.0...1.0
    fileprivate var stage = Stage.reading

    /// The share of the operation that was reported last.
    private final class Reported: Sendable {
      let share = Mutex(-1.0)
    }

    /// Returns whether a share is larger than those before.
    fileprivate func advance(to share: Double) -> Bool {
      reported.share.withLock { last in
        guard share > last else { return false }
        last = share
        return true
      }
    }

    /// Returns the part that begins with what was reported last, and ends with a share of this part.
    fileprivate func part(upTo end: Double, _ stage: Stage?) -> Observation {
      var part = self
      let end = share(of: end)
      part.shares = min(max(reported.share.withLock { $0 }, shares.lowerBound), end)...end
      part.stage = stage ?? self.stage
      return part
    }

    /// Returns the share of the operation for a share of the part.
    fileprivate func share(of part: Double) -> Double {
      shares.lowerBound + (shares.upperBound - shares.lowerBound) * min(max(part, 0), 1)
    }
  }

  /// Runs an operation whose progress the current execution observes: 0, shares that never fall, and at its end 1,
  /// once.
  ///
  /// An operation within another one is a part of it.
  ///
  /// - Parameter body: The operation.
  /// - Returns: Its result.
  /// - Throws: Errors of `body`.
  package static func operation<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var execution = current
    guard execution.progress != nil, execution.observation == nil else { return try body() }
    execution.observation = Observation()
    execution.send(0)
    let value = try execution.perform(body)
    execution.observation?.stage = .encoding
    execution.send(1)
    return value
  }

  /// Runs a part of the current operation.
  ///
  /// It begins with what was reported last, so that parts without reports leave their shares to the next ones.
  ///
  /// - Parameters:
  ///   - end: Share of the current work that is done when the part ends, 0...1.
  ///   - stage: The stage; `nil` for that of the current work.
  ///   - body: The part.
  /// - Returns: Its result.
  /// - Throws: Errors of `body`.
  package static func part<Value, Failure: Error>(
    upTo end: Double, _ stage: Stage? = nil, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var execution = current
    guard let observation = execution.observation else { return try body() }
    execution.observation = observation.part(upTo: end, stage)
    return try execution.perform(body)
  }

  /// Runs the part of a loop, and reports its end.
  ///
  /// - Parameters:
  ///   - end: Index after the last one of the part.
  ///   - count: Number of indices of the loop.
  ///   - body: The part.
  /// - Throws: Errors of `body`; `.cancelled`.
  package static func step(
    to end: Int, of count: Int, _ body: () throws(ImageError) -> Void
  ) throws(ImageError) {
    let share = Double(end) / Double(max(count, 1))
    try part(upTo: share, nil, body)
    try current.report(share)
  }

  /// Reports the completed share of the current work, 0...1.
  ///
  /// - Throws: `.cancelled` if the receiver or the task cancels the operation.
  package func report(_ share: Double) throws(ImageError) {
    advance(to: share)
    try checkCancellation()
  }

  /// As `report(_:)`, for code that notices the cancellation later.
  func advance(to share: Double) {
    guard let whole = observation?.share(of: share) else { return }
    // The end is reported when the operation has ended.
    if whole < 1 { send(whole) }
  }

  /// The stage of the current work.
  package var stage: Stage { observation?.stage ?? .reading }

  private func send(_ share: Double) {
    guard let progress, observation?.advance(to: share) == true else { return }
    if !perform({ progress(share) }) { cancel() }
  }

  /// The conditions of work on another thread, which does not report.
  var withoutProgress: Execution {
    var execution = self
    (execution.progress, execution.observation) = (nil, nil)
    return execution
  }
}

/// The stages of some work, one after the other.
package struct Stages {
  private var ends: ArraySlice<Double>

  /// Divides the progress of the current work.
  ///
  /// - Parameter times: Times that the stages are expected to take, in one unit.
  package init(_ times: Double...) {
    let total = max(times.reduce(0, +), .leastNormalMagnitude)
    var sum = 0.0
    ends = ArraySlice(
      times.map { time in
        sum += time
        return sum / total
      })
  }

  /// Runs the next stage.
  ///
  /// - Parameters:
  ///   - stage: Its name; `nil` for that of the current work.
  ///   - body: The work.
  /// - Returns: Its result.
  /// - Throws: Errors of `body`.
  package mutating func next<Value, Failure: Error>(
    _ stage: Execution.Stage? = nil, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try Execution.part(upTo: ends.popFirst() ?? 1, stage, body)
  }
}
