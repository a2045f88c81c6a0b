// SPDX-License-Identifier: Apache-2.0
#if PNG || TIFF || EXR
internal import CLibDeflate
internal import CShims
internal import HDRCore

/// A compressor of libdeflate, which one thread uses at a time.
///
/// libdeflate compresses each buffer on its own; `block(_:isLast:)` returns streams that can be
/// concatenated.
@safe struct Deflater: ~Copyable {
  private let handle: OpaquePointer

  /// Name and version of the library.
  static var library: String { "libdeflate \(LIBDEFLATE_VERSION_STRING)" }

  /// Allocates a compressor.
  ///
  /// - Parameter level: 1...12; 12 is slowest and smallest.
  /// - Throws: `.outOfMemory`.
  init(level: Int) throws(ImageError) {
    // SAFETY: libdeflate accepts any level, and returns NULL if it fails.
    guard let handle = unsafe libdeflate_alloc_compressor(Int32(clamping: level)) else {
      throw ImageError(.outOfMemory, ["library": "libdeflate"])
    }
    unsafe self.handle = handle
  }

  deinit {
    // SAFETY: `handle` is not shared.
    unsafe libdeflate_free_compressor(handle)
  }

  /// Returns bytes as a zlib stream.
  ///
  /// - Throws: `.codecFailure` if libdeflate fails.
  func zlibStream(_ bytes: [UInt8]) throws(ImageError) -> [UInt8] {
    // SAFETY: libdeflate only reads the compressor here.
    let capacity = unsafe libdeflate_zlib_compress_bound(handle, bytes.count)
    return try unsafe Self.filled(capacity) { target in
      // SAFETY: libdeflate reads all `bytes` and writes at most `capacity` bytes.
      unsafe bytes.withUnsafeBytes { source in
        unsafe libdeflate_zlib_compress(
          handle, source.baseAddress, source.count, target.baseAddress, capacity)
      }
    }
  }

  /// Returns bytes as a deflate stream that starts and ends at byte boundaries.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to compress.
  ///   - isLast: Whether no other stream follows.
  /// - Returns: The stream; without `isLast`, its last block is not marked as final.
  /// - Throws: `.codecFailure` if libdeflate fails.
  func block(_ bytes: [UInt8], isLast: Bool) throws(ImageError) -> [UInt8] {
    // SAFETY: libdeflate only reads the compressor here.
    let capacity = unsafe libdeflate_deflate_compress_bound(handle, bytes.count) + 5
    return try unsafe Self.filled(capacity) { target in
      // SAFETY: libdeflate reads all `bytes`, and both functions write at most `capacity` bytes.
      let count = unsafe bytes.withUnsafeBytes { source in
        unsafe libdeflate_deflate_compress(
          handle, source.baseAddress, source.count, target.baseAddress, capacity)
      }
      guard !isLast, count > 0, let start = target.baseAddress else { return count }
      return unsafe deflate_make_continuable(start, count, capacity)
    }
  }

  /// Number of bytes of `block(_:isLast:)` before concatenation.
  ///
  /// - Throws: `.codecFailure` if libdeflate fails.
  func size(of bytes: [UInt8]) throws(ImageError) -> Int {
    try block(bytes, isLast: true).count
  }

  /// Returns an array of the bytes that `body` writes, and whose number it returns.
  private static func filled(
    _ capacity: Int, _ body: (UnsafeMutableBufferPointer<UInt8>) -> Int
  ) throws(ImageError) -> [UInt8] {
    // SAFETY: `body` initializes as many bytes as it returns, from the start.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = unsafe body(buffer)
    }
    guard !bytes.isEmpty else {
      throw ImageError(.libraryFailed, ["library": "libdeflate", "detail": "no output"])
    }
    return bytes
  }
}

/// The checksum of zlib streams.
///
/// Source: RFC 1950, section 9.
struct Adler32 {
  private(set) var value: UInt32 = 1

  init() {}

  init(_ bytes: [UInt8]) {
    // SAFETY: libdeflate reads all bytes of the buffer.
    value = unsafe bytes.withUnsafeBytes {
      unsafe libdeflate_adler32(1, $0.baseAddress, $0.count)
    }
  }

  /// Appends `count` bytes with the given checksum.
  mutating func append(_ next: Adler32, count: Int) {
    let modulus: UInt64 = 65521
    let (low, high) = (UInt64(value & 0xFFFF), UInt64(value >> 16))
    let (nextLow, nextHigh) = (UInt64(next.value & 0xFFFF), UInt64(next.value >> 16))
    // The sums of the next bytes start at `low` and `high` instead of 1 and 0.
    let shift = low + modulus - 1
    let newLow = (nextLow + shift) % modulus
    let newHigh = (nextHigh + high + UInt64(count) % modulus * (shift % modulus)) % modulus
    value = UInt32(truncatingIfNeeded: newHigh << 16 | newLow)
  }
}
#endif
