// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CSandbox
internal import HDRCore
internal import Platform
internal import Synchronization

/// The process that forks one for each job.
///
/// It is this program, forked before it has threads: the libraries are loaded, and the arguments are parsed.
final class JobServer: Sendable {
  private let socket: Int32
  private let process: Int32
  private let lock = Mutex(())

  private enum State {
    case none
    /// Jobs of a command are confined; none has started.
    case meant(Meant)
    case running(JobServer)
  }

  // SAFETY: a verb is a value, and only read.
  private struct Meant: @unchecked Sendable {
    let command: any ParsableCommand
  }

  private static let state = Mutex(State.none)

  /// Confines the jobs of a command.
  static func confineJobs(of command: any ParsableCommand) {
    let meant = Meant(command: command)
    state.withLock { $0 = .meant(meant) }
  }

  /// Starts the server of the command, unless it runs; the new process does not return.
  ///
  /// - Returns: The server; `nil` if jobs are not confined.
  /// - Throws: `.inputOutput` if it cannot be started.
  @discardableResult static func start() throws(ImageError) -> JobServer? {
    // Outside the lock, which a new process would inherit.
    let command: any ParsableCommand
    switch state.withLock({ $0 }) {
    case .none: return nil
    case .running(let server): return server
    case .meant(let meant): command = meant.command
    }
    var (process, isServer): (Int32, Int32) = (0, 0)
    // SAFETY: both numbers live for the call.
    var socket = unsafe sandbox_fork_server(&process, &isServer)
    if isServer != 0 { JobProcess.serve(command) }
    if socket == -EBUSY { socket = launchAgain(&process) }
    guard socket >= 0 else { throw unavailable(-socket) }
    let server = JobServer(socket, process)
    state.withLock { $0 = .running(server) }
    return server
  }

  /// Starts the server of these arguments and does not return, if this process is meant to be one.
  static func serveIfLaunched(_ parse: ([String]) throws -> any ParsableCommand) {
    guard CommandLine.arguments.dropFirst().first == argument else { return }
    guard let command = try? parse(Array(CommandLine.arguments.dropFirst(2))) else {
      sandbox_exit(Int32(sandbox_exit_not_confined))
    }
    JobProcess.serve(command)
  }

  // SAFETY: a constant string.
  private static let argument = unsafe String(cString: sandbox_argument())

  /// Starts this program again.
  private static func launchAgain(_ process: inout Int32) -> Int32 {
    let words = [CommandLine.arguments[0], argument] + CommandLine.arguments.dropFirst()
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    // SAFETY: the strings live for the call, and `nil` ends the list.
    return unsafe sandbox_launch(&arguments, &process)
  }

  private init(_ socket: Int32, _ process: Int32) {
    (self.socket, self.process) = (socket, process)
  }

  /// Ends the server and its processes, whose time counts as that of the command.
  static func end() {
    guard case .running(let server) = state.withLock({ $0 }) else { return }
    server.lock.withLock { _ in sandbox_close_server(server.socket, server.process) }
  }

  /// Starts the process of a job.
  ///
  /// - Throws: `.inputOutput` if it cannot be started.
  func start(_ job: Job, timeLimit: Duration?) throws(ImageError) -> RunningJob {
    let seconds = timeLimit.map { ($0 / .seconds(1) * Double(job.threads)).rounded(.up) + 2 }
    let limits = sandbox_limits(
      memory: UInt64(clamping: job.memory),
      seconds: seconds.map { UInt32(clamping: $0) } ?? UInt32.max,
      threads: UInt32(clamping: job.threads))
    var child: Int32 = 0
    // SAFETY: `child` lives for the call.
    let descriptor = lock.withLock { _ in unsafe sandbox_start(socket, limits, &child) }
    guard descriptor >= 0 else { throw Self.unavailable(-descriptor) }
    // The job ends itself at its limit, if it can.
    let deadline = timeLimit.map { ContinuousClock.now + $0 + .seconds(1) }
    return RunningJob(
      connection: JobConnection(descriptor, deadline: deadline), server: self, process: child,
      timeLimit: timeLimit)
  }

  /// Kills a process, and returns how it had ended before.
  fileprivate func finish(_ process: Int32) -> sandbox_end {
    var end = sandbox_end()
    // SAFETY: `end` lives for the call.
    lock.withLock { _ in _ = unsafe sandbox_finish(socket, process, &end) }
    return end
  }

  private static func unavailable(_ number: Int32) -> ImageError {
    // SAFETY: the message is copied at once.
    ImageError(.isolationUnavailable, ["detail": unsafe String(cString: strerror(number))])
  }
}

/// The process of a job.
struct RunningJob: Sendable {
  let connection: JobConnection
  fileprivate let server: JobServer
  fileprivate let process: Int32
  fileprivate let timeLimit: Duration?

  /// Ends the process, which is of no further use.
  func end() { _ = server.finish(process) }

  /// Ends the process after a failure of the connection, and returns the error for it.
  func error(after failure: JobConnection.Failure) -> ImageError {
    let end = server.finish(process)
    switch failure {
    case .timedOut: return timedOut
    case .invalid: return ImageError(.workerReplyInvalid)
    case .closed: break
    }
    return switch (end.signal, Int(end.exit_code)) {
    case (SIGXCPU, _) where timeLimit != nil: timedOut
    // The limit of the command, which includes that of its processes.
    case (SIGXCPU, _): Interruption.end(withStatus: 128 + SIGXCPU)
    case (0, Int(sandbox_exit_memory)): ImageError(.workerOutOfMemory)
    case (0, Int(sandbox_exit_not_confined)):
      ImageError(.isolationUnavailable, ["detail": "seccomp is not available"])
    case (0, _): ImageError(.workerReplyInvalid)
    case (let signal, _): ImageError(.workerCrashed, ["signal": signal])
    }
  }

  private var timedOut: ImageError {
    ImageError(.workerTimedOut, ["limit": (timeLimit ?? .zero) / .seconds(1)])
  }
}
