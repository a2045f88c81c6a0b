// SPDX-License-Identifier: Apache-2.0
#if PNG || TIFF || EXR
internal import CLibDeflate
internal import CShims
internal import HDRCore

/// A compressor of libdeflate, which compresses each buffer on its own.
@safe struct LibDeflate: ~Copyable {
  private let handle: OpaquePointer

  /// Name and version of the library.
  static var library: String { "libdeflate \(LIBDEFLATE_VERSION_STRING)" }

  /// Allocates a compressor.
  ///
  /// - Parameter level: 1...12; 12 is slowest and smallest.
  /// - Throws: `.outOfMemory`.
  init(level: Int) throws(ImageError) {
    // SAFETY: libdeflate accepts any level, and returns NULL if it fails.
    guard let handle = unsafe libdeflate_alloc_compressor(Int32(clamping: level)) else {
      throw ImageError(.outOfMemory, ["library": "libdeflate"])
    }
    unsafe self.handle = handle
  }

  deinit {
    // SAFETY: `handle` is not shared.
    unsafe libdeflate_free_compressor(handle)
  }

  /// Returns a deflate stream as `Deflater.block(_:isLast:)`.
  ///
  /// - Throws: `.codecFailure` if libdeflate fails.
  func block(_ bytes: [UInt8], isLast: Bool) throws(ImageError) -> [UInt8] {
    // SAFETY: libdeflate only reads the compressor here.
    let capacity = unsafe libdeflate_deflate_compress_bound(handle, bytes.count) + 5
    // SAFETY: libdeflate reads all `bytes`, and both functions initialize as many bytes as they
    // return, from the start and at most `capacity`.
    let stream = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { target, count in
      guard let start = target.baseAddress else { return }
      count = unsafe bytes.withUnsafeBytes { source in
        unsafe libdeflate_deflate_compress(
          handle, source.baseAddress, source.count, start, capacity)
      }
      if !isLast, count > 0 { count = unsafe deflate_make_continuable(start, count, capacity) }
    }
    guard !stream.isEmpty else {
      throw ImageError(.libraryFailed, ["library": "libdeflate", "detail": "no output"])
    }
    return stream
  }
}
#endif
