// SPDX-License-Identifier: Apache-2.0
#if RAW
internal import CShims
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers

/// LibRaw in a decoder process.
final class LibRawService: DecoderService {
  enum Call: Codable {
    case open(megabytes: UInt32)
    case unpack
    case demosaic(gains: [Float])
    case copy(LibRawPart, count: Int)
    case preview
    /// Copies the preview of the last call.
    case fetch
  }

  struct Result: Codable {
    /// The bytes of `raw_description`.
    var description: [UInt8] = []
    /// Black levels of the pattern: rows, columns, three planes.
    var black: [Int] = []
    var width = 0
    var height = 0
    /// Size of the preview, in bytes.
    var previewSize = 0
    var warning: String?
  }

  static let library = "LibRaw"
  static var codecLibrary: CodecLibrary? { .libraw }
  static let errorCodes: [ErrorCode] = [
    .rawLibRawUnsupported, .rawLibRawDamaged, .rawLibRawTruncated, .rawSamplesMissing,
    .rawLibRawLimitExceeded,
    .libraryFailed, .missingElement, .sizeLimitExceeded,
  ]
  private let input: ByteSource
  private var handle: LibRawHandle?
  private var preview: [UInt8] = []

  init(_ input: ByteSource) { self.input = input }

  func perform(_ call: Call, _ memory: SharedMemory?) throws(ImageError) -> Result {
    if case .open(let megabytes) = call {
      let opened = try LibRawHandle(input, megabytes: megabytes)
      handle = opened
      return Self.described(opened)
    }
    guard let handle else { throw .unexpectedCall(Self.library) }
    switch call {
    case .open: throw .unexpectedCall(Self.library)
    case .unpack:
      try handle.unpack()
      return Self.described(handle)
    case .demosaic(let gains):
      let size = try handle.demosaic(gains: gains)
      return Result(width: size.width, height: size.height)
    case .copy(let part, let count):
      var samples = [UInt16](repeating: 0, count: count)
      var span = samples.mutableSpan
      try handle.copy(part, to: &span)
      memory?.store(samples)
    case .preview:
      preview = try handle.preview()
      return Result(previewSize: preview.count)
    case .fetch: memory?.store(preview)
    }
    return Result()
  }

  private static func described(_ handle: LibRawHandle) -> Result {
    let description = handle.description
    var result = Result(warning: handle.warning)
    // SAFETY: the structure consists of numbers.
    result.description = unsafe withUnsafeBytes(of: description) { unsafe Array($0) }
    for row in 0..<Int(description.black_rows) {
      for column in 0..<Int(description.black_columns) {
        for plane in 0..<3 {
          result.black.append(handle.black(row: row, column: column, plane: plane))
        }
      }
    }
    return result
  }
}

/// A file that LibRaw has opened in a decoder process.
final class IsolatedLibRaw: LibRawCalls {
  private(set) var description = raw_description()
  private(set) var warning: String?
  private let process: DecoderProcess
  private let fileSize: Int
  private var levels: [Int] = []

  init(
    _ process: DecoderProcess, _ source: ByteSource, megabytes: UInt32
  ) throws(ImageError) {
    self.process = process
    fileSize = source.count
    try describe(
      process.call(
        LibRawService.self, .open(megabytes: megabytes), beginning: DecoderInput(source)))
  }

  func unpack() throws(ImageError) {
    try describe(process.call(LibRawService.self, .unpack))
  }

  func black(row: Int, column: Int, plane: Int) -> Int {
    let index = (row * Int(description.black_columns) + column) * 3 + plane
    return levels.indices.contains(index) ? levels[index] : 0
  }

  func demosaic(gains: [Float]) throws(ImageError) -> (width: Int, height: Int) {
    let size = try process.call(LibRawService.self, .demosaic(gains: gains))
    guard size.width > 0, size.height > 0 else { throw Self.invalid }
    return (size.width, size.height)
  }

  func copy(_ part: LibRawPart, to target: inout MutableSpan<UInt16>) throws(ImageError) {
    let count = target.count
    let memory = try SharedMemory(count: count * MemoryLayout<UInt16>.stride)
    _ = try process.call(LibRawService.self, .copy(part, count: count), memory: memory)
    // SAFETY: both have `memory.count` bytes.
    unsafe target.withUnsafeMutableBytes { target in
      guard let start = target.baseAddress else { return }
      unsafe start.copyMemory(from: memory.start, byteCount: memory.count)
    }
  }

  func preview() throws(ImageError) -> [UInt8] {
    let size = try process.call(LibRawService.self, .preview).previewSize
    guard (1...max(fileSize, 1)).contains(size) else { throw Self.invalid }
    let memory = try SharedMemory(count: size)
    _ = try process.call(LibRawService.self, .fetch, memory: memory)
    var bytes = [UInt8](repeating: 0, count: size)
    memory.copy(to: &bytes, byteCount: size)
    return bytes
  }

  /// Sets the description, unless it contains numbers that LibRaw does not return.
  private func describe(_ result: LibRawService.Result) throws(ImageError) {
    var found = raw_description()
    guard result.description.count == MemoryLayout<raw_description>.size else {
      throw Self.invalid
    }
    // SAFETY: the structure consists of numbers, and has as many bytes.
    unsafe withUnsafeMutableBytes(of: &found) { unsafe $0.copyBytes(from: result.description) }
    guard [0, 1, 3].contains(found.planes), found.colors <= 4,
      found.pattern_rows <= 8, found.pattern_columns <= 8,
      (1...64).contains(found.black_rows), (1...64).contains(found.black_columns),
      result.black.count == 3 * Int(found.black_rows) * Int(found.black_columns),
      result.black.allSatisfy({ (0...Int(UInt32.max)).contains($0) }),
      [found.width, found.height, found.left, found.top, found.visible_width, found.visible_height]
        .allSatisfy({ $0 <= 1 << 20 })
    else { throw Self.invalid }
    description = found
    levels = result.black
    warning = result.warning
  }

  private static var invalid: ImageError {
    ImageError(.libraryFailed, ["library": "LibRaw", "detail": "invalid result of its process"])
  }
}
#endif
