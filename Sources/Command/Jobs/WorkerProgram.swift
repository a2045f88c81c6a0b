// SPDX-License-Identifier: Apache-2.0
internal import CSandbox
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import Platform

/// The program with the codecs, `hdrconvert-worker`, which consists of the same command.
enum WorkerProgram {
  private static let name = "hdrconvert-worker"

  /// Whether this program is linked to codecs.
  static var isRunning: Bool { !CodecRegistry.current.codecs.isEmpty }

  /// The path of the program: next to this one, or in `libexec/hdrconvert`.
  ///
  /// - Throws: `.inputOutput` if it is missing.
  private static func path() throws(ImageError) -> String {
    // SAFETY: the path is copied, and freed once.
    guard let found = unsafe sandbox_executable() else {
      throw ImageError(.workerMissing, ["program": name])
    }
    let own = unsafe String(cString: found)
    unsafe free(found)
    guard !isRunning else { return own }
    let places = ["\(own.folder)/\(name)", "\(own.folder)/../libexec/hdrconvert/\(name)"]
    guard let place = places.first(where: { unsafe access($0, X_OK) == 0 }) else {
      throw ImageError(.workerMissing, ["program": places[0]])
    }
    return place
  }

  /// Goes on as the program with the codecs, unless it is this one.
  ///
  /// - Throws: `.inputOutput` if it is missing or cannot be started.
  static func become() throws(ImageError) {
    guard !isRunning else { return }
    // SAFETY: the arguments live as long as the process.
    unsafe _ = execv(try path(), CommandLine.unsafeArgv)
    throw try notStarted(lastSystemError)
  }

  /// Starts the program as a server of jobs with the arguments of this command.
  ///
  /// - Returns: The socket to the server, and its process.
  /// - Throws: `.inputOutput` if it is missing or cannot be started.
  static func serve() throws(ImageError) -> (socket: Int32, process: Int32) {
    let path = try path()
    var process: Int32 = 0
    // SAFETY: the arguments live as long as the process, and `process` for the call.
    let socket = unsafe sandbox_launch(path, CommandLine.unsafeArgv, toolVersion, &process)
    guard socket >= 0 else {
      // SAFETY: the message is copied at once.
      throw try notStarted(unsafe String(cString: strerror(-socket)))
    }
    return (socket, process)
  }

  /// The error for a program that does not start.
  static func notStarted(_ detail: String) throws(ImageError) -> ImageError {
    ImageError(.workerNotStarted, ["program": try path(), "detail": detail])
  }
}
