// SPDX-License-Identifier: Apache-2.0
internal import CHDRConvert

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
