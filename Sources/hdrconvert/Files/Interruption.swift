internal import Dispatch
internal import Foundation
internal import HDRConversion
internal import ImageFiles
internal import Synchronization

/// What happens when a person or the system stops the command: no partial file stays.
enum Interruption {
  private static let partial = Mutex<Set<String>>([])
  /// Kept for as long as the process lives, or they would stop to listen.
  // SAFETY: only `install` uses them, which runs once, on the main thread.
  nonisolated(unsafe) private static var sources: [any DispatchSourceSignal] = []

  /// Has a file removed if the command ends before it is done.
  static func begin(_ temporaryFile: String) {
    partial.withLock { _ = $0.insert(temporaryFile) }
  }

  /// Creates a file that is removed if the command ends before it is done.
  ///
  /// No signal ends the command between the two.
  static func begin<Result: Sendable>(
    _ temporaryFile: String, creating: @Sendable () -> Result
  ) -> Result {
    partial.withLock { files in
      files.insert(temporaryFile)
      return creating()
    }
  }

  /// A file is complete, or gone.
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

  /// Ends the command whose reader is gone; without a word, since whoever closes a pipe knows.
  static func endWithoutReader() -> Never { end(withStatus: Failure.inputOutputExitCode) }

  /// Ends the process with 128 + signal, as shells expect, after cleaning up.
  static func install() {
    // A closed pipe or a file beyond the limit shall be an error of `write`, so that no file stays.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGXCPU] {
      // Under nohup(1) the end of the terminal is no reason to stop.
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
    // The function that returns what was set sets something; nothing comes between the two calls.
    let former = signal(number, SIG_IGN)
    signal(number, former)
    // SAFETY: both are function pointers or small numbers in their place, and none is called.
    return unsafe unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
