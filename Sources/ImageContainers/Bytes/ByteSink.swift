public import HDRCore

/// Receiver of the bytes of a new file; the counterpart of `ByteSource`.
///
/// Writers append finished parts, so that the whole file is never in memory in addition to the image.
/// Tables that precede the data but are known only at the end, as in TIFF and OpenEXR, are
/// overwritten last.
public protocol ByteSink: AnyObject {
  /// Bytes so far, which is where the next ones go.
  var count: Int { get }

  /// Adds bytes at the end.
  func append(_ bytes: [UInt8]) throws(ImageError)

  /// Replaces bytes that were appended before.
  ///
  /// - Throws: `.invalidArgument` if not all of them were.
  func overwrite(_ bytes: [UInt8], at offset: Int) throws(ImageError)
}

extension ByteSink {
  /// Adds all pieces of an edited file, in blocks.
  ///
  /// - Throws: what reading its source or this sink throws.
  public func append(_ bytes: SplicedBytes) throws(ImageError) {
    try bytes.forEachBlock { block throws(ImageError) in try append(block) }
  }
}

/// A file in memory.
public final class MemorySink: ByteSink {
  /// The bytes of the file.
  public private(set) var bytes: [UInt8] = []
  /// Number of bytes.
  public var count: Int { bytes.count }

  public init() {}

  /// Adds bytes at the end.
  public func append(_ bytes: [UInt8]) { self.bytes += bytes }

  /// Replaces bytes that were appended before.
  public func overwrite(_ bytes: [UInt8], at offset: Int) throws(ImageError) {
    guard offset >= 0, offset <= count, bytes.count <= count - offset else {
      throw ImageError(
        .sinkRangeInvalid, ["offset": offset, "size": bytes.count, "available": count])
    }
    self.bytes.replaceSubrange(offset..<offset + bytes.count, with: bytes)
  }
}
