// SPDX-License-Identifier: Apache-2.0
#if PNG
internal import CLibDeflate
internal import HDRCore
internal import ImageFiles
internal import PixelKernels

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

/// A block of rows as a deflate stream.
struct PNGBlock: Sendable {
  /// Starts and ends at byte boundaries; its last block is final if `isLast`.
  let stream: [UInt8]
  /// Number and checksum of the bytes before compression.
  let count: Int
  let checksum: Adler32
  let isFirst: Bool
  let isLast: Bool
}

/// Filters and deflates blocks of rows.
struct PNGBlockEncoder: Sendable {
  private let channels: Int
  private let height: Int
  private let bytesPerSample: Int
  private let speed: Int
  /// A widened sample is `code * multiplier >> shift`.
  private let multiplier: UInt32
  private let shift: UInt32

  /// Size of a row without its filter, in bytes.
  let rowSize: Int
  /// Size of a pixel, in bytes, which precedes each row as its left neighbor.
  private let step: Int

  init(bits: Int, header: PNGHeader, speed: Int) {
    (channels, height) = (header.colorType.channels, header.height)
    self.speed = speed
    bytesPerSample = header.bitDepth / 8
    step = channels * bytesPerSample
    rowSize = header.width * step
    let repeats = (header.bitDepth + bits - 1) / bits
    multiplier = (0..<repeats).reduce(0) { $0 | 1 << UInt32($1 * bits) }
    shift = UInt32(repeats * bits - header.bitDepth)
  }

  /// Encodes some rows; the row above them is in memory as well.
  func encode(_ rows: Range<Int>, of image: PNGSampleRows) throws(ImageError) -> PNGBlock {
    let samples = interleaved(rows, of: image)
    let deflater = try Deflater(speed: speed)
    let estimator = try LibDeflate(level: 1)
    var filtered = [UInt8](repeating: 0, count: rows.count * (rowSize + 1))
    // Groups of equal size.
    let groups = (rows.count - 1) / Self.rowsPerFilter + 1
    let size = (rows.count - 1) / groups + 1
    for start in stride(from: 0, to: rows.count, by: size) {
      let group = start..<min(start + size, rows.count)
      let filter = try bestFilter(for: group, of: samples, estimator)
      for row in group {
        apply(filter, to: row, of: samples, at: row * (rowSize + 1), of: &filtered)
      }
    }
    let isLast = rows.upperBound == height
    return PNGBlock(
      stream: try deflater.block(filtered, isLast: isLast), count: filtered.count,
      checksum: Adler32(filtered), isFirst: rows.lowerBound == 0, isLast: isLast)
  }

  /// Returns the samples as stored in the file, each row after the pixel to its left, and after the
  /// row above the first one.
  private func interleaved(_ rows: Range<Int>, of image: PNGSampleRows) -> [UInt8] {
    let stride = step + rowSize
    var bytes = [UInt8](repeating: 0, count: (rows.count + 1) * stride)
    let above = max(rows.lowerBound - 1, 0)
    // SAFETY: the kernels write `width` samples of one component in the row that starts here.
    unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return }
      for channel in 0..<channels {
        for y in above..<rows.upperBound {
          let (plane, row) = image.plane(channel, withRow: y)
          let offset = (y + 1 - rows.lowerBound) * stride + step + channel * bytesPerSample
          unsafe plane.row(row).withUnsafeBufferPointer { codes in
            guard let first = codes.baseAddress else { return }
            let interleave =
              unsafe bytesPerSample == 1 ? pk_interleave_bytes : pk_interleave_network16
            unsafe interleave(first, start + offset, codes.count, channels, multiplier, shift)
          }
        }
      }
    }
    return bytes
  }
}

// MARK: Filters

extension PNGBlockEncoder {
  /// Source: PNG Third Edition, 9.2.
  private enum Filter: UInt8, CaseIterable {
    case none, sub, up, average, paeth
  }

  /// Number of consecutive rows with the same filter, at most.
  ///
  /// Deflate finds matches across rows only if they have the same filter.
  private static let rowsPerFilter = 32
  /// The filters are compared on a row of so many.
  private static let sampledRows = 16
  /// Bytes on which they are compared at least.
  private static let sampleSize = 1 << 15

  /// Returns the filter with the smallest deflated size, measured on some of the rows.
  private func bestFilter(
    for group: Range<Int>, of samples: [UInt8], _ estimator: borrowing LibDeflate
  ) throws(ImageError) -> Filter {
    let size = group.count * (rowSize + 1)
    let interval = min(max(size / Self.sampleSize, 1), Self.sampledRows, group.count)
    let chosen = Array(
      stride(from: group.lowerBound + interval / 2, to: group.upperBound, by: interval))
    var bytes = [UInt8](repeating: 0, count: chosen.count * (rowSize + 1))
    var (best, least) = (Filter.none, Int.max)
    for filter in Filter.allCases {
      for (index, row) in chosen.enumerated() {
        apply(filter, to: row, of: samples, at: index * (rowSize + 1), of: &bytes)
      }
      let size = try estimator.block(bytes, isLast: true).count
      if size < least { (best, least) = (filter, size) }
    }
    return best
  }

  /// Writes a row after its filter type.
  private func apply(
    _ filter: Filter, to row: Int, of samples: [UInt8], at offset: Int, of bytes: inout [UInt8]
  ) {
    let above = row * (step + rowSize) + step
    bytes[offset] = filter.rawValue
    // SAFETY: `samples` has the row, the row above it and the pixels to their left; `bytes` has
    // `rowSize` bytes after the filter type.
    unsafe samples.withUnsafeBufferPointer { samples in
      unsafe bytes.withUnsafeMutableBufferPointer { bytes in
        guard let source = samples.baseAddress, let target = bytes.baseAddress else { return }
        let output = unsafe target + offset + 1
        let previous = unsafe source + above
        let current = unsafe previous + step + rowSize
        switch filter {
        case .none: unsafe output.update(from: current, count: rowSize)
        case .sub: unsafe pk_png_sub(current, output, rowSize, step)
        case .up: unsafe pk_png_up(current, previous, output, rowSize)
        case .average: unsafe pk_png_average(current, previous, output, rowSize, step)
        case .paeth: unsafe pk_png_paeth(current, previous, output, rowSize, step)
        }
      }
    }
  }
}
#endif
