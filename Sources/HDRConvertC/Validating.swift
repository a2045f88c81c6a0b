// SPDX-License-Identifier: Apache-2.0
public import CHDRConvert
internal import Conformance
internal import HDRCore
internal import ImageFiles
internal import ImageReports

@c @implementation
public func hdr_validate_file(
  _ path: UnsafePointer<CChar>?, _ execution: OpaquePointer?,
  _ json: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> hdr_status {
  unsafe status(error, execution) { () throws(ImageError) in
    let json = try unsafe json.required("json")
    let cPath = try unsafe path.required("path")
    let path = unsafe String(cString: cPath)
    do throws(ImageError) {
      let report = try unsafe report(on: ByteSource(cPath: cPath), name: path)
      unsafe json.pointee = OpaquePointer(retaining: report)
    } catch {
      throw error.inFile(path)
    }
  }
}

@c @implementation
public func hdr_validate_memory(
  _ bytes: UnsafeRawPointer?, _ size: Int, _ execution: OpaquePointer?,
  _ json: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> hdr_status {
  unsafe status(error, execution) { () throws(ImageError) in
    let json = try unsafe json.required("json")
    let report = try report(on: try unsafe ByteSource(copying: bytes, size: size), name: "-")
    unsafe json.pointee = OpaquePointer(retaining: report)
  }
}

@c @implementation
public func hdr_validate_reader(
  _ read: hdr_read?, _ context: UnsafeMutableRawPointer?, _ size: UInt64,
  _ execution: OpaquePointer?, _ json: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> hdr_status {
  unsafe status(error, execution) { () throws(ImageError) in
    let json = try unsafe json.required("json")
    let report = try report(on: try unsafe ByteSource(read, context, size: size), name: "-")
    unsafe json.pointee = OpaquePointer(retaining: report)
  }
}

/// Checks a file against all standards that apply to it.
///
/// - Returns: The report of `hdrconvert validate --json`.
/// - Throws: `.unsuitable` for a format without rules; errors that leave nothing to check.
private func report(on source: ByteSource, name: String) throws(ImageError) -> BytesHandle {
  var options = OpeningOptions(limits: Execution.current.limits)
  options.acceptsWrongChecksums = true
  let report = try Execution.operation { () throws(ImageError) in
    let checked = try CheckedFile(ImageFile(parsing: source, options: options))
    let (file, standards) = (checked.file, checked.applicableStandards)
    guard !standards.isEmpty else {
      throw ImageError(.validateNoRules, ["format": file.format.title])
    }
    return ValidationReport(
      file: name, format: file.format, standards: standards,
      judgments: try checked.judgments(by: standards))
  }
  return BytesHandle(
    try JSONReport(inputs: [name], results: [report], failures: [], verb: "validate").json())
}
