internal import Foundation
internal import Synchronization

/// How work is done: number of threads, limits, a budget, progress and cancellation.
///
/// A value is passed to the functions that start work; everything that such a function calls shares
/// it. Without one, a function takes part in the work that it is called from (`current`).
///
///     let execution = Execution(threads: 4) { share in
///       print(share)
///       return true  // `false` ends the work
///     }
///     let image = try image.transformed(to: target, execution: execution)
public struct Execution: Sendable {
  /// Bands and tiles that are worked on at the same time, at least 1.
  public var threads: Int { didSet { threads = max(threads, 1) } }
  /// Limits of what a file can ask for at a time.
  public var limits: ImageLimits
  /// Memory and work that the whole job may cost.
  public var budget: Budget
  /// Called with the share of the work that is done, 0...1, from the thread that started the work.
  ///
  /// Returning `false` ends the work: the function that was called throws `.cancelled`.
  public var progress: (@Sendable (Double) -> Bool)?
  private let cancellation = Cancellation()

  private final class Cancellation: Sendable {
    let isRequested = Atomic(false)
  }

  /// Prepares for work.
  ///
  /// - Parameters:
  ///   - threads: Threads to use; `nil` for one on each core.
  ///   - limits: Limits of what a file can ask for at a time.
  ///   - budget: Memory and work that the whole job may cost.
  ///   - progress: Called with the share of the work that is done; see `progress`.
  public init(
    threads: Int? = nil, limits: ImageLimits = ImageLimits(), budget: Budget = Budget(),
    progress: (@Sendable (Double) -> Bool)? = nil
  ) {
    self.threads = max(threads ?? coreCount, 1)
    self.limits = limits
    self.budget = budget
    self.progress = progress
  }

  /// Ends the work that this value and its copies were passed to; any thread may call it.
  ///
  /// Transforms end within one band, decoders of tiled images within the tiles in work, and encoders of
  /// PNG, TIFF, JPEG and OpenEXR within one strip. A single HEVC or AV1 image is decoded and encoded in
  /// one call of a library that cannot be interrupted: the work ends after that call. HEIF and AVIF
  /// images beyond the limit of a codec's level are grids, which end after one tile.
  public func cancel() { cancellation.isRequested.store(true, ordering: .relaxed) }

  /// Whether the work is to end: `cancel()` was called, or the current task is cancelled.
  public var isCancelled: Bool {
    // Other threads of the work have no task.
    if Task.isCancelled { cancel() }
    return cancellation.isRequested.load(ordering: .relaxed)
  }

  /// Fails if the work is to end.
  ///
  /// - Throws: `.cancelled`.
  public func checkCancellation() throws(ImageError) {
    guard !isCancelled else { throw ImageError(.cancelled) }
  }

  /// Reports the share of the work that is done.
  ///
  /// - Throws: `.cancelled` if the receiver or the task ends the work.
  package func report(_ share: Double) throws(ImageError) {
    if let progress, !progress(share) { cancel() }
    try checkCancellation()
  }
}

// MARK: The work that a function is part of

extension Execution {
  @TaskLocal private static var ambient: Execution?

  /// That of the work in progress; outside of any, one thread on each core and the default limits.
  public static var current: Execution { ambient ?? Execution() }

  /// Called with the share that is done.
  var reporter: ((Double) -> Void)? {
    guard let progress else { return nil }
    return { share in if !progress(share) { cancel() } }
  }

  /// Makes this value `current` while `body` runs.
  ///
  /// - Parameter body: The work.
  /// - Returns: Its result.
  /// - Throws: Errors of `body`; `.cancelled` if the work was to end before.
  public func callAsFunction<Result>(
    _ body: () throws(ImageError) -> Result
  ) throws(ImageError) -> Result {
    try checkCancellation()
    let result: Swift.Result<Result, ImageError> = Self.$ambient.withValue(self) {
      do throws(ImageError) { return .success(try body()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Makes this value `current` while `body` runs, which throws errors of any type.
  ///
  /// - Parameter body: The work.
  /// - Returns: Its result.
  /// - Throws: Errors of `body`.
  package func perform<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.$ambient.withValue(self, operation: body)
  }

  /// Runs synchronous work on a thread of its own, off the caller's executor.
  ///
  /// Cancelling the calling task ends the work within one band or tile.
  ///
  /// - Parameter body: The work.
  /// - Returns: Its result.
  /// - Throws: Errors of `body`; `.cancelled`.
  public func callAsFunction<Result: Sendable>(
    _ body: @escaping @Sendable () throws(ImageError) -> Result
  ) async throws(ImageError) -> Result {
    let result: Swift.Result<Result, ImageError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          let result: Swift.Result<Result, ImageError>
          do throws(ImageError) {
            result = .success(try self.callAsFunction(body))
          } catch {
            result = .failure(error)
          }
          continuation.resume(returning: result)
        }
      }
    } onCancel: {
      cancel()
    }
    return try result.get()
  }
}
