// SPDX-License-Identifier: Apache-2.0
#if RAW
internal import CShims
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers

/// Samples that LibRaw has.
enum LibRawPart {
  /// As decoded, interleaved.
  case samples
  /// Demosaiced colors.
  case colors
}

/// A file that LibRaw has opened.
///
/// Its functions are called by one thread at a time, except for the request to end a call.
@safe final class LibRawHandle: @unchecked Sendable {
  private let handle: OpaquePointer

  private static let blockSize = 1 << 20

  /// Reads the headers of a file.
  ///
  /// - Throws: `.unsupported` for an unknown file, `.malformed` for a damaged one, `.limitExceeded`
  ///   if there is not enough memory, `.missingCodec` without LibRaw.
  init(_ source: ByteSource, megabytes: UInt32) throws(ImageError) {
    try CodecLibrary.libraw.load()
    guard let handle = unsafe raw_reader_create(source.count, megabytes) else {
      throw ImageError(
        .sizeLimitExceeded,
        ["element": "raw file", "size": source.count, "limit": Int(megabytes) << 20])
    }
    unsafe self.handle = handle
    for start in stride(from: 0, to: source.count, by: Self.blockSize) {
      let block = try source.bytes(in: start..<min(start + Self.blockSize, source.count))
      // SAFETY: the block has `count` bytes, which LibRaw copies.
      unsafe block.withUnsafeBufferPointer { block in
        guard let bytes = block.baseAddress else { return }
        unsafe raw_reader_append(handle, bytes, block.count)
      }
    }
    try check(unsafe raw_reader_open(handle))
  }

  deinit {
    // SAFETY: `handle` is not shared.
    unsafe raw_reader_free(handle)
  }

  var description: raw_description {
    var description = raw_description()
    // SAFETY: the description outlives the call.
    unsafe raw_reader_describe(handle, &description)
    return description
  }

  var warning: String? {
    // SAFETY: the message lives as long as the reader, and is copied.
    let text = unsafe String(cString: raw_reader_warning(handle))
    return text.isEmpty ? nil : text
  }

  func unpack() throws(ImageError) {
    try interruptible { () throws(ImageError) in
      try self.check(unsafe raw_reader_unpack(self.handle))
    }
  }

  /// Runs a long call, which ends soon if the operation is cancelled.
  private func interruptible<Result: Sendable>(
    _ call: @escaping @Sendable () throws(ImageError) -> Result
  ) throws(ImageError) -> Result {
    let description = description
    return try Execution.current.callLibrary(
      pixels: Int(description.width) * Int(description.height), stop: cancel, call)
  }

  /// Asks a call to end after the current row, from any thread; this reader is of no further use.
  @Sendable func cancel() {
    // SAFETY: LibRaw sets a flag atomically.
    unsafe raw_reader_cancel(handle)
  }

  func black(row: Int, column: Int, plane: Int) -> Int {
    // SAFETY: the pattern of LibRaw repeats for any row and column.
    Int(
      unsafe raw_reader_black(
        handle, UInt32(clamping: row), UInt32(clamping: column), UInt32(clamping: plane)))
  }

  func demosaic(gains: [Float]) throws(ImageError) -> (width: Int, height: Int) {
    precondition(gains.count == 3, "gains of red, green and blue")
    return try interruptible { () throws(ImageError) in
      var (width, height) = (UInt32(0), UInt32(0))
      // SAFETY: LibRaw reads three gains.
      let status = unsafe gains.withUnsafeBufferPointer { gains in
        guard let gains = gains.baseAddress else { return RAW_FAILED }
        return unsafe raw_reader_demosaic(self.handle, gains, &width, &height)
      }
      try self.check(status)
      return (Int(width), Int(height))
    }
  }

  func copy(_ part: LibRawPart, to target: inout MutableSpan<UInt16>) throws(ImageError) {
    let status = unsafe target.withUnsafeMutableBufferPointer { samples in
      guard let start = samples.baseAddress else { return RAW_FAILED }
      // SAFETY: the buffer has `count` samples; the shim checks that LibRaw has as many.
      return switch part {
      case .samples: unsafe raw_reader_samples(handle, start, samples.count)
      case .colors: unsafe raw_reader_colors(handle, start, samples.count)
      }
    }
    try check(status)
  }

  func preview() throws(ImageError) -> [UInt8] {
    var start: UnsafePointer<UInt8>?
    var size = 0
    try check(unsafe raw_reader_preview(handle, &start, &size))
    guard let start = unsafe start, size > 0 else {
      throw ImageError(.missingElement, ["element": "data of the preview"])
    }
    // SAFETY: the preview has `size` bytes and lives as long as the reader.
    return unsafe Array(UnsafeBufferPointer(start: start, count: size))
  }

  private func check(_ status: raw_status) throws(ImageError) {
    guard status != RAW_OK else { return }
    let library = LibRawReader.library
    // SAFETY: the message lives as long as the reader.
    let message = unsafe String(cString: raw_reader_message(handle))
    let detail: DiagnosticParameters = [
      "library": library, "detail": message.isEmpty ? "not enough memory" : message,
    ]
    switch status {
    case RAW_UNSUPPORTED: throw ImageError(.rawLibRawUnsupported, detail)
    case RAW_DAMAGED: throw ImageError(.rawLibRawDamaged, detail)
    case RAW_TRUNCATED: throw ImageError(.rawLibRawTruncated, ["library": library])
    case RAW_SAMPLES_MISSING: throw ImageError(.rawSamplesMissing, ["library": library])
    case RAW_OUT_OF_MEMORY: throw ImageError(.rawLibRawLimitExceeded, detail)
    default: throw ImageError(.libraryFailed, detail)
    }
  }
}
#endif
