// SPDX-License-Identifier: Apache-2.0
#if JPEG
internal import CShims
internal import HDRCore
internal import ImageContainers

/// The samples of a JPEG image, decoded by libjpeg from top to bottom.
protocol JPEGSamples: AnyObject {
  /// The frame header as libjpeg interprets it.
  var layout: jpeg_layout { get }
  /// The first warning of libjpeg about the rows so far.
  var warning: String? { get }
  /// Selects planes as coded or interleaved RGB; must be called once.
  func start(asPlanes: Bool) throws(ImageError)
  /// Decodes the next row of blocks.
  ///
  /// - Parameters:
  ///   - samples: Buffer for the planes, one after the other.
  ///   - strides: Width of each plane in samples, in whole blocks.
  ///   - offsets: Offset of each plane in `samples`.
  /// - Throws: Errors of libjpeg.
  func readBlocks(
    into samples: inout [UInt8], strides: [Int], offsets: [Int]
  ) throws(ImageError)
  /// Decodes the next row into `row`, three bytes per pixel.
  func readRGB(into row: inout [UInt8]) throws(ImageError)
}

extension JPEGImage {
  /// Reads the headers, in a separate process if the operation is isolated.
  func samples() throws(ImageError) -> any JPEGSamples {
    guard let process = try DecoderProcess.start() else {
      return try JPEGSampleReader(serialized())
    }
    return try IsolatedJPEGSamples(process, serialized())
  }
}

/// libjpeg in a decoder process.
final class JPEGService: DecoderService {
  enum Call: Codable {
    case open
    case start(asPlanes: Bool)
    case blocks(count: Int, size: Int, strides: [Int], offsets: [Int])
    case rgb(count: Int, size: Int)
  }

  struct Result: Codable {
    var layout: [Int32] = []
    var rows = DecodedRows(count: 0)
    var warning: String?
  }

  static let library = "libjpeg"
  static let errorCodes: [ErrorCode] = [.libraryRejectedData, .outOfMemory, .samplesTruncated]
  private let input: ByteSource
  private var samples: JPEGSampleReader?

  init(_ input: ByteSource) { self.input = input }

  func perform(_ call: Call, _ memory: SharedMemory?) throws(ImageError) -> Result {
    switch call {
    case .open:
      var file = SplicedBytes(source: input)
      file.append(0..<input.count)
      let opened = try JPEGSampleReader(file)
      samples = opened
      return Result(layout: opened.layout.numbers)
    case .start(let asPlanes):
      try samples?.start(asPlanes: asPlanes)
      return Result()
    case .blocks(let count, let size, let strides, let offsets):
      return try rows(count, size, memory) { samples, row throws(ImageError) in
        try samples.readBlocks(into: &row, strides: strides, offsets: offsets)
      }
    case .rgb(let count, let size):
      return try rows(count, size, memory) { samples, row throws(ImageError) in
        try samples.readRGB(into: &row)
      }
    }
  }

  private func rows(
    _ count: Int, _ size: Int, _ memory: SharedMemory?,
    _ decode: (_ samples: JPEGSampleReader, _ row: inout [UInt8]) throws(ImageError) -> Void
  ) throws(ImageError) -> Result {
    guard let samples, let memory else { throw .unexpectedCall(Self.library) }
    var row = [UInt8](repeating: 0, count: size)
    let decoded = DecodedRows(count) { index throws(ImageError) in
      try decode(samples, &row)
      memory.store(row, at: index * size)
    }
    return Result(rows: decoded, warning: samples.warning)
  }
}

/// The samples of a JPEG image that a decoder process decodes.
final class IsolatedJPEGSamples: JPEGSamples {
  let layout: jpeg_layout
  private(set) var warning: String?
  private let process: DecoderProcess
  /// Rows of blocks, or rows of RGB.
  private var rows: RowBatch?
  private var nextRow = 0

  init(_ process: DecoderProcess, _ image: SplicedBytes) throws(ImageError) {
    self.process = process
    let found = try process.call(JPEGService.self, .open, beginning: DecoderInput(image)).layout
    guard let layout = jpeg_layout(numbers: found) else {
      throw ImageError(.codecReplyInvalid, ["library": "libjpeg"])
    }
    self.layout = layout
  }

  func start(asPlanes: Bool) throws(ImageError) {
    _ = try process.call(JPEGService.self, .start(asPlanes: asPlanes))
  }

  func readBlocks(
    into samples: inout [UInt8], strides: [Int], offsets: [Int]
  ) throws(ImageError) {
    let sampling = layout.vertical_sampling
    let count = Int(layout.components)
    let highest = [sampling.0, sampling.1, sampling.2].prefix(count).max() ?? 1
    let height = (Int(layout.height) - 1) / (8 * Int(highest)) + 1
    let size = samples.count
    try read(into: &samples, height: height) { count in
      .blocks(count: count, size: size, strides: strides, offsets: offsets)
    }
  }

  func readRGB(into row: inout [UInt8]) throws(ImageError) {
    let size = row.count
    try read(into: &row, height: Int(layout.height)) { .rgb(count: $0, size: size) }
  }

  private func read(
    into row: inout [UInt8], height: Int, _ call: (_ count: Int) -> JPEGService.Call
  ) throws(ImageError) {
    var batch: RowBatch
    if let rows {
      batch = rows
    } else {
      batch = try RowBatch(process, rowSize: row.count, height: height)
    }
    defer { rows = batch }
    let memory = batch.memory
    try batch.read(nextRow, of: height, into: &row, JPEGService.self) { rows throws(ImageError) in
      let result = try process.call(JPEGService.self, call(rows.count), memory: memory)
      warning = result.warning
      return result.rows
    }
    nextRow += 1
  }
}

extension jpeg_layout {
  /// All fields.
  fileprivate var numbers: [Int32] {
    let (across, down) = (horizontal_sampling, vertical_sampling)
    return [
      width, height, components, color_space, is_buffered, across.0, across.1, across.2, down.0,
      down.1, down.2,
    ]
  }

  /// A layout from all fields; `nil` for one that libjpeg does not return.
  fileprivate init?(numbers: [Int32]) {
    guard numbers.count == 11, (1...65_535).contains(numbers[0]),
      (1...65_535).contains(numbers[1]), (1...4).contains(numbers[2])
    else { return nil }
    let sampling = numbers[5...]
    let count = min(Int(numbers[2]), 3)
    guard sampling.allSatisfy({ (0...4).contains($0) }),
      (0..<count).allSatisfy({ sampling[5 + $0] > 0 && sampling[8 + $0] > 0 })
    else { return nil }
    self.init(
      width: numbers[0], height: numbers[1], components: numbers[2], color_space: numbers[3],
      is_buffered: numbers[4], horizontal_sampling: (numbers[5], numbers[6], numbers[7]),
      vertical_sampling: (numbers[8], numbers[9], numbers[10]))
  }
}
#endif
