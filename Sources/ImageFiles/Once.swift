package import HDRCore
internal import Synchronization

/// A value that is made when it is asked for first, and kept; so is the error that making it throws.
package final class Once<Value: Sendable>: Sendable {
  private let known = Mutex<Result<Value, ImageError>?>(nil)

  package init() {}

  /// The value; others who ask for it at the same time wait for the first.
  ///
  /// - Parameter make: Makes the value; it does not ask for it.
  /// - Returns: The value.
  /// - Throws: The error of the first call.
  package func value(_ make: () throws(ImageError) -> Value) throws(ImageError) -> Value {
    let result = known.withLock { known in
      let result = known ?? Result(catching: make)
      known = result
      return result
    }
    return try result.get()
  }
}
