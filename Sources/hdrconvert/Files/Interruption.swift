internal import Dispatch
internal import Platform
internal import HDRConversion
internal import ImageFiles
internal import Synchronization

/// Removal of partial files when a signal ends the command.
enum Interruption {
  private static let partial = Mutex<Set<String>>([])
  /// Retained for the lifetime of the process, because released sources are cancelled.
  // SAFETY: only `install` uses them, which runs once, on the main thread.
  nonisolated(unsafe) private static var sources: [any DispatchSourceSignal] = []

  /// Registers a file that is removed if the command ends before it is complete.
  static func begin(_ temporaryFile: String) {
    partial.withLock { _ = $0.insert(temporaryFile) }
  }

  /// Creates a file that is removed if the command ends before it is complete.
  ///
  /// No signal ends the command in between.
  static func begin<Result: Sendable>(
    _ temporaryFile: String, creating: @Sendable () -> Result
  ) -> Result {
    partial.withLock { files in
      files.insert(temporaryFile)
      return creating()
    }
  }

  /// Unregisters a file that is complete or removed.
  static func end(_ temporaryFile: String) {
    partial.withLock { _ = $0.remove(temporaryFile) }
  }

  /// Ends the command, and creates no more files.
  private static func end(withStatus status: Int32) -> Never {
    partial.withLock { files in
      // SAFETY: the C strings live for the calls.
      for path in files { unsafe unlink(path) }
      _exit(status)
    }
  }

  /// Ends the command without a message, because the reader of its output closed the pipe.
  static func endWithoutReader() -> Never { end(withStatus: Failure.inputOutputExitCode) }

  /// Ends the process with 128 + signal, as shells expect, after cleaning up.
  static func install() {
    // A closed pipe and an exceeded file size become errors of `write`, so that partial files are removed.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGXCPU] {
      // Under nohup(1), the end of the terminal does not end the command.
      if number == SIGHUP, isIgnored(number) { continue }
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        end(withStatus: 128 + number)
      }
      source.resume()
      // SAFETY: this runs once, on the main thread.
      unsafe sources.append(source)
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    // `signal` returns the former handler only when it sets another one.
    let former = signal(number, SIG_IGN)
    signal(number, former)
    // SAFETY: both are function pointers or small numbers in their place, and none is called.
    return unsafe unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
