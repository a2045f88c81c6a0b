// SPDX-License-Identifier: Apache-2.0
public import CHDRConvert
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

@c @implementation
public func hdr_image_convert(
  _ image: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ sdr: OpaquePointer?,
  _ execution: OpaquePointer?, _ file: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> hdr_status {
  unsafe status(error, execution) { () throws(ImageError) in
    let (image, file) = try unsafe (image.required("image"), file.required("file"))
    let request = try unsafe ConversionRequest(text: request)
    let sink = MemorySink()
    let source = unsafe image.object(ImageHandle.self)
    let result = try source.naming { () throws(ImageError) in
      try unsafe source.write(request, standard: sdr?.object(ImageHandle.self), to: sink)
    }
    unsafe file.pointee = OpaquePointer(retaining: try BytesHandle(sink.bytes, result))
  }
}

@c @implementation
public func hdr_image_write(
  _ image: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ sdr: OpaquePointer?,
  _ execution: OpaquePointer?, _ write: hdr_write?, _ context: UnsafeMutableRawPointer?,
  _ report: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> hdr_status {
  unsafe status(error, execution) { () throws(ImageError) in
    let (image, report) = try unsafe (image.required("image"), report.required("report"))
    let sink = try unsafe CallbackWriter(write.required("write"), context)
    let request = try unsafe ConversionRequest(text: request)
    let source = unsafe image.object(ImageHandle.self)
    let result = try source.naming { () throws(ImageError) in
      try unsafe source.write(request, standard: sdr?.object(ImageHandle.self), to: sink)
    } unless: {
      sink.hasFailed
    }
    unsafe report.pointee = OpaquePointer(retaining: try BytesHandle(reportOf: result))
  }
}

@c @implementation
public func hdr_image_render(
  _ image: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ execution: OpaquePointer?,
  _ rendered: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> hdr_status {
  unsafe status(error, execution) { () throws(ImageError) in
    let (image, rendered) = try unsafe (image.required("image"), rendered.required("rendered"))
    let request = try unsafe ConversionRequest(text: request)
    let source = unsafe image.object(ImageHandle.self)
    let made = try source.naming { () throws(ImageError) in try source.rendered(for: request) }
    unsafe rendered.pointee = OpaquePointer(retaining: made)
  }
}

extension ConversionRequest {
  /// Reads JSON of a caller; a new request for NULL.
  ///
  /// - Throws: `.invalidArgument` with the name of the field.
  init(text: UnsafePointer<CChar>?) throws(ImageError) {
    guard let text = unsafe text else {
      self.init()
      return
    }
    try self.init(json: Array(unsafe String(cString: text).utf8))
  }
}
