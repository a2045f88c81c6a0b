// SPDX-License-Identifier: Apache-2.0
internal import CHDRConvert
internal import HDRCore
internal import ImageFiles
internal import Synchronization

extension ByteSource {
  /// Copies bytes of a program.
  ///
  /// - Throws: `.invalidArgument` for NULL and a size that does not exist.
  init(copying bytes: UnsafeRawPointer?, size: Int) throws(ImageError) {
    guard size >= 0 else { throw ImageError(.optionInvalid, ["option": "size", "value": size]) }
    // SAFETY: the program provides `size` bytes.
    self.init(try unsafe Array(UnsafeRawBufferPointer(start: bytes.required("bytes"), count: size)))
  }

  /// Creates a source that a function of a program reads.
  ///
  /// - Throws: `.invalidArgument` for NULL and a size that does not exist.
  init(_ read: hdr_read?, _ context: UnsafeMutableRawPointer?, size: UInt64) throws(ImageError) {
    // Parsers add to offsets.
    guard let count = Int(exactly: size), count <= 1 << 62 else {
      throw ImageError(.optionInvalid, ["option": "size", "value": "\(size)"])
    }
    self.init(unsafe CallbackReader(try read.required("read"), context, count: count))
  }
}

/// A file that a function of a program reads.
@safe private final class CallbackReader: ByteProvider, @unchecked Sendable {
  // SAFETY: calls do not overlap; the program provides for calls on any thread.
  private let function: hdr_read
  private let context: UnsafeMutableRawPointer?
  private let calls = Mutex(())
  let count: Int

  init(_ function: hdr_read, _ context: UnsafeMutableRawPointer?, count: Int) {
    unsafe (self.function, self.context) = (function, context)
    self.count = count
  }

  func bytes(in range: Range<Int>) throws(ImageError) -> [UInt8] {
    // A function that reads less than it returns leaves zeros.
    var bytes = [UInt8](repeating: 0, count: range.count)
    let failure = calls.withLock { _ in
      unsafe bytes.withUnsafeMutableBytes { unsafe read(range.lowerBound, into: $0) }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Fills a buffer with the bytes from an offset on; returns the error.
  private func read(_ offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> ImageError? {
    guard let start = buffer.baseAddress else { return nil }
    var filled = 0
    while filled < buffer.count {
      let (position, needed) = (offset + filled, buffer.count - filled)
      // SAFETY: there is room for `needed` bytes.
      let size = unsafe function(context, UInt64(position), start + filled, needed)
      guard size > 0, size <= needed else {
        return ImageError(
          .inputOutput, "the function that reads the file returned {result} for {size byte}",
          ["result": Int(size), "size": needed], at: .init(offset: position))
      }
      filled += Int(size)
    }
    return nil
  }
}

/// A file that a function of a program writes.
@safe final class CallbackWriter: ByteSink {
  private let function: hdr_write
  private let context: UnsafeMutableRawPointer?
  private(set) var count = 0
  /// Whether the function has returned false.
  private(set) var hasFailed = false

  init(_ function: hdr_write, _ context: UnsafeMutableRawPointer?) {
    unsafe (self.function, self.context) = (function, context)
  }

  func append(_ bytes: [UInt8]) throws(ImageError) {
    try write(bytes, at: count)
    count += bytes.count
  }

  func overwrite(_ bytes: [UInt8], at offset: Int) throws(ImageError) {
    precondition(
      offset >= 0 && offset + bytes.count <= count, "only written bytes can be overwritten")
    try write(bytes, at: offset)
  }

  private func write(_ bytes: [UInt8], at offset: Int) throws(ImageError) {
    guard !bytes.isEmpty else { return }
    let isWritten = unsafe bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else { return true }
      // SAFETY: the bytes live for the call.
      return unsafe function(context, UInt64(offset), start, buffer.count)
    }
    hasFailed = !isWritten
    guard isWritten else {
      throw ImageError(
        .inputOutput, "the function that writes the file returned false", at: .init(offset: offset))
    }
  }
}
