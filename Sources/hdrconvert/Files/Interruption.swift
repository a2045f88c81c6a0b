internal import Dispatch
internal import Foundation
internal import Synchronization

/// What happens when a person or the system stops the command: no partial file stays.
enum Interruption {
  private static let partial = Mutex<String?>(nil)
  /// Kept for as long as the process lives, or they would stop to listen.
  // SAFETY: only `install` uses them, which runs once, on the main thread.
  nonisolated(unsafe) private static var sources: [any DispatchSourceSignal] = []

  /// The file to remove.
  static var temporaryFile: String? {
    get { partial.withLock { $0 } }
    set { partial.withLock { $0 = newValue } }
  }

  /// Ends the process with 128 + signal, as shells expect, after cleaning up.
  static func install() {
    // A closed pipe or a file beyond the limit shall be an error of `write`, not the end.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        // SAFETY: the C string lives for the call.
        if let path = temporaryFile { unsafe unlink(path) }
        _exit(128 + number)
      }
      source.resume()
      // SAFETY: this runs once, on the main thread.
      unsafe sources.append(source)
    }
  }
}
