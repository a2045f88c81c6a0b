// SPDX-License-Identifier: Apache-2.0
public import GainMap
public import HDRCore
public import ImageFiles
internal import Platform

extension ImageFile {
  /// Writes what a request asks for to a new file.
  ///
  /// The suffix of its name is the format unless the request names one. The new file is complete in
  /// memory before it is written.
  ///
  /// ```swift
  /// try ImageFile(path: "IMG_0001.HEIC").convert(to: "web.jpg")
  /// ```
  ///
  /// - Parameters:
  ///   - path: Path of the output; a file that exists is replaced when the new one is complete.
  ///   - request: The conversion; by default an automatic one.
  /// - Returns: The result.
  /// - Throws: `.invalidArgument` for a suffix that is not that of a format; errors of
  ///   `plan(for:open:)`, of decoders and encoders; `.inputOutput` if the file cannot be written,
  ///   `.cancelled`.
  @discardableResult
  public func convert(
    to path: String, _ request: ConversionRequest = ConversionRequest()
  ) throws(ImageError) -> ConversionResult {
    var request = request
    if request.coding.format == nil {
      let suffix = path.suffixOfName
      guard let format = FileFormat(suffix: suffix) else {
        throw ImageError(
          suffix.isEmpty ? .outputFormatMissing : .outputFormatUnknown, ["suffix": suffix],
          at: .init(file: path))
      }
      request.coding.format = format
    }
    let (bytes, result) = try converted(request)
    do { try Data(bytes).write(to: URL(filePath: path), options: .atomic) } catch {
      // SAFETY: the dictionary is read once; the text of the system is copied at once.
      let cause = unsafe (error as? CocoaError)?.userInfo["NSUnderlyingError"] as? POSIXError
      let detail = cause.map { unsafe String(cString: strerror($0.code.rawValue)) } ?? "\(error)"
      throw ImageError(
        .inputOutput, "cannot write: {detail}", ["detail": detail], at: .init(file: path))
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
  ///
  /// - Parameters:
  ///   - path: Path of the output; a file that exists is replaced when the new one is complete.
  ///   - request: The conversion; by default an automatic one.
  ///   - execution: Threads and limits.
  /// - Returns: The result.
  /// - Throws: As `convert(to:_:)`.
  @discardableResult
  public func convert(
    to path: String, _ request: ConversionRequest = ConversionRequest(),
    execution: Execution = .current
  ) async throws(ImageError) -> ConversionResult {
    try await execution.run { () throws(ImageError) in try convert(to: path, request) }
  }

  /// As `converted(_:)`, on a thread of its own; cancellation of the task ends the work.
  ///
  /// - Parameters:
  ///   - request: The conversion.
  ///   - execution: Threads and limits.
  /// - Returns: The bytes of the new file, and the result.
  /// - Throws: As `converted(_:)`.
  public func converted(
    _ request: ConversionRequest, execution: Execution = .current
  ) async throws(ImageError) -> (bytes: [UInt8], result: ConversionResult) {
    try await execution.run { () throws(ImageError) in try converted(request) }
  }
}

/// The progress of a conversion.
public struct ConversionProgress: Hashable, Sendable {
  /// The stage that runs.
  public let stage: Execution.Stage
  /// The share of the whole conversion that is done, 0...1, as `Execution.progress` gets it.
  public let share: Double
}

/// A report of a conversion while it runs, and its end.
public enum ConversionUpdate: Sendable {
  case progress(ConversionProgress)
  case finished(bytes: [UInt8], result: ConversionResult)
}

extension ImageFile {
  /// Makes the file of a request on a thread of its own, and reports its progress.
  ///
  /// ```swift
  /// for try await update in file.conversion(ConversionRequest(format: .avif)) {
  ///   switch update {
  ///   case .progress(let progress): bar.value = progress.share
  ///   case .finished(let bytes, _): return bytes
  ///   }
  /// }
  /// ```
  ///
  /// The work begins at once. It ends when the loop or its task ends; the loop of a cancelled task ends
  /// without an error, as that of every `AsyncThrowingStream`.
  ///
  /// - Parameters:
  ///   - request: The conversion.
  ///   - execution: Threads and limits.
  /// - Returns: The latest progress, of which a slow loop misses earlier reports, and at last the
  ///   file; errors as in `converted(_:)`.
  public func conversion(
    _ request: ConversionRequest, execution: Execution = .current
  ) -> AsyncThrowingStream<ConversionUpdate, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { updates in
      var observed = execution
      observed.progress = { share in
        updates.yield(.progress(ConversionProgress(stage: Execution.current.stage, share: share)))
        return true
      }
      let work = Task { [observed] in
        do throws(ImageError) {
          let (bytes, result) = try await converted(request, execution: observed)
          updates.yield(.finished(bytes: bytes, result: result))
          updates.finish()
        } catch {
          updates.finish(throwing: error)
        }
      }
      updates.onTermination = { _ in work.cancel() }
    }
  }
}

extension SourceImage {
  /// Makes what a request asks for of an image in memory.
  ///
  /// - Parameter request: The conversion, with the format, which is required.
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
    let result = try run(to: sink)
    return (sink.bytes, result)
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

extension ImageFile {
  /// Replaces the gain map, or adds one; the coded baseline image is kept byte for byte.
  ///
  /// ```swift
  /// let base = try SourceImage(image).converted(ConversionRequest(format: .jpeg)).bytes
  /// let file = try ImageFile(parsing: ByteSource(base)).replacingGainMap(with: map)
  /// ```
  ///
  /// `describingGainMap(as:in:)` changes the metadata alone.
  ///
  /// - Parameters:
  ///   - map: The samples, of any size, in the orientation of the stored baseline image, and their
  ///     relation to gain.
  ///   - flavors: Flavors of the metadata; `nil` for those that suit the format and represent them
  ///     exactly.
  ///   - quality: Quality of the gain map, 0...100; `nil` for 80 in HEIF and AVIF, 70 in JPEG and
  ///     JPEG XL. PNG is lossless.
  /// - Returns: The new file; `worstError` is the largest error of the gain by the metadata, in
  ///   stops.
  /// - Throws: `.invalidArgument` for a format without gain maps, samples that it cannot store, a
  ///   quality out of range, and metadata that a flavor cannot represent; errors of the encoder.
  public func replacingGainMap(
    with map: GainMapImage, in flavors: Set<GainMapFlavor>? = nil, quality: Int? = nil
  ) throws(ImageError) -> RewrittenFile {
    try format.checkHoldsGainMap(isBaseHDR: map.metadata.isBaseHDR)
    var request = ConversionRequest(format: format)
    request.gainMap.quality = quality
    try request.check()
    let base = EncoderOptions()
    let usual = base.usualGainMapQuality(in: format)
    var options = GainMapTranscoder.Options(
      format: format, base: base, map: EncoderOptions(quality: quality ?? usual))
    options.flavors = flavors
    let description = FoundGainMap.Description(
      flavor: map.metadata.isApple ? .apple : .iso, metadata: map.metadata, numbers: [])
    let found = FoundGainMap(
      [description],
      alternate: FoundGainMap.AlternateImage(
        cicp: map.alternatePrimaries?.cicp.map {
          .alternate($0, isBaseHDR: map.metadata.isBaseHDR)
        }))
    let encoded = try GainMapTranscoder.encoded(map, found, options, encoder: options.map)
    var result = try joining(encoded.file, encoded.metadata, in: flavors)
    result.add([], worstError: encoded.worstError)
    return result
  }
}

extension CICP {
  /// Code points of the alternate image of a gain map.
  static func alternate(_ primaries: Primaries, isBaseHDR: Bool) -> CICP {
    isBaseHDR
      ? CICP(primaries: primaries, transfer: .srgb, matrix: .bt601)
      : CICP(primaries: primaries, transfer: .pq, matrix: .bt2020NonConstant)
  }
}
