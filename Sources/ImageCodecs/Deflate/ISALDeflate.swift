// SPDX-License-Identifier: Apache-2.0
#if PNG || TIFF || EXR
internal import CShims
internal import HDRCore

/// A compressor of ISA-L.
@safe struct ISALDeflate: ~Copyable {
  private let handle: OpaquePointer

  /// Name and version of the library.
  static var library: String {
    // SAFETY: the name is static.
    unsafe String(cString: isal_deflater_library())
  }

  /// Allocates a compressor.
  ///
  /// - Throws: `.outOfMemory`.
  init() throws(ImageError) {
    guard let handle = unsafe isal_deflater_create() else {
      throw ImageError(.outOfMemory, ["library": "ISA-L"])
    }
    unsafe self.handle = handle
  }

  deinit {
    // SAFETY: `handle` is not shared.
    unsafe isal_deflater_free(handle)
  }

  /// Returns a deflate stream as `Deflater.block(_:isLast:)`.
  ///
  /// - Throws: `.codecFailure` if ISA-L fails.
  func block(_ bytes: [UInt8], isLast: Bool) throws(ImageError) -> [UInt8] {
    // Bytes that cannot be compressed are stored.
    let capacity = bytes.count + bytes.count / 8 + 1024
    // SAFETY: ISA-L reads all `bytes`, and initializes as many bytes as it returns, from the start
    // and at most `capacity`; one thread at a time uses this compressor.
    let stream = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { target, count in
      guard let start = target.baseAddress else { return }
      count = unsafe bytes.withUnsafeBufferPointer { source in
        unsafe isal_deflater_compress(
          handle, source.baseAddress, source.count, isLast ? 1 : 0, start, capacity)
      }
    }
    guard !stream.isEmpty else {
      throw ImageError(.libraryFailed, ["library": "ISA-L", "detail": "no output"])
    }
    return stream
  }
}
#endif
