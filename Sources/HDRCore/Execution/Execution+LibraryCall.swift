// SPDX-License-Identifier: Apache-2.0
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
