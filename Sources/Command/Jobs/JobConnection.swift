// SPDX-License-Identifier: Apache-2.0
internal import CSandbox
internal import HDRConversion
internal import Platform

/// One end of the connection between the command and the process of a job.
///
/// A message is its size and its value as JSON; a descriptor may come with it.
final class JobConnection: Sendable {
  enum Failure: Error {
    /// The other process has ended.
    case closed
    case timedOut
    /// The other process does not follow the protocol.
    case invalid
  }

  /// Bytes of a message at most, so that the other process cannot request memory.
  static let largestMessage = 64 << 20

  private let descriptor: Int32
  /// The time at which waiting ends; `nil` for never.
  private let deadline: ContinuousClock.Instant?
  private static let headerSize = 4

  /// Takes ownership of a descriptor.
  init(_ descriptor: Int32, deadline: ContinuousClock.Instant? = nil) {
    (self.descriptor, self.deadline) = (descriptor, deadline)
  }

  deinit { sandbox_close(descriptor) }

  private static func encoded(_ message: some Encodable) throws(Failure) -> Data {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    guard let payload = try? encoder.encode(message), payload.count <= largestMessage else {
      throw .invalid
    }
    return payload
  }

  private static func decoded<Message: Decodable>(
    _ type: Message.Type, _ payload: Data
  ) throws(Failure) -> Message {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    guard let message = try? decoder.decode(type, from: payload) else { throw .invalid }
    return message
  }

  /// A message as it arrives.
  static func passed<Message: Codable>(_ message: Message) throws(Failure) -> Message {
    try decoded(Message.self, try encoded(message))
  }

  /// Sends a message, with a descriptor that stays open.
  func send(_ message: some Encodable, sharing shared: Int32? = nil) throws(Failure) {
    let payload = try Self.encoded(message)
    var bytes = (0..<Self.headerSize).map { UInt8(truncatingIfNeeded: payload.count >> (8 * $0)) }
    bytes += payload
    var (sent, shared) = (0, shared ?? -1)
    while sent < bytes.count {
      // SAFETY: the range is inside the array.
      let count = unsafe bytes.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return -1 }
        return unsafe sandbox_send(descriptor, start + sent, bytes.count - sent, shared)
      }
      guard count >= 0 else { throw .closed }
      if count == 0 { try wait(forWriting: true) } else { shared = -1 }
      sent += count
    }
  }

  /// Receives a message, and the descriptor that came with it, which the caller closes.
  func receive<Message: Decodable>(
    _ type: Message.Type
  ) throws(Failure) -> (message: Message, descriptor: Int32?) {
    var received: Int32 = -1
    do throws(Failure) {
      let header = try bytes(Self.headerSize, &received)
      let size = header.enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
      guard size <= Self.largestMessage else { throw .invalid }
      let message = try Self.decoded(type, Data(try bytes(size, &received)))
      return (message, received < 0 ? nil : received)
    } catch {
      if received >= 0 { sandbox_close(received) }
      throw error
    }
  }

  private func bytes(_ count: Int, _ received: inout Int32) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      // Memory grows with what has arrived.
      var block = [UInt8](repeating: 0, count: min(count - bytes.count, 1 << 16))
      // SAFETY: the block has as many bytes as are asked for.
      let size = unsafe block.withUnsafeMutableBytes { block in
        guard let start = block.baseAddress else { return -1 }
        return unsafe sandbox_receive(descriptor, start, block.count, &received)
      }
      guard size >= 0 else { throw .closed }
      if size == 0 { try wait(forWriting: false) }
      block.removeLast(block.count - size)
      bytes += block
    }
    return bytes
  }

  /// Waits for the other process.
  private func wait(forWriting isWriting: Bool) throws(Failure) {
    var milliseconds: Int32 = -1
    if let deadline {
      let rest = deadline - .now
      guard rest > .zero else { throw .timedOut }
      milliseconds = Int32(clamping: (rest / .milliseconds(1)).rounded(.up))
    }
    guard sandbox_wait(descriptor, isWriting ? 1 : 0, milliseconds) == 1 || deadline == nil else {
      throw .timedOut
    }
  }
}

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
