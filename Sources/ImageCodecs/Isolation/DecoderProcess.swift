// SPDX-License-Identifier: Apache-2.0
internal import CShims
package import HDRCore
internal import ImageContainers
internal import Platform

/// A process that decodes one image, or the tiles of one.
// SAFETY: one reader or thread at a time uses a process; `DecoderPool` passes it on behind a lock.
package final class DecoderProcess: @unchecked Sendable {
  private let launcher: DecoderLauncher
  private let child: Int32
  private let socket: FrameSocket
  private let timeLimit: Double
  private var input = DecoderInput([])
  /// The error of reading the input, which is more specific than that of the library.
  private var readFailure: ImageError?
  /// The memory that the process has.
  private var memory: SharedMemory?
  private var hasEnded = false

  /// A process for the current operation; `nil` if it is not isolated.
  ///
  /// - Throws: `.inputOutput` if the process cannot be started.
  package static func start() throws(ImageError) -> DecoderProcess? {
    guard let isolation = Execution.current.isolation else { return nil }
    return try DecoderProcess(isolation)
  }

  private init(_ isolation: Execution.Isolation) throws(ImageError) {
    let execution = Execution.current
    launcher = try .launcher(of: isolation.program)
    timeLimit = isolation.timeLimit
    let memory = max(execution.budget.memory - execution.budget.usedMemory, Self.leastMemory)
    let seconds = (isolation.timeLimit * Double(execution.threads)).rounded(.up) + 1
    let limits = sandbox_limits(
      memory: UInt64(memory), seconds: UInt32(clamping: min(max(seconds, 1), 1e9)),
      threads: UInt32(clamping: execution.threads))
    let (child, socket) = try launcher.start(limits)
    self.child = child
    self.socket = FrameSocket(socket, timeLimit: .seconds(isolation.timeLimit))
  }

  /// Memory of a process even if the budget is exhausted, in bytes.
  private static let leastMemory = 16 << 20

  deinit { if !hasEnded { _ = launcher.finish(child) } }

  /// Calls a function of a library.
  ///
  /// - Parameters:
  ///   - service: The library.
  ///   - call: The function.
  ///   - input: The bytes of the image that the call begins; `nil` to continue one.
  ///   - memory: Receives samples; `nil` for a call without samples.
  /// - Returns: The result, which a compromised process may have forged.
  /// - Throws: Errors of the library and of the input; `.codecFailure` if the process crashes, runs
  ///   out of memory or time, or does not follow the protocol.
  package func call<Service: DecoderService>(
    _ service: Service.Type, _ call: Service.Call, beginning input: DecoderInput? = nil,
    memory: SharedMemory? = nil
  ) throws(ImageError) -> Service.Result {
    if let input { (self.input, readFailure) = (input, nil) }
    let execution = Execution.current
    let isShared = memory == nil || memory === self.memory
    let header = CallHeader(
      library: service.library, inputCount: input?.source.count,
      memoryCount: isShared ? nil : memory?.count,
      threads: execution.threads, pixels: execution.limits.pixels, side: execution.limits.side)
    guard !hasEnded,
      let message = try? JSONEncoder().encode(CallMessage(header: header, call: call)),
      message.count <= Frame.largestPayload
    else { throw ImageError(.libraryResultUnexpected, ["library": service.library]) }
    let answer: Frame
    do throws(FrameSocket.Failure) {
      try socket.send(.call, Array(message), sharing: isShared ? nil : memory)
      self.memory = memory ?? self.memory
      answer = try self.answer()
    } catch {
      throw end(after: error, of: service.library)
    }
    let payload = Data(answer.payload)
    if answer.content == .result,
      let result = try? JSONDecoder().decode(Service.Result.self, from: payload)
    {
      return result
    }
    guard answer.content == .failure,
      let failure = try? JSONDecoder().decode(CodableError.self, from: payload)
    else { throw end(after: .invalid, of: service.library) }
    throw error(failure, of: service)
  }

  /// The error of a library, at its location in the file.
  package func error<Service: DecoderService>(
    _ failure: CodableError, of service: Service.Type
  ) -> ImageError {
    if let readFailure { return readFailure }
    var error = failure.error(of: service)
    error.location.offset = error.location.offset.map(input.fileOffset)
    return error
  }

  /// The answer to a call; the process reads the input before.
  private func answer() throws(FrameSocket.Failure) -> Frame {
    while true {
      let frame = try socket.receive()
      if let descriptor = frame.descriptor { sandbox_close(descriptor) }
      guard frame.content == .read else { return frame }
      guard let request = ReadRequest(frame.payload, inputCount: input.source.count) else {
        throw .invalid
      }
      if let bytes = inputBytes(request) {
        try socket.send(.bytes, bytes)
      } else {
        try socket.send(.unreadable)
      }
    }
  }

  private func inputBytes(_ request: ReadRequest) -> [UInt8]? {
    do throws(ImageError) {
      return try input.source.bytes(in: request.offset..<request.offset + request.count)
    } catch {
      readFailure = readFailure ?? error
      return nil
    }
  }

  /// Releases the memory of the last call; the process keeps it until the next.
  func releaseMemory() { memory = nil }

  /// Ends the process, and returns the error for it.
  private func end(after failure: FrameSocket.Failure, of library: String) -> ImageError {
    hasEnded = true
    let end = launcher.finish(child)
    switch failure {
    case .cancelled: return ImageError(.cancelled)
    case .timedOut: return timedOut(library)
    case .invalid: return ImageError(.codecReplyInvalid, ["library": library])
    case .closed: break
    }
    switch (end.signal, Int(end.exit_code)) {
    case (SIGXCPU, _): return timedOut(library)
    case (0, Int(sandbox_exit_memory)):
      return ImageError(.codecOutOfMemory, ["library": library])
    case (0, Int(sandbox_exit_not_confined)):
      return ImageError(.isolationUnavailable, ["detail": "seccomp is not available"])
    case (0, _): return ImageError(.codecReplyInvalid, ["library": library])
    case (let signal, _):
      return ImageError(.codecCrashed, ["library": library, "signal": signal])
    }
  }

  private func timedOut(_ library: String) -> ImageError {
    ImageError(.codecTimedOut, ["library": library, "limit": timeLimit])
  }
}
