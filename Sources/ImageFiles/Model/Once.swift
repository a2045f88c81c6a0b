// SPDX-License-Identifier: Apache-2.0
package import HDRCore
internal import Synchronization

/// A value computed on first use and cached, as is an error of the computation unless it ends the whole
/// job.
package final class Once<Value: Sendable>: Sendable {
  private let known = Mutex<Result<Value, ImageError>?>(nil)

  package init() {}

  /// Returns the value; concurrent callers wait for the first computation.
  ///
  /// - Parameter make: Computes the value; must not call this function on the same object.
  /// - Returns: The value.
  /// - Throws: The error of the computation.
  package func value(_ make: () throws(ImageError) -> Value) throws(ImageError) -> Value {
    let result = known.withLock { known in
      let result = known ?? Result(catching: make)
      // Errors of reading and of the budget depend on the job.
      if case .failure(let error) = result, error.endsJob { return result }
      known = result
      return result
    }
    return try result.get()
  }
}
