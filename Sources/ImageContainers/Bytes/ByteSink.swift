public import HDRCore

/// Where the bytes of a new file go, piece by piece: the counterpart of `ByteSource`.
///
/// Who writes a file hands on what is finished, so that no whole file is in memory beside the
/// picture that it is made of. What stands in front and is known only afterwards, like the tables of
/// TIFF and OpenEXR, is put in last.
public protocol ByteSink: AnyObject {
  /// Bytes so far, which is where the next ones go.
  var count: Int { get }

  /// Adds bytes at the end.
  func append(_ bytes: [UInt8]) throws(ImageError)

  /// Replaces bytes that were appended before.
  ///
  /// - Precondition: All of them were.
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
  public private(set) var bytes: [UInt8] = []
  public var count: Int { bytes.count }

  public init() {}

  public func append(_ bytes: [UInt8]) { self.bytes += bytes }

  public func overwrite(_ bytes: [UInt8], at offset: Int) {
    self.bytes.replaceSubrange(offset..<offset + bytes.count, with: bytes)
  }
}
