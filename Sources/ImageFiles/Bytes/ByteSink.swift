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
