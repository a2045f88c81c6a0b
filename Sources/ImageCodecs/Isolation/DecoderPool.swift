// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Synchronization

/// The processes that decode the tiles of one image, one for each thread.
final class DecoderPool: Sendable {
  private let idle = Mutex<[DecoderProcess]>([])

  /// The processes of the current operation; `nil` if it is not isolated.
  static var current: DecoderPool? {
    Execution.current.isolation == nil ? nil : DecoderPool()
  }

  private init() {}

  /// Runs `body` with a process that no other thread uses.
  ///
  /// - Throws: Errors of `body`; `.inputOutput` if a process cannot be started.
  func withProcess<Result>(
    _ body: (DecoderProcess) throws(ImageError) -> Result
  ) throws(ImageError) -> Result {
    var available = idle.withLock { $0.popLast() }
    if available == nil { available = try DecoderProcess.start() }
    guard let process = available else {
      throw ImageError(.isolationUnavailable, ["detail": "the operation is not isolated"])
    }
    let result = try body(process)
    // After an error, the process may be in any state.
    process.releaseMemory()
    idle.withLock { $0.append(process) }
    return result
  }
}
