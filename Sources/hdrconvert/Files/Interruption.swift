// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Platform
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import Synchronization

/// Removal of partial files when a signal ends the command.
enum Interruption {
  private static let partial = Mutex<Set<String>>([])
  /// Retained for the lifetime of the process, because released sources are cancelled.
  // SAFETY: only `install` uses them, which runs once, on the main thread.
  nonisolated(unsafe) private static var sources: [any DispatchSourceSignal] = []

  /// Creates a file that is removed if the command ends before it is complete.
  ///
  /// No signal ends the command in between.
  ///
  /// - Parameters:
  ///   - path: The name of the file.
  ///   - create: Returns a negative number if it did not create the file.
  /// - Returns: The result of `create`.
  static func creating(_ path: String, _ create: () -> Int32) -> Int32 {
    partial.withLock { files in
      let result = create()
      if result >= 0 { files.insert(path) }
      return result
    }
  }

  /// Completes a file; no signal ends the command in between.
  ///
  /// - Parameters:
  ///   - path: The name of the incomplete file.
  ///   - provisional: The name of the complete file, if it is removed in turn if the command ends
  ///     before `keep`.
  ///   - publish: Gives the file its name.
  /// - Throws: Errors of `publish`; the file is incomplete then.
  static func completing(
    _ path: String, provisional: String?, _ publish: () throws(ImageError) -> Void
  ) throws(ImageError) {
    try partial.withLock { files throws(ImageError) in
      try publish()
      files.remove(path)
      if let provisional { files.insert(provisional) }
    }
  }

  /// Removes a file that will not be completed.
  static func discard(_ path: String) {
    partial.withLock { files in
      guard files.remove(path) != nil else { return }
      // SAFETY: the C string lives for the call.
      unsafe unlink(path)
    }
  }

  /// Unregisters a provisional file, which stays.
  static func keep(_ path: String) {
    partial.withLock { _ = $0.remove(path) }
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
