// SPDX-License-Identifier: Apache-2.0
#if PNG || TIFF || EXR
internal import HDRCore

/// A compressor, which one thread uses at a time.
///
/// From speed 6 on, ISA-L compresses bytes of which most are noise, such as the samples of photos in 16 bits: in a
/// quarter of the time of libdeflate, to a few percent more bytes. libdeflate compresses all others (Decision 28).
struct Deflater: ~Copyable {
  private let thorough: LibDeflate
  private let quick: QuickDeflate
  private let mayBeQuick: Bool

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
    mayBeQuick = speed >= 6
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
    guard mayBeQuick, try isMostlyNoise(bytes) else {
      return try thorough.block(bytes, isLast: isLast)
    }
    return try quick.block(bytes, isLast: isLast)
  }

  /// Whether a sample of the bytes shrinks to more than half.
  private func isMostlyNoise(_ bytes: [UInt8]) throws(ImageError) -> Bool {
    var sample: [UInt8] = []
    for index in 0..<Self.sliceCount {
      let start = bytes.count * index / Self.sliceCount
      let end = bytes.count * (index + 1) / Self.sliceCount
      sample += bytes[start..<min(start + Self.sliceSize, end)]
    }
    return try quick.block(sample, isLast: true).count > sample.count / 2
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
#endif
