// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Platform
internal import HDRCore
internal import Synchronization

/// Removal of partial files when a signal ends the command.
enum Interruption {
  private static let partial = Mutex<Set<String>>([])

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

  /// Completes files; no signal ends the command in between.
  ///
  /// - Parameters:
  ///   - paths: The names of the incomplete files.
  ///   - publish: Gives the files their names.
  /// - Throws: Errors of `publish`; the files are incomplete then.
  static func completing(
    _ paths: [String], _ publish: () throws(ImageError) -> Void
  ) throws(ImageError) {
    try partial.withLock { files throws(ImageError) in
      try publish()
      files.subtract(paths)
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

  /// The amount of finished work, in words; `nil` if it is not known.
  private static let summary = Mutex<(@Sendable () -> String)?>(nil)

  /// Sets the words that are printed when a signal ends the command.
  static func report(_ text: (@Sendable () -> String)?) { summary.withLock { $0 = text } }

  /// Tells a person that a signal ends the command.
  private static func tell(_ number: Int32) {
    guard CommandFiles.current == nil, number == SIGINT || number == SIGTERM else { return }
    let done = summary.withLock(\.self).map { ": \($0())" } ?? ""
    let word = number == SIGINT ? "interrupted" : "terminated"
    // A terminal shows ^C, or a bar, on the current line.
    Console.show((Console.isWatched ? "\n" : "") + "hdrconvert: \(word)\(done)\n")
  }

  /// Ends the command, and creates no more files.
  static func end(withStatus status: Int32) -> Never {
    partial.withLock { files in
      // SAFETY: the C strings live for the calls.
      for path in files { unsafe unlink(path) }
      _exit(status)
    }
  }

  /// Ends the command without a message, because the reader of its output closed the pipe.
  static func endWithoutReader() -> Never { end(withStatus: Failure.inputOutputExitCode) }

  /// Ends the process with 128 + signal, as shells expect, after cleaning up.
  ///
  /// The signals are blocked in all threads, and one thread waits for them, so that none is dropped before
  /// it waits. Call this before other threads start.
  static func install() {
    // A closed pipe and an exceeded file size become errors of `write`, so that partial files are removed.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    var signals = sigset_t()
    // SAFETY: the set lives for the calls.
    unsafe sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGXCPU] {
      // Under nohup(1), the end of the terminal does not end the command.
      if number == SIGHUP, isIgnored(number) { continue }
      unsafe sigaddset(&signals, number)
    }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    waited.withLock { $0 = signals }
    DispatchQueue(label: "signals").async { wait() }
  }

  /// The signals that end the command.
  private static let waited = Mutex(sigset_t())

  private static func wait() -> Never {
    var signals = waited.withLock(\.self)
    while true {
      var number: Int32 = 0
      // SAFETY: both live for the call.
      guard unsafe sigwait(&signals, &number) == 0 else { continue }
      tell(number)
      end(withStatus: 128 + number)
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
