// SPDX-License-Identifier: Apache-2.0
#if PNG || TIFF || EXR
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
#endif
