// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRCore
internal import ImageFiles

/// A file that is written through a buffer.
final class FileSink: ByteSink {
  private let descriptor: Int32
  /// Named in errors.
  private let path: String
  private var buffer: [UInt8] = []
  private var flushedCount = 0
  private static let capacity = 1 << 20

  var count: Int { flushedCount + buffer.count }

  /// Creates a sink for an empty file, which the caller opens and closes.
  init(_ descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  func append(_ bytes: [UInt8]) throws(ImageError) {
    if buffer.count + bytes.count > Self.capacity { try flush() }
    if bytes.count > Self.capacity {
      try write(bytes, at: flushedCount)
      flushedCount += bytes.count
    } else {
      buffer += bytes
    }
  }

  func overwrite(_ bytes: [UInt8], at offset: Int) throws(ImageError) {
    precondition(
      offset >= 0 && offset + bytes.count <= count, "only written bytes can be overwritten")
    try flush()
    try write(bytes, at: offset)
  }

  /// Passes all bytes to the system.
  func flush() throws(ImageError) {
    try write(buffer, at: flushedCount)
    flushedCount += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }

  private func write(_ bytes: [UInt8], at offset: Int) throws(ImageError) {
    var done = 0
    while done < bytes.count {
      // SAFETY: `rest` holds as many bytes as are passed.
      let count = unsafe bytes[done...].withUnsafeBytes { rest in
        unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw OutputFile.writeError(path) }
      done += count
    }
  }
}
