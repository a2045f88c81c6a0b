// SPDX-License-Identifier: Apache-2.0
internal import CShims
internal import HDRCore
internal import ImageContainers
internal import Platform
internal import Synchronization

/// The decoder processes' side of isolated decoding.
package enum DecoderProcessServer {
  /// Whether decoder processes have a limit of memory; not in builds with sanitizers.
  package static var limitsMemory: Bool { sandbox_limits_memory() != 0 }

  /// Serves decoders if this process was started for that; does not return then.
  ///
  /// - Parameter services: The libraries that decode.
  package static func serveIfLaunched(_ services: [any DecoderService.Type]) {
    // SAFETY: a constant string.
    let argument = unsafe String(cString: sandbox_argument())
    guard CommandLine.arguments.dropFirst().first == argument else { return }
    serve(services)
  }

  /// Starts the server of this program, for programs that do not begin to decode at once.
  ///
  /// An error is thrown when a decoder is needed.
  ///
  /// - Parameter services: The libraries that decode.
  package static func launch(_ services: [any DecoderService.Type]) {
    DecoderLauncher.launch { serve(services) }
  }

  /// Initializes what every child uses, so that not every child has to.
  private static func prepare(_ services: [any DecoderService.Type]) {
    // The calls of a missing library throw.
    for service in services { try? service.codecLibrary?.load() }
    let header = CallHeader(library: "", threads: 1, pixels: 0, side: 0)
    guard
      let message = try? JSONEncoder().encode(
        CallMessage(header: header, call: DecodedRows(count: 0)))
    else { return }
    _ = try? JSONDecoder().decode(CallMessage<DecodedRows>.self, from: message)
  }

  private static func serve(_ services: [any DecoderService.Type]) -> Never {
    prepare(services)
    var limits = sandbox_limits()
    // Returns in each child, before it has threads.
    let socket = unsafe sandbox_serve(&limits)
    guard sandbox_confine(limits) == 0 else { sandbox_exit(Int32(sandbox_exit_not_confined)) }
    var loop = CallLoop(FrameSocket(socket), services, memory: Int(clamping: limits.memory))
    loop.run()
    sandbox_exit(Int32(sandbox_exit_ok))
  }
}

/// The calls of one image in a decoder process.
private struct CallLoop {
  private let socket: FrameSocket
  private let services: [any DecoderService.Type]
  private let budget: Execution.Budget
  private var service: (any DecoderService)?
  private var memory: SharedMemory?

  init(_ socket: FrameSocket, _ services: [any DecoderService.Type], memory: Int) {
    self.socket = socket
    self.services = services
    budget = Execution.Budget(memory: memory)
  }

  /// Runs calls until the parent ends the connection.
  mutating func run() {
    while let frame = try? socket.receive(), frame.content == .call,
      let header = try? JSONDecoder().decode(CallEnvelope.self, from: Data(frame.payload)).header,
      let type = services.first(where: { $0.library == header.library })
    {
      guard (try? run(type, header, frame)) != nil else { return }
    }
  }

  private mutating func run<Service: DecoderService>(
    _ type: Service.Type, _ header: CallHeader, _ frame: Frame
  ) throws {
    let call = try JSONDecoder().decode(
      CallMessage<Service.Call>.self, from: Data(frame.payload)
    ).call
    if let count = header.inputCount {
      service = Service(ByteSource(RemoteBytes(socket, count: count)))
    }
    if let descriptor = frame.descriptor, let count = header.memoryCount {
      memory = try SharedMemory(received: descriptor, count: count)
    }
    guard let service = service as? Service else { throw FrameSocket.Failure.invalid }
    let execution = Execution(
      threads: header.threads, limits: ImageLimits(pixels: header.pixels, side: header.side),
      budget: budget)
    let memory = memory
    let result: Result<Service.Result, ImageError>
    do throws(ImageError) {
      result = .success(
        try execution { () throws(ImageError) in try service.perform(call, memory) })
    } catch {
      result = .failure(error)
    }
    switch result {
    case .success(let result): try socket.send(.result, Array(JSONEncoder().encode(result)))
    case .failure(let error):
      try socket.send(.failure, Array(JSONEncoder().encode(CodableError(error))))
    }
  }
}

/// The bytes of the input, read from the parent.
// SAFETY: the socket is used behind the lock; `CallLoop` does not use it during a call.
private final class RemoteBytes: ByteProvider, @unchecked Sendable {
  private let socket: FrameSocket
  /// The last bytes that were read ahead.
  private let block = Mutex<(range: Range<Int>, bytes: [UInt8])>((0..<0, []))
  let count: Int

  /// Bytes that are read ahead: libraries read headers byte by byte.
  private static let blockSize = 1 << 16

  init(_ socket: FrameSocket, count: Int) {
    self.socket = socket
    self.count = count
  }

  func bytes(in range: Range<Int>) throws(ImageError) -> [UInt8] {
    let bytes = block.withLock { block -> [UInt8]? in
      if range.count < Self.blockSize {
        let ahead = range.lowerBound..<min(range.lowerBound + Self.blockSize, count)
        if !block.range.contains(range), ahead.contains(range), let read = request(ahead) {
          block = (ahead, read)
        }
        if block.range.contains(range) {
          let start = range.lowerBound - block.range.lowerBound
          return Array(block.bytes[start..<start + range.count])
        }
      }
      return request(range)
    }
    guard let bytes else {
      throw ImageError(.samplesTruncated, at: .init(offset: range.lowerBound))
    }
    return bytes
  }

  private func request(_ range: Range<Int>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    while bytes.count < range.count {
      let start = range.lowerBound + bytes.count
      let request = ReadRequest(
        offset: start, count: min(range.upperBound - start, Frame.largestPayload))
      try? socket.send(.read, request.bytes)
      guard let answer = try? socket.receive(), answer.content == .bytes,
        answer.payload.count == request.count
      else { return nil }
      bytes += answer.payload
    }
    return bytes
  }
}

/// A request for bytes of the input.
struct ReadRequest {
  var offset: Int
  var count: Int

  init(offset: Int, count: Int) {
    self.offset = offset
    self.count = count
  }

  /// Parses a request; `nil` if it is not valid for an input of this size.
  init?(_ bytes: [UInt8], inputCount: Int) {
    guard bytes.count == 16 else { return nil }
    func number(_ start: Int) -> Int {
      (0..<8).reduce(0) { $0 | Int(truncatingIfNeeded: UInt64(bytes[start + $1]) << (8 * $1)) }
    }
    (offset, count) = (number(0), number(8))
    guard (0...Frame.largestPayload).contains(count), (0...inputCount).contains(offset),
      count <= inputCount - offset
    else { return nil }
  }

  var bytes: [UInt8] {
    [offset, count].flatMap { number in
      (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
  }
}
