// SPDX-License-Identifier: Apache-2.0
#if PNG || TIFF || EXR
internal import CLibDeflate
internal import CShims
internal import HDRCore

/// A compressor, which one thread uses at a time.
///
/// From speed 6 on, ISA-L compresses bytes of which most are noise, such as the samples of photos in 16 bits: in a
/// quarter of the time of libdeflate, to a few percent more bytes. libdeflate compresses all others (Decision 28).
struct Deflater: ~Copyable {
  private let libdeflate: LibDeflate
  /// `nil` at lower speeds.
  private let isal: ISALDeflate?

  /// Names and versions of the libraries.
  static var libraries: [String] { [LibDeflate.library, ISALDeflate.library] }

  /// Allocates a compressor.
  ///
  /// - Parameter speed: 0...10; 0 is slowest and smallest.
  /// - Throws: `.outOfMemory`.
  init(speed: Int) throws(ImageError) {
    let level = Self.levels[min(max(speed, 0), Self.levels.count - 1)]
    let libdeflate = try LibDeflate(level: level)
    let isal = speed >= 6 ? try ISALDeflate() : nil
    self.libdeflate = libdeflate
    self.isal = isal
  }

  /// Levels of libdeflate for speeds 0...10.
  private static let levels = [12, 11, 10, 9, 8, 6, 4, 3, 2, 1, 1]

  /// Returns bytes as a deflate stream that starts and ends at byte boundaries.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to compress.
  ///   - isLast: Whether no other stream follows.
  /// - Returns: The stream; without `isLast`, its last block is not marked as final.
  /// - Throws: `.codecFailure` if a library fails.
  func block(_ bytes: [UInt8], isLast: Bool) throws(ImageError) -> [UInt8] {
    switch isal {
    case .some(let isal) where try Self.isMostlyNoise(bytes, isal):
      return try isal.block(bytes, isLast: isLast)
    default: return try libdeflate.block(bytes, isLast: isLast)
    }
  }

  /// Whether a sample of the bytes shrinks to more than half.
  private static func isMostlyNoise(
    _ bytes: [UInt8], _ isal: borrowing ISALDeflate
  ) throws(ImageError) -> Bool {
    var sample: [UInt8] = []
    for index in 0..<sliceCount {
      let start = bytes.count * index / sliceCount
      let end = bytes.count * (index + 1) / sliceCount
      sample += bytes[start..<min(start + sliceSize, end)]
    }
    return try isal.block(sample, isLast: true).count > sample.count / 2
  }

  /// Slices at equal distances of which a sample consists, and their size.
  private static let (sliceCount, sliceSize) = (16, 1 << 13)

  /// Returns bytes as a zlib stream.
  ///
  /// - Throws: `.codecFailure` if a library fails.
  func zlibStream(_ bytes: [UInt8]) throws(ImageError) -> [UInt8] {
    try Self.zlibHeader + block(bytes, isLast: true) + Adler32(bytes).value.bigEndianBytes
  }

  /// Deflate with a window of 32 KiB, default compression.
  ///
  /// Source: RFC 1950, 2.2.
  static let zlibHeader: [UInt8] = [0x78, 0x9C]
}

extension UInt32 {
  var bigEndianBytes: [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> UInt32($0)) }
  }
}

/// A compressor of ISA-L.
@safe struct ISALDeflate: ~Copyable {
  private let handle: OpaquePointer

  /// Name and version of the library.
  static var library: String {
    // SAFETY: the name is static.
    unsafe String(cString: isal_deflater_library())
  }

  /// Allocates a compressor.
  ///
  /// - Throws: `.outOfMemory`.
  init() throws(ImageError) {
    guard let handle = unsafe isal_deflater_create() else {
      throw ImageError(.outOfMemory, ["library": "ISA-L"])
    }
    unsafe self.handle = handle
  }

  deinit {
    // SAFETY: `handle` is not shared.
    unsafe isal_deflater_free(handle)
  }

  /// Returns a deflate stream as `Deflater.block(_:isLast:)`.
  ///
  /// - Throws: `.codecFailure` if ISA-L fails.
  func block(_ bytes: [UInt8], isLast: Bool) throws(ImageError) -> [UInt8] {
    // Bytes that cannot be compressed are stored.
    let capacity = bytes.count + bytes.count / 8 + 1024
    // SAFETY: ISA-L reads all `bytes`, and initializes as many bytes as it returns, from the start
    // and at most `capacity`; one thread at a time uses this compressor.
    let stream = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { target, count in
      guard let start = target.baseAddress else { return }
      count = unsafe bytes.withUnsafeBufferPointer { source in
        unsafe isal_deflater_compress(
          handle, source.baseAddress, source.count, isLast ? 1 : 0, start, capacity)
      }
    }
    guard !stream.isEmpty else {
      throw ImageError(.libraryFailed, ["library": "ISA-L", "detail": "no output"])
    }
    return stream
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

/// A compressor of libdeflate, which compresses each buffer on its own.
@safe struct LibDeflate: ~Copyable {
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

  /// Returns a deflate stream as `Deflater.block(_:isLast:)`.
  ///
  /// - Throws: `.codecFailure` if libdeflate fails.
  func block(_ bytes: [UInt8], isLast: Bool) throws(ImageError) -> [UInt8] {
    // SAFETY: libdeflate only reads the compressor here.
    let capacity = unsafe libdeflate_deflate_compress_bound(handle, bytes.count) + 5
    // SAFETY: libdeflate reads all `bytes`, and both functions initialize as many bytes as they
    // return, from the start and at most `capacity`.
    let stream = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { target, count in
      guard let start = target.baseAddress else { return }
      count = unsafe bytes.withUnsafeBytes { source in
        unsafe libdeflate_deflate_compress(
          handle, source.baseAddress, source.count, start, capacity)
      }
      if !isLast, count > 0 { count = unsafe deflate_make_continuable(start, count, capacity) }
    }
    guard !stream.isEmpty else {
      throw ImageError(.libraryFailed, ["library": "libdeflate", "detail": "no output"])
    }
    return stream
  }
}
#endif
