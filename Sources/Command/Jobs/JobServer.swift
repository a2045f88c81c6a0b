// SPDX-License-Identifier: Apache-2.0
internal import CSandbox
internal import HDRCore
internal import Platform
internal import Synchronization

/// The process that forks one for each job: `hdrconvert-worker` with the arguments of the command.
final class JobServer: Sendable {
  /// The socket to the process; `nil` once it is closed.
  private let socket: Mutex<Int32?>
  private let process: Int32

  private enum State {
    case none
    /// Jobs are confined; none has started.
    case meant
    case running(JobServer)
  }

  private static let state = Mutex(State.none)

  /// Confines the jobs of the command.
  static func confineJobs() { state.withLock { $0 = .meant } }

  /// Starts the server of the command, unless it runs.
  ///
  /// - Returns: The server; `nil` if jobs are not confined.
  /// - Throws: `.inputOutput` if it cannot be started.
  @discardableResult static func start() throws(ImageError) -> JobServer? {
    try start(replacing: nil)
  }

  private static func start(replacing former: JobServer?) throws(ImageError) -> JobServer? {
    try state.withLock { state throws(ImageError) in
      switch state {
      case .none: return nil
      case .running(let server) where server !== former: return server
      case .meant, .running:
        state = .meant
        let server = try JobServer()
        state = .running(server)
        return server
      }
    }
  }

  private init() throws(ImageError) {
    let started = try WorkerProgram.serve()
    socket = Mutex(started.socket)
    process = started.process
  }

  deinit { close() }

  /// Ends the server and its processes, whose time counts as that of the command.
  static func end() {
    guard case .running(let server) = state.withLock({ $0 }) else { return }
    server.close()
  }

  private func close(isStuck: Bool = false) {
    socket.withLock { socket in
      if let socket { sandbox_close_server(socket, process, isStuck ? 1 : 0) }
      socket = nil
    }
  }

  /// Starts the process of a job.
  ///
  /// - Throws: `.inputOutput` if it cannot be started.
  func start(_ job: Job, timeLimit: Duration?) throws(ImageError) -> RunningJob {
    if let job = try start(job, timeLimit) { return job }
    // It was killed, or cannot be started at all.
    guard let job = try Self.start(replacing: self)?.start(job, timeLimit) else {
      throw try WorkerProgram.notStarted("it ends at once")
    }
    return job
  }

  /// Starts the process of a job; `nil` if the server has ended.
  private func start(_ job: Job, _ timeLimit: Duration?) throws(ImageError) -> RunningJob? {
    let seconds = timeLimit.map { ($0 / .seconds(1) * Double(job.threads)).rounded(.up) + 2 }
    let limits = sandbox_limits(
      memory: UInt64(clamping: job.memory),
      seconds: seconds.map { UInt32(clamping: $0) } ?? UInt32.max,
      threads: UInt32(clamping: job.threads))
    // The job ends itself at its limit, if it can.
    let deadline = timeLimit.map { ContinuousClock.now + $0 + .seconds(1) }
    let milliseconds = timeLimit.map {
      Int32(clamping: ($0 / .milliseconds(1)).rounded(.up) + 1000)
    }
    var child: Int32 = 0
    // SAFETY: `child` lives for the call.
    let descriptor = socket.withLock { socket in
      socket.map { unsafe sandbox_start($0, limits, milliseconds ?? -1, &child) } ?? -EPIPE
    }
    guard descriptor != -EPIPE, descriptor != -ECONNRESET else { return nil }
    if descriptor == -ETIMEDOUT {
      close(isStuck: true)
      throw RunningJob.timedOut(timeLimit)
    }
    guard descriptor >= 0 else { throw Self.unavailable(-descriptor) }
    return RunningJob(
      connection: JobConnection(descriptor, deadline: deadline), server: self, process: child,
      timeLimit: timeLimit)
  }

  /// Kills a process, and returns how it had ended before; it ends with the server.
  fileprivate func finish(_ process: Int32) -> sandbox_end {
    var end = sandbox_end()
    // SAFETY: `end` lives for the call.
    let failure = socket.withLock { socket in
      socket.map { unsafe sandbox_finish($0, process, &end) } ?? -EPIPE
    }
    if failure != 0 { end.signal = SIGKILL }
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
    // Crashes have other signals; this is the system's without memory, or a person's.
    case (SIGKILL, _): ImageError(.workerKilled, ["signal": end.signal])
    case (let signal, _):
      // SAFETY: a constant string.
      ImageError(
        .workerCrashed,
        [
          "signal": signal,
          "place": unsafe sandbox_library(end.library).map { unsafe String(cString: $0) }
            ?? "hdrconvert",
        ])
    }
  }

  private var timedOut: ImageError { Self.timedOut(timeLimit) }

  fileprivate static func timedOut(_ limit: Duration?) -> ImageError {
    ImageError(.workerTimedOut, ["limit": (limit ?? .zero) / .seconds(1)])
  }
}
