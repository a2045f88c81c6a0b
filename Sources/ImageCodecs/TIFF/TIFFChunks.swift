// SPDX-License-Identifier: Apache-2.0
#if TIFF
internal import HDRCore
internal import ImageContainers

/// A directory as libtiff interprets it.
struct TIFFChunkLayout: Codable {
  struct Size: Codable {
    var width: Int
    var height: Int
  }

  var width = 0
  var height = 0
  var channels = 0
  var bits = 0
  var isPlanar = false
  /// `nil` for strips.
  var tile: Size?
  var rowsPerStrip = 0
  /// Size of a row, in bytes; of one plane if planar.
  var rowSize = 0
  /// Size of a strip or tile, in bytes.
  var chunkSize = 0

  /// Whether libtiff can return these numbers.
  fileprivate var isPlausible: Bool {
    let numbers = [
      width, height, channels, bits, tile?.width ?? 0, tile?.height ?? 0, rowsPerStrip,
    ]
    return numbers.allSatisfy { (0...Int(UInt32.max)).contains($0) }
      && [rowSize, chunkSize].allSatisfy { $0 >= 0 }
  }
}

/// The strips or tiles of the first directory of a TIFF file, decompressed by libtiff.
protocol TIFFChunks: AnyObject {
  var layout: TIFFChunkLayout { get }
  /// The first warning of libtiff about the samples so far.
  var warning: String? { get }
  /// Decodes one row of a file with strips.
  func readRow(_ row: Int, plane: Int, into bytes: inout [UInt8]) throws(ImageError)
  /// Decodes the strip that begins with this row.
  func readStrip(row: Int, plane: Int, into bytes: inout [UInt8]) throws(ImageError)
  /// Decodes the tile with this upper left pixel.
  func readTile(x: Int, y: Int, plane: Int, into bytes: inout [UInt8]) throws(ImageError)
}

extension TIFFChunkLayout {
  /// Opens a file, in a separate process if the operation is isolated.
  static func chunks(
    of source: ByteSource, memory: Int, directory: Int
  ) throws(ImageError) -> any TIFFChunks {
    guard let process = try DecoderProcess.start() else {
      return try TIFFChunkReader(source, memory: memory, directory: directory)
    }
    return try IsolatedTIFFChunks(process, source, memory: memory, directory: directory)
  }
}

/// libtiff in a decoder process.
final class TIFFService: DecoderService {
  enum Call: Codable {
    case open(memory: Int, directory: Int)
    case rows(first: Int, count: Int, plane: Int)
    case strip(row: Int, plane: Int, size: Int)
    case tile(x: Int, y: Int, plane: Int, size: Int)
  }

  struct Result: Codable {
    var layout: TIFFChunkLayout?
    var rows = DecodedRows(count: 0)
    var warning: String?
  }

  static let library = "libtiff"
  static var codecLibrary: CodecLibrary? { .libtiff }
  static let errorCodes: [ErrorCode] = [
    .libraryRejectedData, .outOfMemory, .sourceOffsetInvalid,
    .sourceRangeInvalid, .fileTruncated,
  ]
  private let input: ByteSource
  private var chunks: TIFFChunkReader?

  init(_ input: ByteSource) { self.input = input }

  func perform(_ call: Call, _ memory: SharedMemory?) throws(ImageError) -> Result {
    if case .open(let memory, let directory) = call {
      let opened = try TIFFChunkReader(input, memory: memory, directory: directory)
      chunks = opened
      return Result(layout: opened.layout)
    }
    guard let chunks, let memory else { throw .unexpectedCall(Self.library) }
    switch call {
    case .open: throw .unexpectedCall(Self.library)
    case .rows(let first, let count, let plane):
      var row = [UInt8](repeating: 0, count: chunks.layout.rowSize)
      let decoded = DecodedRows(count) { index throws(ImageError) in
        try chunks.readRow(first + index, plane: plane, into: &row)
        memory.store(row, at: index * row.count)
      }
      return Result(rows: decoded, warning: chunks.warning)
    case .strip(let row, let plane, let size):
      var bytes = [UInt8](repeating: 0, count: size)
      try chunks.readStrip(row: row, plane: plane, into: &bytes)
      memory.store(bytes)
    case .tile(let x, let y, let plane, let size):
      var bytes = [UInt8](repeating: 0, count: size)
      try chunks.readTile(x: x, y: y, plane: plane, into: &bytes)
      memory.store(bytes)
    }
    return Result(warning: chunks.warning)
  }
}

/// The strips or tiles of a TIFF file that a decoder process decodes.
private final class IsolatedTIFFChunks: TIFFChunks {
  let layout: TIFFChunkLayout
  private(set) var warning: String?
  private let process: DecoderProcess
  private var rows: RowBatch?
  /// The memory of a strip or tile.
  private var chunk: SharedMemory?

  init(
    _ process: DecoderProcess, _ source: ByteSource, memory: Int, directory: Int
  ) throws(ImageError) {
    self.process = process
    let found = try process.call(
      TIFFService.self, .open(memory: memory, directory: directory),
      beginning: DecoderInput(source)
    ).layout
    guard let found, found.isPlausible else {
      throw ImageError(.codecReplyInvalid, ["library": "libtiff"])
    }
    layout = found
  }

  func readRow(_ row: Int, plane: Int, into bytes: inout [UInt8]) throws(ImageError) {
    let end = min((row / layout.rowsPerStrip + 1) * layout.rowsPerStrip, layout.height)
    var batch: RowBatch
    if let rows {
      batch = rows
    } else {
      batch = try RowBatch(
        process, rowSize: layout.rowSize, height: min(layout.rowsPerStrip, layout.height))
    }
    defer { rows = batch }
    let memory = batch.memory
    try batch.read(row, of: end, into: &bytes, TIFFService.self) { rows throws(ImageError) in
      let result = try process.call(
        TIFFService.self, .rows(first: rows.lowerBound, count: rows.count, plane: plane),
        memory: memory)
      warning = result.warning
      return result.rows
    }
  }

  func readStrip(row: Int, plane: Int, into bytes: inout [UInt8]) throws(ImageError) {
    try read(.strip(row: row, plane: plane, size: bytes.count), into: &bytes)
  }

  func readTile(x: Int, y: Int, plane: Int, into bytes: inout [UInt8]) throws(ImageError) {
    try read(.tile(x: x, y: y, plane: plane, size: bytes.count), into: &bytes)
  }

  private func read(_ call: TIFFService.Call, into bytes: inout [UInt8]) throws(ImageError) {
    let memory: SharedMemory
    if let chunk, chunk.count == bytes.count {
      memory = chunk
    } else {
      memory = try SharedMemory(count: bytes.count)
      chunk = memory
    }
    warning = try process.call(TIFFService.self, call, memory: memory).warning
    memory.copy(to: &bytes, byteCount: bytes.count)
  }
}
#endif
