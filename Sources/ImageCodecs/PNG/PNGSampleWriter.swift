// SPDX-License-Identifier: Apache-2.0
#if PNG
internal import CLibDeflate
internal import HDRCore
internal import ImageFiles

/// Encodes the samples of a PNG image as the data of `IDAT` chunks, as rows are appended.
///
/// Blocks of rows are filtered and deflated independently, and their streams are concatenated. Their
/// size depends neither on the number of threads nor on the pieces that are appended.
struct PNGSampleWriter {
  private let encoder: PNGBlockEncoder
  private let height: Int
  private let rowsPerBlock: Int
  private var rows = PNGSampleRows()
  /// The first row that was not encoded yet.
  private var next = 0
  private var checksum = Adler32()

  /// Size of a block before compression, in bytes; much larger than the window of deflate.
  private static let blockSize = 3 << 19

  init(bits: Int, header: PNGHeader, options: EncoderOptions) {
    encoder = PNGBlockEncoder(bits: bits, header: header, speed: options.speed)
    height = header.height
    rowsPerBlock = min(max(Self.blockSize / (encoder.rowSize + 1), 1), height)
  }

  /// Appends the next rows, and encodes blocks that are complete.
  ///
  /// - Parameters:
  ///   - planes: The rows of each component.
  ///   - body: Takes the data of a chunk.
  /// - Throws: `.cancelled`, `.limitExceeded`, errors of `body`.
  mutating func append(
    _ planes: [Plane<UInt16>], _ body: ([UInt8]) throws(ImageError) -> Void
  ) throws(ImageError) {
    rows.append(planes)
    // The number of blocks that are encoded at the same time.
    let group = 2 * Execution.current.threads
    while next < height, rows.count == height || rows.count - next >= group * rowsPerBlock {
      let missing = (height - next + rowsPerBlock - 1) / rowsPerBlock
      try encode(min(group, missing), body)
      rows.discard(before: next - 1)
      try Execution.current.report(Double(next) / Double(height))
    }
  }

  private mutating func encode(
    _ count: Int, _ body: ([UInt8]) throws(ImageError) -> Void
  ) throws(ImageError) {
    let (encoder, rows, start) = (encoder, rows, next)
    let (height, rowsPerBlock) = (height, rowsPerBlock)
    // Samples, filtered samples and the stream of each.
    let memory = count * 3 * rowsPerBlock * (encoder.rowSize + 1)
    let blocks = try Execution.current.budget.reserving(memory: memory, for: "encoded blocks") {
      () throws(ImageError) in
      try concurrentMap(count) { (index) throws(ImageError) in
        let first = start + index * rowsPerBlock
        return try encoder.encode(first..<min(first + rowsPerBlock, height), of: rows)
      }
    }
    next = min(start + count * rowsPerBlock, height)
    for block in blocks {
      checksum.append(block.checksum, count: block.count)
      var data = block.isFirst ? Deflater.zlibHeader : []
      data += block.stream
      if block.isLast { data += checksum.value.bigEndianBytes }
      try body(data)
    }
  }

  /// Appends a chunk to a file.
  static func append(_ data: [UInt8], to sink: any ByteSink) throws(ImageError) {
    let type = Array("IDAT".utf8)
    // SAFETY: libdeflate reads all bytes of both buffers.
    let checksum = unsafe type.withUnsafeBytes { type in
      unsafe data.withUnsafeBytes { data in
        unsafe libdeflate_crc32(
          libdeflate_crc32(0, type.baseAddress, type.count), data.baseAddress, data.count)
      }
    }
    try sink.write(UInt32(clamping: data.count).bigEndianBytes + type)
    try sink.write(data)
    try sink.write(checksum.bigEndianBytes)
  }
}

/// The rows of a PNG image that are in memory, in the pieces that were appended.
struct PNGSampleRows: Sendable {
  private var pieces: [(first: Int, planes: [Plane<UInt16>])] = []
  /// Number of rows that were appended.
  private(set) var count = 0

  mutating func append(_ planes: [Plane<UInt16>]) {
    pieces.append((count, planes))
    count += planes[0].height
  }

  /// Frees pieces whose rows are all before row `y`.
  mutating func discard(before y: Int) { pieces.removeAll { $0.first + $0.planes[0].height <= y } }

  /// The plane of a component with row `y`, and the index of the row in it.
  func plane(_ component: Int, withRow y: Int) -> (plane: Plane<UInt16>, row: Int) {
    guard let piece = pieces.last(where: { $0.first <= y }) else {
      preconditionFailure("row \(y) was not appended, or was freed")
    }
    return (piece.planes[component], y - piece.first)
  }
}
#endif
