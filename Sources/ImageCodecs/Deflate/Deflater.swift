// SPDX-License-Identifier: Apache-2.0
#if PNG || TIFF || EXR
internal import HDRCore

/// A compressor, which one thread uses at a time.
///
/// At speed 6 and above, ISA-L compresses: photos take it a quarter of the time of libdeflate, and about a
/// fiftieth more bytes. libdeflate compresses blocks that shrink to less than a third, such as graphics, since
/// it takes little time for them and makes them a tenth to a quarter smaller (Decision 28).
struct Deflater: ~Copyable {
  private let thorough: LibDeflate
  private let quick: QuickDeflate
  private let isQuick: Bool

  /// Names and versions of the libraries.
  static var libraries: [String] { [LibDeflate.library, QuickDeflate.library] }

  /// Allocates a compressor.
  ///
  /// - Parameter speed: 0...10; 0 is slowest and smallest.
  /// - Throws: `.outOfMemory`.
  init(speed: Int) throws(ImageError) {
    let level = Self.levels[min(max(speed, 0), Self.levels.count - 1)]
    let thorough = try LibDeflate(level: level)
    let quick = try QuickDeflate()
    self.thorough = thorough
    self.quick = quick
    isQuick = speed >= 6
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
    guard isQuick else { return try thorough.block(bytes, isLast: isLast) }
    let stream = try quick.block(bytes, isLast: isLast)
    guard stream.count < bytes.count / 3 else { return stream }
    return try thorough.block(bytes, isLast: isLast)
  }

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
#endif
