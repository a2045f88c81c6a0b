internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// Copies bytes of a file wherever a C library asks for them.
///
/// Errors are kept for the caller of the library: they are more specific than the library's own.
final class SourceReader {
  private let source: ByteSource
  /// Where the library read last: the best that can be said about the place of an error.
  private(set) var lastOffset = 0
  private(set) var failure: ImageError?

  init(_ source: ByteSource) { self.source = source }

  /// The `count` bytes from `offset` on, or `nil` after noting why not.
  func bytes(at offset: UInt64, count: Int) -> [UInt8]? {
    do throws(ImageError) {
      guard let start = Int(exactly: offset), start <= source.count else {
        throw ImageError(.sourceOffsetInvalid, ["offset": offset, "size": source.count])
      }
      lastOffset = start
      let (end, overflow) = start.addingReportingOverflow(count)
      guard count >= 0, !overflow else {
        throw ImageError(
          .sourceRangeInvalid, ["size": count, "available": source.count], at: .init(offset: start))
      }
      return try source.bytes(in: start..<end)
    } catch {
      failure = failure ?? error
      return nil
    }
  }
}

/// Read callback of OpenEXR and libtiff, called by one thread at a time; 0 on success.
///
/// `context` is a `SourceReader`, and `target` has `count` bytes.
func readSource(
  context: UnsafeMutableRawPointer, offset: UInt64, target: UnsafeMutableRawPointer, count: Int
) -> Int32 {
  // SAFETY: whoever made the library's reader keeps the `SourceReader` until that is freed; exactly
  // `count` bytes are copied, for which `target` has room.
  let input = unsafe Unmanaged<SourceReader>.fromOpaque(context).takeUnretainedValue()
  guard let bytes = input.bytes(at: offset, count: count) else { return 1 }
  unsafe bytes.withUnsafeBytes { source in
    guard let start = source.baseAddress else { return }
    unsafe target.copyMemory(from: start, byteCount: source.count)
  }
  return 0
}
