// SPDX-License-Identifier: Apache-2.0
#if JPEGXL
internal import CLibJXL
internal import HDRCore
internal import ImageContainers

/// libjxl in a decoder process.
final class JPEGXLService: DecoderService {
  enum Call: Codable {
    case samples(JPEGXLRequest)
    case profile(limit: Int)
    case reconstruction(limit: Int)
    case transcoding(speed: Int)
    /// Copies the bytes that the last call returned.
    case fetch
  }

  struct Result: Codable {
    /// Number of bytes that the call returns.
    var size = 0
  }

  static let library = "libjxl"
  static var codecLibrary: CodecLibrary? { .libjxl }
  static let errorCodes: [ErrorCode] = [
    .notOfFormat, .outOfMemory, .libraryFailed, .libraryResultUnexpected,
    .jpegxlCodestreamInvalid, .jpegxlCodestreamTruncated, .jpegxlJPEGUnsupported,
    .jpegxlProfileTooLarge, .jpegxlReconstructionMissing, .jpegxlReconstructionTooLarge,
    .jpegxlTileDiffers, .memoryBudgetExceeded,
  ]
  private let input: ByteSource
  private var output: [UInt8] = []

  init(_ input: ByteSource) { self.input = input }

  func perform(_ call: Call, _ memory: SharedMemory?) throws(ImageError) -> Result {
    // Libdispatch starts threads by system calls that a decoder process must not make.
    var execution = Execution.current
    execution.threads = 1
    try execution { () throws(ImageError) in
      switch call {
      case .samples(let request):
        guard let memory else { throw .unexpectedCall(Self.library) }
        // SAFETY: the memory has `count` bytes and lives for the call.
        try unsafe JPEGXLDecoder().decode(
          input.allBytes(), request,
          into: UnsafeMutableRawBufferPointer(start: memory.start, count: memory.count))
      case .fetch: memory?.store(output)
      default: output = try call.bytes(of: input.allBytes())
      }
    }
    return Result(size: output.count)
  }
}

extension JPEGXLService.Call {
  /// Calls libjxl in this process, for bytes.
  fileprivate func bytes(of file: [UInt8]) throws(ImageError) -> [UInt8] {
    switch self {
    case .profile(let limit): try JPEGXLDecoder().profile(of: file, limit: limit)
    case .reconstruction(let limit): try JPEGXLDecoder().reconstruct(file, limit: limit)
    case .transcoding(let speed):
      try JPEGXLEncoder().transcode(file, EncoderOptions(speed: speed))
    case .samples, .fetch: throw .unexpectedCall(JPEGXLService.library)
    }
  }

  /// Calls libjxl for bytes, in a separate process if the operation is isolated.
  ///
  /// - Parameters:
  ///   - file: A file or a codestream.
  ///   - limit: Maximum number of bytes that the call can return.
  /// - Returns: The bytes.
  /// - Throws: Errors of libjxl and of the process.
  func callAsFunction(_ file: [UInt8], limit: Int) throws(ImageError) -> [UInt8] {
    guard let process = try DecoderProcess.start() else { return try bytes(of: file) }
    let size = try process.call(
      JPEGXLService.self, self, beginning: DecoderInput(file)
    ).size
    guard (0...limit).contains(size) else {
      throw ImageError(.codecReplyInvalid, ["library": JPEGXLService.library])
    }
    let memory = try SharedMemory(count: size)
    _ = try process.call(JPEGXLService.self, .fetch, memory: memory)
    var bytes = [UInt8](repeating: 0, count: size)
    memory.copy(to: &bytes, byteCount: size)
    return bytes
  }
}

extension JPEGXLRequest {
  /// Decodes samples, in a separate process if there is one.
  ///
  /// - Parameters:
  ///   - file: A file or a codestream.
  ///   - count: Number of samples, of the type of the request.
  ///   - process: The process of an isolated operation.
  /// - Returns: The samples, interleaved.
  /// - Throws: Errors of libjxl and of the process.
  func samples<Sample: BitwiseCopyable & ExpressibleByIntegerLiteral & Sendable>(
    of file: [UInt8], count: Int, in process: DecoderProcess?
  ) throws(ImageError) -> [Sample] {
    if let process {
      var samples = [Sample](repeating: 0, count: count)
      let size = count * MemoryLayout<Sample>.stride
      let memory = try SharedMemory(count: size)
      _ = try process.call(
        JPEGXLService.self, .samples(self), beginning: DecoderInput(file), memory: memory)
      memory.copy(to: &samples, byteCount: size)
      return samples
    }
    return try Execution.current.callLibrary(pixels: count) { () throws(ImageError) in
      var samples = [Sample](repeating: 0, count: count)
      // SAFETY: libjxl writes the samples only inside the closure, and within their size.
      try unsafe samples.withUnsafeMutableBufferPointer { (target) throws(ImageError) in
        try unsafe JPEGXLDecoder().decode(
          file, self, into: UnsafeMutableRawBufferPointer(target))
      }
      return samples
    }
  }
}
#endif
