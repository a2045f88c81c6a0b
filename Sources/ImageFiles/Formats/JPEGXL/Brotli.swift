// SPDX-License-Identifier: Apache-2.0
#if JPEGXL
internal import CBrotli
#endif
package import HDRCore

/// Brotli streams, as in `brob` boxes.
package enum Brotli {
  /// Whether this build decompresses streams.
  package static var isAvailable: Bool {
    #if JPEGXL
    true
    #else
    false
    #endif
  }

  /// Maximum size of decompressed metadata, in bytes.
  package static let metadataLimit = 1 << 26

  /// Decompresses a stream into at most `limit` bytes, which are debited until the file is finished.
  ///
  /// - Parameters:
  ///   - bytes: The stream.
  ///   - limit: Maximum number of decompressed bytes.
  /// - Returns: The decompressed bytes.
  /// - Throws: `.malformed` for a corrupt stream, `.truncated` for a truncated one, `.limitExceeded`
  ///   if the output exceeds `limit` or the budget of the current operation, `.missingCodec` in a
  ///   build without Brotli.
  ///
  /// Source: RFC 7932.
  package static func decompress(
    _ bytes: [UInt8], limit: Int = metadataLimit
  ) throws(ImageError) -> [UInt8] {
    #if JPEGXL
    let decoder = try BrotliDecoder()
    return try decoder.decompress(bytes, limit: limit)
    #else
    throw ImageError(.missingCodec, "this build does not include Brotli")
    #endif
  }
}

#if JPEGXL
/// The state of a Brotli stream.
@safe private struct BrotliDecoder: ~Copyable {
  private let handle: OpaquePointer

  init() throws(ImageError) {
    // SAFETY: this decoder owns `handle` until `deinit`.
    guard let handle = unsafe BrotliDecoderCreateInstance(nil, nil, nil) else {
      throw ImageError(.libraryFailed, ["library": "Brotli", "detail": "no memory"])
    }
    unsafe self.handle = handle
  }

  deinit {
    // SAFETY: `handle` is not shared.
    unsafe BrotliDecoderDestroyInstance(handle)
  }

  func decompress(_ bytes: [UInt8], limit: Int) throws(ImageError) -> [UInt8] {
    var output: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    let budget = Execution.current.budget
    // SAFETY: Brotli reads the input and writes the block only inside these closures, within their
    // counts.
    return try unsafe bytes.withUnsafeBufferPointer { (input) throws(ImageError) -> [UInt8] in
      var (next, available) = (input.baseAddress, input.count)
      while true {
        let (result, filled) = unsafe block.withUnsafeMutableBufferPointer { block in
          var (target, room) = (block.baseAddress, block.count)
          let result = unsafe BrotliDecoderDecompressStream(
            handle, &available, &next, &room, &target, nil)
          return (result, block.count - room)
        }
        guard output.count + filled <= limit else {
          throw ImageError(.brotliLimitExceeded, ["limit": limit])
        }
        try budget.debit(memory: filled, for: "decompressed bytes")
        try budget.debit(steps: filled >> 9 + 1, for: "decompressed bytes")
        output += block[..<filled]
        switch result {
        case BROTLI_DECODER_RESULT_SUCCESS: return output
        case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: continue
        case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT:
          throw ImageError(.truncated, "the compressed data (Brotli) are truncated")
        default: throw ImageError(.malformed, "the compressed data (Brotli) are corrupt")
        }
      }
    }
  }
}
#endif
