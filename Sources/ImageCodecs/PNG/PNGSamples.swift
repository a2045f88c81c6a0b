// SPDX-License-Identifier: Apache-2.0
#if PNG
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// The samples of a PNG file, decoded row by row.
protocol PNGSamples: AnyObject {
  /// Size of a decoded row, in bytes.
  var rowSize: Int { get }
  /// The first warning of libpng about the file so far.
  var warning: String? { get }
  /// Decodes the next row into `row`, which has `rowSize` bytes.
  func readRow(into row: inout [UInt8]) throws(ImageError)
  /// Decodes all rows of an interlaced file.
  func readImage(height: Int) throws(ImageError) -> [UInt8]
  /// Validates the data after the last row.
  func finish() throws(ImageError)
}

extension PNGLayout {
  /// Reads the headers of a file, in a separate process if the operation is isolated.
  func samples(of file: PNGFile) throws(ImageError) -> any PNGSamples {
    let bytes = file.serializedSamples()
    guard let process = try DecoderProcess.start() else { return try PNGSampleReader(bytes) }
    return try IsolatedPNGSamples(
      process, bytes, rowSize: rowSize, height: format.height,
      isInterlaced: file.header.isInterlaced)
  }
}

/// libpng in a decoder process.
final class PNGService: DecoderService {
  enum Call: Codable {
    case open
    case rows(Int)
    case image(height: Int)
    case finish
  }

  struct Result: Codable {
    /// The size of a row is their count when a file is opened.
    var rows = DecodedRows(count: 0)
    var warning: String?
  }

  static let library = "libpng"
  static let errorCodes: [ErrorCode] = [
    .libraryRejectedData, .outOfMemory, .samplesTruncated, .libraryResultUnexpected,
  ]
  private let input: ByteSource
  private var samples: PNGSampleReader?

  init(_ input: ByteSource) { self.input = input }

  func perform(_ call: Call, _ memory: SharedMemory?) throws(ImageError) -> Result {
    let rows = try decode(call, memory)
    return Result(rows: rows, warning: samples?.warning)
  }

  private func decode(_ call: Call, _ memory: SharedMemory?) throws(ImageError) -> DecodedRows {
    if case .open = call {
      var file = SplicedBytes(source: input)
      file.append(0..<input.count)
      let opened = try PNGSampleReader(file)
      samples = opened
      return DecodedRows(count: opened.rowSize)
    }
    guard let samples else { throw .unexpectedCall(Self.library) }
    if case .finish = call {
      try samples.finish()
      return DecodedRows(count: 0)
    }
    guard let memory else { throw .unexpectedCall(Self.library) }
    switch call {
    case .open, .finish: throw .unexpectedCall(Self.library)
    case .image(let height):
      memory.store(try samples.readImage(height: height))
      return DecodedRows(count: height)
    case .rows(let count):
      var row = [UInt8](repeating: 0, count: samples.rowSize)
      return DecodedRows(count) { index throws(ImageError) in
        try samples.readRow(into: &row)
        memory.store(row, at: index * row.count)
      }
    }
  }
}

/// The samples of a PNG file that a decoder process decodes.
final class IsolatedPNGSamples: PNGSamples {
  let rowSize: Int
  private(set) var warning: String?
  private let process: DecoderProcess
  private let height: Int
  private var rows: RowBatch
  private var nextRow = 0

  /// Reads the headers of a file in a new process.
  ///
  /// - Parameters:
  ///   - process: The process.
  ///   - file: The chunks that code the samples.
  ///   - rowSize: Expected size of a row, in bytes.
  ///   - height: Number of rows.
  ///   - isInterlaced: Whether all rows are decoded together.
  /// - Throws: Errors of libpng and of the process.
  init(
    _ process: DecoderProcess, _ file: SplicedBytes, rowSize: Int, height: Int, isInterlaced: Bool
  ) throws(ImageError) {
    self.process = process
    self.rowSize = rowSize
    self.height = height
    rows = try RowBatch(process, rowSize: rowSize, height: height, isWhole: isInterlaced)
    let found = try process.call(PNGService.self, .open, beginning: DecoderInput(file))
    warning = found.warning
    guard found.rows.count == rowSize else {
      throw ImageError(.libraryResultUnexpected, ["library": "libpng"])
    }
  }

  func readRow(into row: inout [UInt8]) throws(ImageError) {
    let memory = rows.memory
    try rows.read(nextRow, of: height, into: &row, PNGService.self) { rows throws(ImageError) in
      try call(.rows(rows.count), memory)
    }
    nextRow += 1
  }

  func readImage(height: Int) throws(ImageError) -> [UInt8] {
    _ = try call(.image(height: height), rows.memory)
    var bytes = [UInt8](repeating: 0, count: rowSize * height)
    rows.memory.copy(to: &bytes, byteCount: bytes.count)
    return bytes
  }

  func finish() throws(ImageError) { _ = try call(.finish) }

  private func call(
    _ call: PNGService.Call, _ memory: SharedMemory? = nil
  ) throws(ImageError) -> DecodedRows {
    let result = try process.call(PNGService.self, call, memory: memory)
    warning = result.warning
    return result.rows
  }
}
#endif
