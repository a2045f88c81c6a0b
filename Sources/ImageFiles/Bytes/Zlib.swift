// SPDX-License-Identifier: Apache-2.0
internal import CZlib
package import HDRCore

/// Deflate streams and CRC-32 for PNG.
package enum Zlib {
  /// Inflates a zlib stream into at most `limit` bytes.
  ///
  /// Bytes after the end of the stream are ignored.
  ///
  /// - Parameters:
  ///   - bytes: The zlib stream.
  ///   - limit: Maximum number of inflated bytes.
  ///   - isKept: Whether the bytes are debited until the file is finished; if not, by the caller.
  /// - Returns: The inflated bytes.
  /// - Throws: `.malformed` for a corrupt stream, `.truncated` for a truncated one,
  ///   `.limitExceeded` if the output exceeds `limit` or the budget of the current operation.
  package static func inflate(
    _ bytes: [UInt8], limit: Int, isKept: Bool = true
  ) throws(ImageError) -> [UInt8] {
    let budget = Execution.current.budget
    var output: [UInt8] = []
    var parts = [bytes]
    let (status, _) = try inflate({ parts.popLast() }) { part throws(ImageError) in
      guard output.count + part.count <= limit else {
        throw ImageError(.limitExceeded, "inflates to more than {limit byte}", ["limit": limit])
      }
      if isKept { try budget.debit(memory: part.count, for: "inflated bytes") }
      output += part
    }
    switch status {
    case Z_STREAM_END: return output
    case Z_OK, Z_BUF_ERROR: throw ImageError(.truncated, "compressed data are truncated")
    default:
      throw ImageError(
        .malformed, "compressed data are corrupt (zlib status {status})", ["status": status])
    }
  }

  /// Returns the size of a zlib stream, whose content is discarded.
  ///
  /// - Parameter next: Returns the next part of the stream; `nil` after the last one.
  /// - Returns: The size; `nil` if the stream is corrupt or truncated.
  /// - Throws: `.limitExceeded` for the budget of the current operation, and errors of `next`.
  package static func streamSize(
    _ next: () throws(ImageError) -> [UInt8]?
  ) throws(ImageError) -> Int? {
    try streamSize(keepingAfter: .max, next)?.size
  }

  /// Returns the size of a zlib stream, and what it contains after a number of bytes, up to 16 MiB.
  ///
  /// - Parameters:
  ///   - count: Number of bytes that are discarded.
  ///   - next: As in `streamSize(_:)`.
  /// - Returns: The size and the bytes; `nil` if the stream is corrupt or truncated.
  /// - Throws: As `streamSize(_:)`.
  static func streamSize(
    keepingAfter count: Int, _ next: () throws(ImageError) -> [UInt8]?
  ) throws(ImageError) -> (size: Int, rest: [UInt8])? {
    var (discarded, rest) = (0, [UInt8]())
    let (status, size) = try inflate(next) { part in
      let start = min(count - discarded, part.count)
      discarded += start
      if rest.count < 16 << 20 { rest += part.dropFirst(start) }
    }
    return status == Z_STREAM_END ? (size, rest) : nil
  }

  /// Returns a stream with the first bytes that another one contains.
  ///
  /// - Parameters:
  ///   - stream: A zlib stream.
  ///   - count: Number of the bytes.
  /// - Returns: The stream.
  /// - Throws: `.limitExceeded` for the budget of the current operation; as `deflate(_:level:)`.
  static func shortened(_ stream: [UInt8], to count: Int) throws(ImageError) -> [UInt8] {
    // The bytes, and the new stream in the largest size that it could have, with a copy of it.
    try Execution.current.budget.debit(memory: 3 * count + stream.count, for: "inflated bytes")
    var parts = [stream]
    var content: [UInt8] = []
    _ = try inflate({ parts.popLast() }) { part in content += part.prefix(count - content.count) }
    return try deflate(content, level: 6)
  }

  /// Inflates a stream in blocks.
  ///
  /// - Returns: The last status, `Z_OK` if the stream is truncated, and the size of the stream.
  private static func inflate(
    _ next: () throws(ImageError) -> [UInt8]?,
    _ take: (ArraySlice<UInt8>) throws(ImageError) -> Void
  ) throws(ImageError) -> (status: Int32, size: Int) {
    var stream = unsafe z_stream()
    // SAFETY: the stream lives until inflateEnd; size and version are those of the header we see.
    let opened = unsafe inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard opened == Z_OK else {
      throw ImageError(.libraryFailed, ["library": "zlib", "detail": "status \(opened)"])
    }
    // SAFETY: the stream was opened above.
    defer { unsafe _ = inflateEnd(&stream) }
    var size = 0
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while var input = try next() {
      var used = 0
      while used < input.count {
        // SAFETY: zlib reads `input` and writes `block` only inside these closures, within their counts.
        let (status, consumed, filled) = unsafe input.withUnsafeMutableBufferPointer { input in
          unsafe block.withUnsafeMutableBufferPointer { block in
            unsafe stream.next_in = input.baseAddress.map { unsafe $0 + used }
            unsafe stream.avail_in = UInt32(clamping: input.count - used)
            unsafe stream.next_out = block.baseAddress
            unsafe stream.avail_out = UInt32(block.count)
            let given = unsafe Int(stream.avail_in)
            let status = unsafe CZlib.inflate(&stream, Z_NO_FLUSH)
            return unsafe (
              status, given - Int(stream.avail_in), block.count - Int(stream.avail_out)
            )
          }
        }
        // About half a gigabyte in a second.
        try Execution.current.budget.debit(steps: filled >> 9, for: "inflated bytes")
        try take(block[..<filled])
        used += consumed
        guard status == Z_OK else { return (status, size + used) }
      }
      size += input.count
    }
    return (Z_OK, size)
  }

  /// Deflates bytes into a zlib stream.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to compress.
  ///   - level: Compression level, 1...9; 9 is slowest and smallest.
  /// - Returns: The zlib stream.
  /// - Throws: `.codecFailure` if zlib fails to allocate memory.
  package static func deflate(_ bytes: [UInt8], level: Int = 9) throws(ImageError) -> [UInt8] {
    var size = compressBound(UInt(bytes.count))
    var output = [UInt8](repeating: 0, count: Int(size))
    // SAFETY: zlib writes at most `size` bytes, which is what `output` has.
    let status = unsafe output.withUnsafeMutableBufferPointer { output in
      unsafe bytes.withUnsafeBufferPointer { input in
        unsafe compress2(
          output.baseAddress, &size, input.baseAddress, UInt(input.count),
          Int32(clamping: level))
      }
    }
    guard status == Z_OK else {
      throw ImageError(.libraryFailed, ["library": "zlib", "detail": "status \(status)"])
    }
    return Array(output[..<Int(size)])
  }

  /// Returns the CRC-32 of ISO 3309, as PNG uses it, continued from `start`.
  package static func crc32(_ bytes: [UInt8], from start: UInt32 = 0) -> UInt32 {
    // SAFETY: zlib reads exactly the bytes of the buffer.
    unsafe bytes.withUnsafeBufferPointer {
      UInt32(truncatingIfNeeded: unsafe crc32_z(UInt(start), $0.baseAddress, $0.count))
    }
  }
}
