// SPDX-License-Identifier: Apache-2.0
internal import CShims
internal import HDRCore
internal import Platform
internal import Synchronization

/// The process that starts decoder processes, one for each program.
final class DecoderLauncher: Sendable {
  private let server: Int32
  private let process: Int32
  private let lock = Mutex(())

  private static let launched = Mutex<[String: DecoderLauncher]>([:])

  /// The launcher of a program, started when it is first used.
  ///
  /// - Throws: `.inputOutput` if it cannot be started.
  static func launcher(of program: String?) throws(ImageError) -> DecoderLauncher {
    let result = launched.withLock { launched -> Result<DecoderLauncher, ImageError> in
      if let launcher = launched[program ?? ""] { return .success(launcher) }
      do throws(ImageError) {
        let launcher = try DecoderLauncher(program)
        launched[program ?? ""] = launcher
        return .success(launcher)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Starts the launcher of this program: by `fork` in a single-threaded process, which runs
  /// `serve` in the new one, else by starting the program.
  static func launch(_ serve: () -> Never) {
    launched.withLock { launched in
      guard launched[""] == nil else { return }
      var (process, isServer): (Int32, Int32) = (0, 0)
      // SAFETY: both numbers live for the call.
      let server = unsafe sandbox_fork_server(&process, &isServer)
      if isServer != 0 { serve() }
      launched[""] =
        server >= 0 ? DecoderLauncher(server, process) : try? DecoderLauncher(nil)
    }
  }

  private init(_ server: Int32, _ process: Int32) {
    (self.server, self.process) = (server, process)
  }

  private init(_ program: String?) throws(ImageError) {
    var process: Int32 = 0
    // SAFETY: the strings live for the calls.
    let server =
      if let program {
        unsafe sandbox_launch(program, &process)
      } else {
        unsafe sandbox_launch(nil, &process)
      }
    guard server >= 0 else { throw Self.unavailable(-server) }
    (self.server, self.process) = (server, process)
  }

  deinit { sandbox_close_server(server, process) }

  /// Starts a decoder process.
  ///
  /// - Returns: Its number and its socket.
  /// - Throws: `.inputOutput` if it cannot be started.
  func start(_ limits: sandbox_limits) throws(ImageError) -> (child: Int32, socket: Int32) {
    var child: Int32 = 0
    // SAFETY: `child` lives for the call.
    let socket = lock.withLock { _ in unsafe sandbox_start(server, limits, &child) }
    guard socket >= 0 else { throw Self.unavailable(-socket) }
    return (child, socket)
  }

  /// Kills a decoder process, and returns how it had ended before.
  func finish(_ child: Int32) -> sandbox_end {
    var end = sandbox_end()
    // SAFETY: `end` lives for the call.
    lock.withLock { _ in _ = unsafe sandbox_finish(server, child, &end) }
    return end
  }

  static func unavailable(_ number: Int32) -> ImageError {
    // SAFETY: the message is copied at once.
    ImageError(.isolationUnavailable, ["detail": unsafe String(cString: strerror(number))])
  }
}
