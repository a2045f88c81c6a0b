// SPDX-License-Identifier: Apache-2.0
internal import CHDRConvert

/// Bytes at a fixed address, followed by a NUL.
@safe final class CMemory: Sendable {
  /// Number of bytes without the NUL.
  let count: Int
  // SAFETY: the bytes are written in `init` only.
  private nonisolated(unsafe) let storage: UnsafeMutablePointer<UInt8>

  init(_ bytes: [UInt8]) {
    count = bytes.count
    unsafe storage = .allocate(capacity: bytes.count + 1)
    // SAFETY: there is room for all bytes and the NUL.
    unsafe bytes.withUnsafeBufferPointer { source in
      guard let first = source.baseAddress else { return }
      unsafe storage.initialize(from: first, count: source.count)
    }
    unsafe (storage + bytes.count).initialize(to: 0)
  }

  deinit { unsafe storage.deallocate() }

  /// The first byte; valid as long as this object exists.
  @unsafe var start: UnsafePointer<UInt8> { unsafe UnsafePointer(storage) }
}

/// A C string in UTF-8 at a fixed address.
struct CText: Sendable {
  private let memory: CMemory

  /// A NUL in the text, which may come from a file, ends the C string.
  init(_ text: String) { memory = CMemory(Array(text.utf8)) }

  init(decoding bytes: [UInt8]) { memory = CMemory(bytes) }

  /// The first character; valid as long as this value or a copy exists.
  @unsafe var start: UnsafePointer<CChar> {
    // SAFETY: `CChar` has the layout of `UInt8`.
    unsafe UnsafeRawPointer(memory.start).assumingMemoryBound(to: CChar.self)
  }
}

@c @implementation
public func hdr_bytes_data(_ bytes: OpaquePointer?) -> UnsafePointer<UInt8> {
  unsafe (bytes?.object(BytesHandle.self).bytes ?? noBytes).start
}

@c @implementation
public func hdr_bytes_size(_ bytes: OpaquePointer?) -> Int {
  unsafe bytes?.object(BytesHandle.self).bytes.count ?? 0
}

@c @implementation
public func hdr_bytes_report(_ bytes: OpaquePointer?) -> UnsafePointer<CChar> {
  unsafe (bytes?.object(BytesHandle.self).report ?? noText).start
}

@c @implementation
public func hdr_bytes_destroy(_ bytes: OpaquePointer?) { unsafe bytes?.release(BytesHandle.self) }

/// Results for NULL of functions that cannot fail.
private let noBytes = CMemory([])
let noText = CText("")
