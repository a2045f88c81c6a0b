// SPDX-License-Identifier: Apache-2.0
internal import CHDRConvert
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import ImageReports
internal import Synchronization

// Objects that C programs hold by opaque pointers. They are immutable and retained once by the
// program; `hdr_..._destroy` releases them.

/// `hdr_image`: an opened file, samples in memory, or a rendition of either.
///
/// A rendition keeps its source, so that a conversion plans from the file. Its samples are made when
/// they are read.
final class ImageHandle: Sendable {
  /// Path of the file; `-` for a file in memory.
  let name: String
  /// Layout, color and light metadata of the image.
  let description: ImageDescription
  /// Type of the samples as they are stored; half floats are decoded to single precision.
  let samples: ImageLayout.Samples
  /// Whether the image, with its gain map, extends above reference white.
  let isHighDynamicRange: Bool
  /// Whether the file has a gain map that can be applied.
  let hasGainMap: Bool
  /// Name of the format; empty for samples in memory.
  let format: CText
  /// The file or the samples that a conversion starts from.
  private let source: ConversionSource
  private let opened: Result<SourceImage, ImageError>
  /// The rendition; `nil` for the image of the source.
  private let rendition: Rendition?
  /// The samples of the rendition, once they are made.
  private let rendered = Mutex<SourceImage?>(nil)

  private struct Rendition {
    let request: ConversionRequest
    /// Whether the samples are limited to the headroom of an HDR display.
    let isForHDRDisplay: Bool

    /// Whether one plan makes the file of another request: it stores the rendition as it is.
    ///
    /// The SDR image and the gain map of a rendition for a display are computed from its samples.
    func isStorable(by next: ConversionRequest) -> Bool {
      guard request.rendition.isForDisplay || isForHDRDisplay else { return true }
      let contents: Set<ConversionRequest.Content> =
        isForHDRDisplay ? [.automatic, .hdr] : [.automatic, .sdr]
      guard contents.contains(next.content), next.gainMap == ConversionRequest.GainMap(),
        next.companions == ConversionRequest.Companions()
      else { return false }
      let storesSDR = next.color.transfer == .srgb || next.color.profile != nil
      return !isForHDRDisplay
        || !storesSDR && next.coding.format?.traits.isLimitedTo8Bits == false
    }
  }

  /// Samples in memory.
  init(_ image: Image, samples: ImageLayout.Samples) {
    self.samples = samples
    let document = SourceImage(image)
    (name, description, hasGainMap, format) = ("-", image.description, false, CText(""))
    isHighDynamicRange = document.isHighDynamicRange
    source = .image(document, isHDR: isHighDynamicRange)
    (opened, rendition) = (.success(document), nil)
  }

  /// A file; if it can be described but not decoded, `document()` throws the error.
  init(_ file: ImageFile, name: String) throws(ImageError) {
    (self.name, format) = (name, CText(file.format.rawValue))
    (source, rendition) = (.file(file), nil)
    let contents = try file.contents()
    isHighDynamicRange = contents.isHighDynamicRange
    hasGainMap = contents.gainMap?.isApplicable == true
    samples = contents.primary.floatBits == 16 ? .half : contents.primary.layout.samples
    do throws(ImageError) {
      let document = try SourceImage.open(file)
      (description, opened) = (document.image.description, .success(document))
    } catch {
      guard !error.endsJob, error.category != .limitExceeded else { throw error }
      (description, opened) = (contents.primary.description, .failure(error))
    }
  }

  /// A rendition.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - source: The file or the samples that a conversion starts from.
  ///   - document: The image of the source.
  ///   - base: The image that is rendered.
  /// - Throws: `.invalidArgument` for fields that contradict the image.
  private init(
    _ request: ConversionRequest, of source: ConversionSource, _ document: SourceImage,
    like base: ImageHandle
  ) throws(ImageError) {
    (name, hasGainMap, format, self.source) = (base.name, false, CText(""), source)
    var document = document
    let content = try source.content(of: request)
    let stops = request.gainMap.headroomStops
    if document.isDeveloped, case .file(let file) = source {
      document = try SourceImage.open(
        file,
        developing: request.raw.development(
          exposure: request.rendition.exposure ?? 0, isStandard: content == .sdr))
    }
    description = try document.linearDescription(for: request)
    samples = description.layout.samples
    isHighDynamicRange = base.isHighDynamicRange && content != .sdr && stops != 0
    opened = .success(document)
    rendition = Rendition(
      request: request,
      isForHDRDisplay: content == .hdr && stops != 0
        && (request.rendition.isForDisplay || stops != nil))
  }

  /// Runs a call that reads the image: an operation whose progress is observed, and whose errors name the
  /// file.
  func work<Result>(_ body: () throws(ImageError) -> Result) throws(ImageError) -> Result {
    try Execution.operation { () throws(ImageError) in try naming(body) }
  }

  /// Runs `body`, whose errors get the name of the file unless they name another one, or are of an output.
  func naming<Result>(
    _ body: () throws(ImageError) -> Result, unless isOfOutput: () -> Bool = { false }
  ) throws(ImageError) -> Result {
    do throws(ImageError) { return try body() } catch {
      guard name != "-", error.location.file == nil, error.category != .invalidArgument,
        error.category != .cancelled, !isOfOutput()
      else { throw error }
      throw error.inFile(name)
    }
  }

  /// The file that the image was opened from.
  ///
  /// - Throws: `.invalidArgument` for samples in memory and renditions.
  func file() throws(ImageError) -> ImageFile {
    guard rendition == nil, case .file(let file) = source else {
      throw ImageError(.invalidArgument, "the image was not opened from a file")
    }
    return file
  }

  /// The image to decode; a rendition is made by the first call, for which others wait.
  ///
  /// - Throws: The error of a file that can be described, but not decoded; errors of the decoder.
  func document() throws(ImageError) -> SourceImage {
    let document = try opened.get()
    guard let rendition else { return document }
    return try rendered.withLock { samples throws(ImageError) in
      if let samples { return samples }
      var request = rendition.request
      // That of raw files was applied when they were developed.
      if document.isDeveloped { request.rendition.exposure = nil }
      let made = try document.rendered(for: request)
      samples = made
      return made
    }
  }

  /// Decodes the gain map of the file.
  ///
  /// - Returns: The samples, in the color of an SDR image, and the metadata as JSON.
  /// - Throws: `.unsuitable` if the file does not contain one that can be applied; errors of the decoder.
  func gainMap() throws(ImageError) -> (image: ImageHandle, metadata: [UInt8]) {
    let file = try file()
    _ = try file.gainMaps().requireApplicable()
    let metadata = try file.detachedGainMap().json()
    let codes = try document().requireGainMap().codes()
    let description = ImageDescription(
      layout: codes.layout, color: ColorEncoding(primaries: .bt709, transfer: .srgb),
      orientation: try file.contents().primary.orientation)
    return (ImageHandle(Image(description, codes), samples: codes.layout.samples), metadata)
  }

  /// The image as a request asks for it; its samples are not made yet.
  ///
  /// - Parameter request: Content, gain map, rendition, geometry, color and development.
  /// - Returns: The rendition.
  /// - Throws: `.invalidArgument` for other fields, and for those that contradict the image.
  func rendered(for request: ConversionRequest) throws(ImageError) -> ImageHandle {
    try request.check()
    let fields: Set = ["content", "gainMap.use", "gainMap.headroomStops", "color.primaries"]
    let parts = ["rendition.", "geometry.", "raw."]
    for field in request.givenFields
    where !fields.contains(field) && !parts.contains(where: field.hasPrefix)
      || field == "geometry.orientation"
    {
      throw .withoutEffect(field, "the image is rendered, not encoded")
    }
    guard let first = rendition?.request else {
      return try ImageHandle(request, of: source, try opened.get(), like: self)
    }
    if let both = first.followed(by: request) {
      return try ImageHandle(both, of: source, try opened.get(), like: self)
    }
    let samples = try document()
    return try ImageHandle(
      request, of: .image(samples, isHDR: isHighDynamicRange), samples, like: self)
  }

  /// Writes the file that a request asks for.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - standard: The SDR image of a computed gain map; `nil` to compute it.
  ///   - sink: Receives the bytes of the file.
  /// - Returns: The result.
  /// - Throws: Errors of the plan, of decoders, encoders and the sink; `.cancelled`.
  func write(
    _ request: ConversionRequest, standard: ImageHandle?, to sink: any ByteSink
  ) throws(ImageError) -> ConversionResult {
    let standard = try standard?.shown()
    let (whole, source) = try whole(request, isAlone: standard == nil)
    return try ConversionPlan(whole, source, standard: standard).run(to: sink)
  }

  /// The request with that of the rendition, and the image that both are for.
  private func whole(
    _ request: ConversionRequest, isAlone: Bool
  ) throws(ImageError) -> (ConversionRequest, ConversionSource) {
    guard let rendition else { return (request, source) }
    var request = request
    if request.coding.format == nil, case .file(let file) = source {
      request.coding.format = file.format
    }
    guard isAlone || !rendition.request.rendition.isForDisplay, rendition.isStorable(by: request),
      let both = rendition.request.followed(by: request)
    else { return (request, try shown()) }
    return (both, source)
  }

  /// The file, or the samples of a rendition.
  private func shown() throws(ImageError) -> ConversionSource {
    rendition == nil ? source : .image(try document(), isHDR: isHighDynamicRange)
  }
}

extension ConversionSource {
  /// The content of the linear values of a request, as the plan of a file with them decides.
  fileprivate func content(of request: ConversionRequest) throws(ImageError) -> OutputContent {
    var linear = ConversionRequest(format: .avif, content: request.content)
    (linear.rendition, linear.raw) = (request.rendition, request.raw)
    linear.gainMap.headroomStops = request.gainMap.headroomStops
    if request.gainMap.use == .drop { linear.gainMap.use = .drop }
    return try ConversionPlan(linear, self).contents.output
  }
}

extension FileImage {
  /// Layout, color and light metadata as the file declares them.
  fileprivate var description: ImageDescription {
    let color = color?.encoding ?? ColorEncoding(primaries: .bt709, transfer: .srgb)
    var description = ImageDescription(layout: layout, color: color, light: light)
    description.orientation = orientation
    return description
  }
}

/// `hdr_execution`: the conditions of a job.
final class ExecutionHandle: Sendable {
  let execution: Execution

  init(_ execution: Execution) { self.execution = execution }
}

/// `hdr_bytes`: a file, metadata or text, and the report of the call that made it.
final class BytesHandle: Sendable {
  let bytes: CMemory
  let report: CText

  /// Metadata or text.
  init(_ bytes: [UInt8]) { (self.bytes, report) = (CMemory(bytes), CText(#"{"notices":[]}"#)) }

  /// A file.
  init(_ bytes: [UInt8], _ result: ConversionResult) throws(ImageError) {
    self.bytes = CMemory(bytes)
    report = CText(decoding: try Report(result).json())
  }

  /// The report of a file, as text.
  convenience init(reportOf result: ConversionResult) throws(ImageError) {
    self.init(try Report(result).json())
  }

  private struct Report: Encodable {
    let notices: [NoticeReport]
    var deltaEITP: Difference?

    init(_ result: ConversionResult) {
      notices = result.notices.map { NoticeReport($0, remedy: nil) }
      guard case .created(let file) = result.made else { return }
      deltaEITP = Difference(mean: file.quality.meanDeltaE, percentile99: file.quality.deltaE99)
    }
  }

  /// Delta E ITP between the alternate image as decoded and the original.
  private struct Difference: Encodable {
    let mean: Double
    let percentile99: Double
  }
}

/// `hdr_error`.
final class ErrorHandle: Sendable {
  let error: ImageError
  let code: CText
  let message: CText
  let file: CText?
  let path: CText?

  init(_ error: ImageError) {
    self.error = error
    code = CText(error.code.id)
    message = CText(error.message)
    file = error.location.file.map(CText.init)
    let path = error.location.path
    self.path = path.isEmpty ? nil : CText(path.joined(separator: "/"))
  }
}

extension OpaquePointer {
  /// Makes a pointer that retains an object.
  init(retaining object: some AnyObject) {
    // SAFETY: `release(_:)` balances the retain.
    unsafe self.init(Unmanaged.passRetained(object).toOpaque())
  }

  /// The object of a pointer of the same type.
  func object<Object: AnyObject>(_ type: Object.Type) -> Object {
    // SAFETY: the header gives each type of object its own type of pointer.
    unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(self)).takeUnretainedValue()
  }

  /// Releases the object of a pointer of the same type.
  ///
  /// A process that was forked from one that had used the library keeps it.
  func release<Object: AnyObject>(_ type: Object.Type) {
    inUsableProcess {
      // SAFETY: the program destroys a handle once.
      unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(self)).release()
    }
  }
}
