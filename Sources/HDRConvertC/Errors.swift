// SPDX-License-Identifier: Apache-2.0
public import CHDRConvert
internal import HDRConversion

@c @implementation
public func hdr_api_version() -> UInt32 { UInt32(HDR_API_MAJOR) << 16 | UInt32(HDR_API_MINOR) }

@c @implementation
public func hdr_version() -> UnsafePointer<CChar> { unsafe versionText.start }

/// The version as a constant.
private let versionText = CText(toolVersion)

@c @implementation
public func hdr_error_status(_ error: OpaquePointer?) -> hdr_status {
  unsafe error?.object(ErrorHandle.self).error.category.status ?? hdr_status(HDR_OK)
}

@c @implementation
public func hdr_error_code(_ error: OpaquePointer?) -> UnsafePointer<CChar> {
  unsafe (error?.object(ErrorHandle.self).code ?? noText).start
}

@c @implementation
public func hdr_error_message(_ error: OpaquePointer?) -> UnsafePointer<CChar> {
  unsafe (error?.object(ErrorHandle.self).message ?? noText).start
}

@c @implementation
public func hdr_error_file(_ error: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe error?.object(ErrorHandle.self).file?.start
}

@c @implementation
public func hdr_error_path(_ error: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe error?.object(ErrorHandle.self).path?.start
}

@c @implementation
public func hdr_error_offset(_ error: OpaquePointer?) -> Int64 {
  unsafe error?.object(ErrorHandle.self).error.location.offset.map(Int64.init) ?? -1
}

@c @implementation
public func hdr_error_destroy(_ error: OpaquePointer?) { unsafe error?.release(ErrorHandle.self) }
