// SPDX-License-Identifier: Apache-2.0
#if EXR
internal import HDRCore
internal import ImageContainers

/// One part of an OpenEXR file that the library has opened.
protocol EXRRows: AnyObject {
  /// Reads rows of the data window as one float plane per channel.
  ///
  /// - Parameters:
  ///   - rows: Rows, in coordinates of the data window.
  ///   - channels: Names of channels that the part contains.
  ///   - width: Width of the data window, and of the rows of each plane.
  /// - Returns: `channels.count` planes of `rows.count` rows; subsampled channels fill only the
  ///   upper left part of their planes.
  /// - Throws: Errors of the library.
  func read(
    rows: ClosedRange<Int>, channels: [String], width: Int
  ) throws(ImageError) -> EXRSamples
}

extension EXRSamples {
  /// Opens a part of a file, in a separate process if the operation is isolated.
  static func rows(of source: ByteSource, part: Int) throws(ImageError) -> any EXRRows {
    guard let process = try DecoderProcess.start() else {
      return try EXRFile(source, part: part)
    }
    return try IsolatedEXRRows(process, source, part: part)
  }
}

/// OpenEXR in a decoder process.
final class EXRService: DecoderService {
  enum Call: Codable {
    case open(part: Int)
    case read(first: Int, last: Int, channels: [String], width: Int)
  }

  struct Result: Codable {}

  static let library = "OpenEXR"
  static let errorCodes: [ErrorCode] = [
    .libraryRejectedData, .outOfMemory, .sourceOffsetInvalid, .sourceRangeInvalid, .fileTruncated,
  ]
  private let input: ByteSource
  private var file: EXRFile?

  init(_ input: ByteSource) { self.input = input }

  func perform(_ call: Call, _ memory: SharedMemory?) throws(ImageError) -> Result {
    switch call {
    case .open(let part): file = try EXRFile(input, part: part)
    case .read(let first, let last, let channels, let width):
      guard let file, let memory, first <= last else { throw .unexpectedCall(Self.library) }
      memory.store(
        try file.read(rows: first...last, channels: channels, width: width).samples)
    }
    return Result()
  }
}

/// Rows of an OpenEXR file that a decoder process decodes.
private final class IsolatedEXRRows: EXRRows {
  private let process: DecoderProcess
  private var memory: SharedMemory?

  init(_ process: DecoderProcess, _ source: ByteSource, part: Int) throws(ImageError) {
    self.process = process
    _ = try process.call(EXRService.self, .open(part: part), beginning: DecoderInput(source))
  }

  func read(
    rows: ClosedRange<Int>, channels: [String], width: Int
  ) throws(ImageError) -> EXRSamples {
    var samples = [Float](repeating: 0, count: width * rows.count * channels.count)
    let size = samples.count * MemoryLayout<Float>.stride
    let memory: SharedMemory
    if let present = self.memory, present.count >= size {
      memory = present
    } else {
      memory = try SharedMemory(count: size)
      self.memory = memory
    }
    _ = try process.call(
      EXRService.self,
      .read(first: rows.lowerBound, last: rows.upperBound, channels: channels, width: width),
      memory: memory)
    memory.copy(to: &samples, byteCount: size)
    return EXRSamples(samples: samples, width: width, height: rows.count)
  }
}
#endif
