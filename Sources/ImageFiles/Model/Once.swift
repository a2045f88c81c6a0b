// SPDX-License-Identifier: Apache-2.0
package import HDRCore
internal import Synchronization

/// A value computed on first use and cached, as is an error thrown by the computation.
package final class Once<Value: Sendable>: Sendable {
  private let known = Mutex<Result<Value, ImageError>?>(nil)

  package init() {}

  /// Returns the value; concurrent callers wait for the first computation.
  ///
  /// - Parameter make: Computes the value; must not call this function on the same object.
  /// - Returns: The value.
  /// - Throws: The error of the first computation.
  package func value(_ make: () throws(ImageError) -> Value) throws(ImageError) -> Value {
    let result = known.withLock { known in
      let result = known ?? Result(catching: make)
      known = result
      return result
    }
    return try result.get()
  }
}
