// SPDX-License-Identifier: Apache-2.0
#if PNG
internal import CLibDeflate
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// Encodes the samples of a PNG image as `IDAT` chunks.
///
/// Blocks of rows are filtered and deflated independently, and their streams are concatenated. Their
/// size does not depend on the number of threads.
struct PNGSampleWriter {
  private let encoder: PNGBlockEncoder
  private let height: Int
  private let rowsPerBlock: Int

  /// Size of a block before compression, in bytes; much larger than the window of deflate.
  private static let blockSize = 3 << 19

  init(_ planes: [Plane<UInt16>], bits: Int, header: PNGHeader, options: EncoderOptions) {
    encoder = PNGBlockEncoder(planes, bits: bits, header: header, speed: options.speed)
    height = header.height
    rowsPerBlock = min(max(Self.blockSize / (encoder.rowSize + 1), 1), height)
  }

  /// Appends the chunks to `sink`.
  ///
  /// - Throws: `.cancelled`, `.limitExceeded`, errors of the sink.
  func write(to sink: any ByteSink) throws(ImageError) {
    let count = (height - 1) / rowsPerBlock + 1
    // The number of blocks that are encoded at the same time.
    let group = min(2 * Execution.current.threads, count)
    // Samples, filtered samples and the stream of each.
    let memory = group * 3 * rowsPerBlock * (encoder.rowSize + 1)
    try Execution.current.budget.reserving(memory: memory, for: "encoded blocks") {
      () throws(ImageError) in
      var checksum = Adler32()
      for start in stride(from: 0, to: count, by: group) {
        let blocks = try concurrentMap(min(group, count - start)) { (index) throws(ImageError) in
          let first = (start + index) * rowsPerBlock
          return try encoder.encode(rows: first..<min(first + rowsPerBlock, height))
        }
        for block in blocks {
          checksum.append(block.checksum, count: block.count)
          var data = block.isFirst ? Deflater.zlibHeader : []
          data += block.stream
          if block.isLast { data += checksum.value.bigEndianBytes }
          try Self.append(data, to: sink)
        }
      }
    }
  }

  private static func append(_ data: [UInt8], to sink: any ByteSink) throws(ImageError) {
    let type = Array("IDAT".utf8)
    // SAFETY: libdeflate reads all bytes of both buffers.
    let checksum = unsafe type.withUnsafeBytes { type in
      unsafe data.withUnsafeBytes { data in
        unsafe libdeflate_crc32(
          libdeflate_crc32(0, type.baseAddress, type.count), data.baseAddress, data.count)
      }
    }
    try sink.append(UInt32(clamping: data.count).bigEndianBytes + type)
    try sink.append(data)
    try sink.append(checksum.bigEndianBytes)
  }
}
#endif
