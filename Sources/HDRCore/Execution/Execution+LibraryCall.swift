// SPDX-License-Identifier: Apache-2.0
extension Execution {
  /// Runs a call of a codec library for a whole image, so that cancellation does not wait for it.
  ///
  /// libaom, x265, libde265 and dav1d cannot be interrupted. A long call therefore has its own
  /// thread: when the operation is cancelled, this function throws, and the call ends later
  /// and releases what it retains. Its result is discarded.
  ///
  /// - Parameters:
  ///   - pixels: Size of the image; a call for less than a megapixel runs on the caller's thread.
  ///   - stop: Asks the library to end the call early, where it can; called on any thread.
  ///   - call: The call.
  /// - Returns: Its result.
  /// - Throws: Errors of `call`; `.cancelled`; `.limitExceeded` after the time of the budget.
  package func callLibrary<Result: Sendable>(
    pixels: Int, stop: @Sendable () -> Void = {},
    _ call: @escaping @Sendable () throws(ImageError) -> Result
  ) throws(ImageError) -> Result {
    guard pixels >= 1 << 20 else { return try call() }
    let pending = PendingResult(of: self, call)
    while !pending.wait(milliseconds: 10) {
      if isCancelled { stop() }
      try requireNotCancelled()
      tick?()
    }
    return try pending.take().get()
  }
}
