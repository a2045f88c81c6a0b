// SPDX-License-Identifier: Apache-2.0
public import CHDRConvert
internal import CPlatform
internal import Dispatch
internal import HDRConversion
internal import HDRCore
internal import Platform

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
  do throws(ImageError) {
    var result = Result<Void, ImageError>.failure(ImageError(.processForked))
    inUsableProcess {
      let execution = unsafe execution?.object(ExecutionHandle.self).execution ?? Execution()
      do throws(ImageError) {
        // An image keeps its own structures; others end with the call.
        let memory = Execution.HeldMemory()
        result = .success(try execution.run { () throws(ImageError) in try memory.hold(body) })
      } catch {
        result = .failure(error)
      }
    }
    try result.get()
    return hdr_status(HDR_OK)
  } catch let failure {
    unsafe error?.pointee = OpaquePointer(retaining: ErrorHandle(failure))
    return failure.category.status
  }
}

/// Runs `body`, unless the process was forked from one that had used the library.
///
/// Locks of Swift know a thread by a number that `fork` changes for the thread of the child: there,
/// `body` runs on a thread of its own.
func inUsableProcess(_ body: () -> Void) {
  switch platform_use() {
  case platform_own_process: body()
  case platform_forked_process:
    withoutActuallyEscaping(body) { body in
      let call = ForkedCall(body)
      if startThread({ call.run() }) { call.wait() } else { body() }
    }
  default: break
  }
}

/// A call on another thread, for whose end the caller waits.
// SAFETY: the caller does nothing until the call has ended.
private final class ForkedCall: @unchecked Sendable {
  private var body: (() -> Void)?
  private let end = DispatchSemaphore(value: 0)

  init(_ body: @escaping () -> Void) { self.body = body }

  func run() {
    body?()
    body = nil
    end.signal()
  }

  func wait() { end.wait() }
}

extension Optional {
  /// The argument of a call.
  ///
  /// - Throws: `.invalidArgument` for NULL.
  func required(_ name: String) throws(ImageError) -> Wrapped {
    guard let argument = self else {
      throw ImageError(.invalidArgument, "{argument} is NULL", ["argument": name])
    }
    return argument
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
