// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Synchronization

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
  /// - Throws: Errors of `call`; `.cancelled`.
  package func callLibrary<Result: Sendable>(
    pixels: Int, stop: @Sendable () -> Void = {},
    _ call: @escaping @Sendable () throws(ImageError) -> Result
  ) throws(ImageError) -> Result {
    guard pixels >= 1 << 20 else { return try call() }
    let pending = PendingResult<Result>()
    // A queue of its own has a thread even if all threads of the shared queues wait.
    DispatchQueue(label: "library call").async {
      pending.set(
        perform {
          do throws(ImageError) { return .success(try call()) } catch { return .failure(error) }
        })
    }
    while !pending.wait(milliseconds: 10) {
      guard isCancelled else { continue }
      stop()
      throw ImageError(.cancelled)
    }
    return try pending.take().get()
  }
}

/// The result of a call on another thread.
private final class PendingResult<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, ImageError>?>(nil)
  private let isSet = DispatchSemaphore(value: 0)

  func set(_ value: Result<Value, ImageError>) {
    result.withLock { $0 = value }
    isSet.signal()
  }

  /// Returns whether there is a result, after the given time at the latest.
  func wait(milliseconds: Int) -> Bool {
    isSet.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
  }

  /// The result; valid once `wait(milliseconds:)` has returned `true`.
  func take() -> Result<Value, ImageError> {
    result.withLock { result in
      guard let value = result.take() else { preconditionFailure("waited for") }
      return value
    }
  }
}
