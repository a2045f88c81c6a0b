// SPDX-License-Identifier: Apache-2.0
public import HDRCore
public import ImageFiles
internal import Platform

extension ImageFile {
  /// Writes what a request asks for to a new file; the suffix of its name is the format unless the request names one.
  ///
  /// ```swift
  /// try ImageFile(path: "IMG_0001.HEIC").convert(to: "web.jpg")
  /// ```
  ///
  /// - Parameters:
  ///   - path: Path of the output; a file that exists is replaced when the new one is complete.
  ///   - request: The conversion.
  /// - Returns: The result.
  /// - Throws: Errors of `plan(for:open:)`, of decoders and encoders; `.cannotCreate`, `.inputOutput`, `.cancelled`.
  @discardableResult
  public func convert(
    to path: String, _ request: ConversionRequest = ConversionRequest()
  ) throws(ImageError) -> ConversionResult {
    var request = request
    request.coding.format = request.coding.format ?? FileFormat(suffix: path.suffixOfName)
    let (bytes, result) = try converted(request)
    do { try Data(bytes).write(to: URL(filePath: path), options: .atomic) } catch {
      throw ImageError(.fileNotWritten, ["detail": "\(error)"], at: .init(file: path))
    }
    return result
  }

  /// Makes what a request asks for, in memory.
  ///
  /// ```swift
  /// let (bytes, result) = try file.converted(ConversionRequest(format: .avif, quality: 85))
  /// ```
  ///
  /// - Parameter request: The conversion.
  /// - Returns: The bytes of the new file, and the result.
  /// - Throws: Errors of `plan(for:open:)`, of decoders and encoders; `.cancelled`.
  public func converted(
    _ request: ConversionRequest
  ) throws(ImageError) -> (bytes: [UInt8], result: ConversionResult) {
    try plan(for: request).bytes()
  }
}

extension ImageFile {
  /// As `convert(to:_:)`, on a thread of its own; cancellation of the task ends the work.
  @discardableResult
  public func convert(
    to path: String, _ request: ConversionRequest = ConversionRequest(),
    execution: Execution = .current
  ) async throws(ImageError) -> ConversionResult {
    try await execution { () throws(ImageError) in try convert(to: path, request) }
  }

  /// As `converted(_:)`, on a thread of its own; cancellation of the task ends the work.
  public func converted(
    _ request: ConversionRequest, execution: Execution = .current
  ) async throws(ImageError) -> (bytes: [UInt8], result: ConversionResult) {
    try await execution { () throws(ImageError) in try converted(request) }
  }
}

extension SourceImage {
  /// Makes what a request asks for of an image in memory.
  ///
  /// - Parameter request: The conversion, with the format.
  /// - Returns: The bytes of the new file, and the result.
  /// - Throws: Errors of `plan(for:standard:isHDR:open:)`, of decoders and encoders; `.cancelled`.
  public func converted(
    _ request: ConversionRequest
  ) throws(ImageError) -> (bytes: [UInt8], result: ConversionResult) {
    try plan(for: request).bytes()
  }
}

extension ConversionPlan {
  /// Does the work of the plan, in memory.
  ///
  /// - Returns: The bytes of the file, and what was made.
  /// - Throws: Errors of decoders and encoders; `.cancelled`.
  public func bytes() throws(ImageError) -> (bytes: [UInt8], result: ConversionResult) {
    let sink = MemorySink()
    do throws(Failure) {
      let result = try run(to: sink)
      return (sink.bytes, result)
    } catch {
      throw error.cause
    }
  }
}

extension String {
  /// The suffix of a file name, without its dot.
  fileprivate var suffixOfName: String {
    let name = split(separator: "/").last ?? ""
    return name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last
      .map(String.init) ?? ""
  }
}
