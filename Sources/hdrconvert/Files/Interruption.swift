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

  /// A file is complete, or gone.
  static func end(_ temporaryFile: String) {
    partial.withLock { _ = $0.remove(temporaryFile) }
  }

  private static func removeTemporaryFiles() {
    // SAFETY: the C strings live for the calls.
    for path in partial.withLock({ $0 }) { unsafe unlink(path) }
  }

  /// Ends the command whose reader is gone; without a word, since whoever closes a pipe knows.
  static func endWithoutReader() -> Never {
    removeTemporaryFiles()
    _exit(Failure.inputOutputExitCode)
  }

  /// Ends the process with 128 + signal, as shells expect, after cleaning up.
  static func install() {
    // A closed pipe or a file beyond the limit shall be an error of `write`, so that no file stays.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        removeTemporaryFiles()
        _exit(128 + number)
      }
      source.resume()
      // SAFETY: this runs once, on the main thread.
      unsafe sources.append(source)
    }
  }
}
