// SPDX-License-Identifier: Apache-2.0
internal import CSandbox
internal import HDRCore
internal import ImageFiles
internal import Platform

/// The program with the codecs, `hdrconvert-worker`, which consists of the same command.
enum WorkerProgram {
  private static let name = "hdrconvert-worker"

  /// Whether this program is linked to codecs.
  private static var isRunning: Bool { !CodecRegistry.current.codecs.isEmpty }

  /// The path of the program: next to this one, or in `libexec/hdrconvert`.
  ///
  /// - Throws: `.inputOutput` if it is missing.
  static func path() throws(ImageError) -> String {
    // SAFETY: the path is copied, and freed once.
    guard let found = unsafe sandbox_executable() else {
      throw ImageError(.workerMissing, ["program": name])
    }
    let own = unsafe String(cString: found)
    unsafe free(found)
    guard !isRunning else { return own }
    let folder = own.prefix(upTo: own.lastIndex(of: "/") ?? own.startIndex)
    let places = ["\(folder)/\(name)", "\(folder)/../libexec/hdrconvert/\(name)"]
    guard let place = places.first(where: { unsafe access($0, X_OK) == 0 }) else {
      throw ImageError(.workerMissing, ["program": places[0]])
    }
    return place
  }

  /// Goes on as the program with the codecs, unless it is this one.
  ///
  /// - Throws: `.inputOutput` if it is missing.
  static func become() throws(ImageError) {
    guard !isRunning else { return }
    let path = try path()
    // SAFETY: the arguments live as long as the process.
    unsafe _ = execv(path, CommandLine.unsafeArgv)
    throw ImageError(.workerMissing, ["program": path])
  }

  /// Starts the program as a server of jobs with the arguments of this command.
  ///
  /// - Returns: The socket to the server, and its process.
  /// - Throws: `.inputOutput` if it is missing or cannot be started.
  static func serve() throws(ImageError) -> (socket: Int32, process: Int32) {
    let path = try path()
    var process: Int32 = 0
    // SAFETY: the arguments live as long as the process, and `process` for the call.
    let socket = unsafe sandbox_launch(path, CommandLine.unsafeArgv, &process)
    guard socket >= 0 else { throw JobServer.unavailable(-socket) }
    return (socket, process)
  }
}
