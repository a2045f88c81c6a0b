// SPDX-License-Identifier: Apache-2.0
public import HDRCore

/// Destination of the bytes of a new file; the counterpart of `ByteSource`.
///
/// Writers append finished parts, so the complete file is never in memory in addition to the image.
/// Tables that precede the data but are known only at the end, as in TIFF and OpenEXR, are
/// overwritten last.
public protocol ByteSink: AnyObject {
  /// Number of bytes appended, which is the offset of the next one.
  var count: Int { get }

  /// Appends bytes.
  ///
  /// - Throws: Errors of any type, with which the conversion ends: an `ImageError` as it is, others as one of
  ///   `.inputOutput` that contains their description.
  func append(_ bytes: [UInt8]) throws

  /// Replaces bytes that were appended before.
  ///
  /// - Precondition: The range is within the bytes appended so far.
  /// - Throws: As `append(_:)`.
  func overwrite(_ bytes: [UInt8], at offset: Int) throws
}

extension ByteSink {
  /// Appends bytes.
  package func write(_ bytes: [UInt8]) throws(ImageError) {
    try callingProgram { () throws(any Error) in try append(bytes) }
  }

  /// Replaces bytes that were appended before.
  package func rewrite(_ bytes: [UInt8], at offset: Int) throws(ImageError) {
    try callingProgram { () throws(any Error) in try overwrite(bytes, at: offset) }
  }

  /// Appends the bytes of an edited file, whose unchanged ranges are read in blocks of 2^18 bytes.
  ///
  /// - Throws: Errors of `ByteSource.bytes(in:)` and of the sink.
  public func write(_ file: SplicedBytes) throws(ImageError) {
    // Few blocks, and small enough that their memory is reused.
    let blockSize = 1 << 18
    for piece in file.pieces {
      switch piece {
      case .new(let bytes): try write(bytes)
      case .kept(let range):
        for start in stride(from: range.lowerBound, to: range.upperBound, by: blockSize) {
          let end = start + min(blockSize, range.upperBound - start)
          try write(try file.source.bytes(in: start..<end))
        }
      }
    }
  }
}

/// A sink that stores the file in memory.
public final class MemorySink: ByteSink {
  /// Bytes of the file.
  public private(set) var bytes: [UInt8] = []
  /// Number of bytes.
  public var count: Int { bytes.count }

  public init() {}

  /// Reserves memory for a number of bytes.
  func reserve(_ count: Int) { bytes.reserveCapacity(count) }

  /// Appends bytes.
  public func append(_ bytes: [UInt8]) { self.bytes += bytes }

  /// Replaces bytes that were appended before.
  ///
  /// - Parameters:
  ///   - bytes: The new bytes.
  ///   - offset: Offset of the first byte to replace.
  /// - Throws: `.invalidArgument` if the range exceeds the bytes appended so far.
  public func overwrite(_ bytes: [UInt8], at offset: Int) throws(ImageError) {
    guard offset >= 0, offset <= count, bytes.count <= count - offset else {
      throw ImageError(
        .invalidArgument,
        "{size byte} at offset {offset} cannot be overwritten: {available byte} were written",
        ["offset": offset, "size": bytes.count, "available": count])
    }
    self.bytes.replaceSubrange(offset..<offset + bytes.count, with: bytes)
  }
}

/// An append-only buffer of bytes.
package struct ByteWriter: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package var count: Int { bytes.count }

  package mutating func writeBigEndian<T: FixedWidthInteger>(_ value: T) {
    for shift in stride(from: T.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> T(shift)))
    }
  }

  package mutating func writeLittleEndian<T: FixedWidthInteger>(_ value: T) {
    writeBigEndian(value.byteSwapped)
  }

  /// Appends the low `size` bytes of an unsigned integer, big-endian.
  package mutating func writeUnsigned(_ value: UInt64, bytes size: Int) {
    for index in stride(from: size - 1, through: 0, by: -1) {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index)))
    }
  }

  package mutating func write(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  /// Appends the UTF-8 bytes of `text`, with a final zero byte if `isTerminated` is true.
  package mutating func write(_ text: String, isTerminated: Bool = false) {
    bytes.append(contentsOf: text.utf8)
    if isTerminated { bytes.append(0) }
  }

  /// Overwrites a big-endian integer, for sizes that are known only after their content is written.
  package mutating func overwriteBigEndian<T: FixedWidthInteger>(_ value: T, at offset: Int) {
    for index in 0..<T.bitWidth / 8 {
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> T(T.bitWidth - 8 * (index + 1)))
    }
  }
}

/// Conversion of physical quantities to the integers that files store.
enum FixedPoint {
  /// Returns `value` in multiples of `unit`, rounded to nearest and clamped to the range of the
  /// type.
  static func unsigned<T: FixedWidthInteger & UnsignedInteger>(_ value: Double, unit: Double) -> T {
    clamped((value / unit).rounded())
  }

  /// Returns `value` in multiples of `unit`, rounded up, and clamped to the range of the type.
  ///
  /// Values within 0.001 of a multiple are rounded to it.
  ///
  /// Source: H.274 defines light levels as upper bounds.
  static func upperBound<T: FixedWidthInteger & UnsignedInteger>(
    _ value: Double, unit: Double
  ) -> T {
    let (scaled, nearest) = (value / unit, (value / unit).rounded())
    return clamped(abs(scaled - nearest) < 1e-3 ? nearest : scaled.rounded(.up))
  }

  private static func clamped<T: FixedWidthInteger & UnsignedInteger>(_ value: Double) -> T {
    guard value > 0 else { return 0 }
    return T(exactly: value) ?? T.max
  }
}

extension RandomAccessCollection<UInt8> where Index == Int {
  /// The code units of text in UTF-16; an odd last byte is ignored.
  ///
  /// - Parameter isBigEndian: Whether the first byte of a unit is the high one.
  /// - Returns: The units.
  func utf16Units(isBigEndian: Bool) -> [UInt16] {
    stride(from: startIndex, to: endIndex - 1, by: 2).map { index in
      let (first, second) = (UInt16(self[index]), UInt16(self[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
  }
}
