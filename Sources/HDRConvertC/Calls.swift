// SPDX-License-Identifier: Apache-2.0
internal import CHDRConvert
internal import HDRCore

/// Runs a call of the C interface.
///
/// - Parameters:
///   - error: Receives the error, or NULL.
///   - execution: Conditions of the call; `nil` for defaults.
///   - body: The call.
/// - Returns: The category of the error, or `HDR_OK`.
func status(
  _ error: UnsafeMutablePointer<OpaquePointer?>?, _ execution: OpaquePointer? = nil,
  _ body: () throws(ImageError) -> Void
) -> hdr_status {
  unsafe error?.pointee = nil
  let execution = unsafe execution?.object(ExecutionHandle.self).execution ?? Execution()
  do throws(ImageError) {
    try execution(body)
    return hdr_status(HDR_OK)
  } catch let failure {
    unsafe error?.pointee = OpaquePointer(retaining: ErrorHandle(failure))
    return failure.category.status
  }
}

extension ImageError.Category {
  /// The category in the C interface.
  var status: hdr_status {
    let code =
      switch self {
      case .truncated: HDR_ERROR_TRUNCATED
      case .malformed: HDR_ERROR_MALFORMED
      case .unsupported: HDR_ERROR_UNSUPPORTED
      case .missingCodec: HDR_ERROR_MISSING_CODEC
      case .limitExceeded: HDR_ERROR_LIMIT_EXCEEDED
      case .codecFailure: HDR_ERROR_CODEC_FAILURE
      case .missingInput: HDR_ERROR_MISSING_INPUT
      case .cannotCreate: HDR_ERROR_CANNOT_CREATE
      case .inputOutput: HDR_ERROR_INPUT_OUTPUT
      case .invalidArgument: HDR_ERROR_INVALID_ARGUMENT
      case .unsuitable: HDR_ERROR_UNSUITABLE
      case .cancelled: HDR_ERROR_CANCELLED
      }
    return hdr_status(code)
  }
}
