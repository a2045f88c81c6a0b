// SPDX-License-Identifier: Apache-2.0
internal import GainMap
public import HDRCore
public import ImageFiles
internal import RAWDevelop

/// The result of a conversion.
public struct ConversionResult: Sendable {
  /// Format of the output.
  public let format: FileFormat
  /// Light levels of the HDR image, as far as they were measured; `nil` if coded images were kept.
  public var lightLevels: LightLevels? {
    switch made {
    case .converted(let written): written.lightLevels
    case .created(let result): result.lightLevels
    case .rewritten, .edited: nil
    }
  }
  /// Notices about samples and metadata that were dropped, assumed, changed or clipped.
  public var notices: [Notice]

  /// Whether samples were encoded.
  var isEncoded: Bool {
    switch made {
    case .converted, .created: true
    case .rewritten(let result): !result.reencodedPayloads.isEmpty
    case .edited: false
    }
  }

  /// The file in detail.
  package enum Made: Sendable {
    case converted(ImageConverter.Written)
    case created(GainMapEncoder.Result)
    case rewritten(RewrittenFile)
    case edited(EditedFile)
  }
  package let made: Made
  /// Name of the SDR image that was used.
  package var standard: String?
}

extension ConversionPlan {
  /// An error of the input, or of the output.
  package enum Failure: Error {
    case reading(ImageError)
    case writing(ImageError)

    /// The error.
    package var cause: ImageError {
      switch self {
      case .reading(let cause), .writing(let cause): cause
      }
    }
  }

  /// Does the work of the plan, whose progress the current execution observes.
  ///
  /// - Parameter sink: Receives the bytes of the file.
  /// - Returns: The result.
  /// - Throws: Errors of decoders, encoders and the sink; `.cancelled`.
  public func run(to sink: any ByteSink) throws(ImageError) -> ConversionResult {
    let result: ConversionResult
    do throws(Failure) { result = try perform(to: sink) } catch { throw error.cause }
    if Execution.current.progress != nil { try Execution.current.checkCancellation() }
    return result
  }

  /// Does the work of the plan, as `run(to:)`.
  ///
  /// - Parameter sink: Receives the bytes of the file.
  /// - Returns: The result.
  /// - Throws: Errors of decoders, encoders and the sink; `.cancelled`.
  package func perform(to sink: any ByteSink) throws(Failure) -> ConversionResult {
    try Execution.HeldMemory().hold { () throws(Failure) in
      try Execution.operation { () throws(Failure) in try performing(to: sink) }
    }
  }

  private func performing(to sink: any ByteSink) throws(Failure) -> ConversionResult {
    var result: ConversionResult
    var notices = notices
    do throws(Failure) {
      result = try WorkExecution(self, source, work).run(to: sink)
    } catch {
      guard case .reading(let cause) = error, let alternative,
        cause.code == alternative.cause
      else { throw error }
      result = try WorkExecution(self, alternative.source, alternative.work).run(to: sink)
      // The cause is the reason why the gain map is dropped.
      let dropped: [NoticeCode] = [.gainMapDropped, .convertGainMapDropped]
      result.notices.removeAll {
        alternative.cause == .gainMapSamplesNotDecodable && dropped.contains($0.code)
      }
      result.notices = alternative.notices(cause) + result.notices
      let planned: [NoticeCode] = [.convertGainMapApplied, .convertGainMapKept]
      notices.removeAll { planned.contains($0.code) }
    }
    result.notices = notices + result.notices
    return result
  }
}

/// The execution of one work of a plan.
struct WorkExecution {
  typealias Failure = ConversionPlan.Failure

  let request: ConversionRequest
  let format: FileFormat
  let source: ConversionSource
  let work: ConversionPlan.Work
  let removal: RemovedMetadata
  let measuresAllLight: Bool

  init(
    _ plan: ConversionPlan, _ source: ConversionSource, _ work: ConversionPlan.Work
  ) {
    (request, format) = (plan.request, plan.format)
    measuresAllLight = plan.measuresAllLight
    (self.source, self.work) = (source, work)
    removal = RemovedMetadata(request.metadata)
  }

  /// Does the work, again with less quality if the file would be larger than its input.
  func run(to sink: any ByteSink) throws(Failure) -> ConversionResult {
    let found = try reading { () throws(ImageError) in try SizeLimit(request, source, work) }
    guard var limit = found else {
      return try result(of: work, to: sink)
    }
    var rest = 1.0
    var first: (file: MemorySink, result: ConversionResult)?
    while true {
      let file = MemorySink()
      // One trial is usually enough.
      rest /= 4
      let result = try Execution.part(upTo: 1 - rest) { () throws(Failure) in
        try self.result(of: work.with(quality: limit.quality), to: file)
      }
      let usual = first ?? (file, result)
      first = usual
      if result.isEncoded, limit.reducesQuality(byteCount: file.count) { continue }
      let notice = result.isEncoded ? limit.notice(byteCount: file.count) : nil
      var written = notice?.code == .convertLargerThanInput ? usual : (file: file, result: result)
      try writing { () throws(ImageError) in try sink.write(written.file.bytes) }
      written.result.notices += [notice].compactMap { $0 }
      return written.result
    }
  }

  private func result(
    of work: ConversionPlan.Work, to sink: any ByteSink
  ) throws(Failure) -> ConversionResult {
    switch work {
    case .convert(let options, let development, let map):
      return try converted(options, development, map, to: sink)
    case .create(let options, let standard): return try created(options, standard, to: sink)
    case .edit(let changes): return try edited(changes, to: sink)
    case .transcode, .swap, .join, .sameFormat: return try rewritten(work, to: sink)
    }
  }

  func reading<Value>(_ body: () throws(ImageError) -> Value) throws(Failure) -> Value {
    do throws(ImageError) { return try body() } catch { throw .reading(error) }
  }

  func writing(_ body: () throws(ImageError) -> Void) throws(Failure) {
    do throws(ImageError) { try body() } catch { throw .writing(error) }
  }

  func opened(_ development: RawDevelopment) throws(ImageError) -> SourceImage {
    switch source {
    case .file(let file): try SourceImage.open(file, developing: development)
    case .image(let image, _): image
    }
  }

  /// A part of the image of a file in its pixels, also if it was developed at less than its full size.
  ///
  /// - Throws: `.invalidArgument` for a part that is not inside the image of full size.
  func part(
    _ crop: PixelRectangle, of document: SourceImage
  ) throws(ImageError) -> PixelRectangle {
    guard let full = document.fullSize, source.file != nil else { return crop }
    _ = try GeometryEdit(crop: crop).parameters(
      width: full.width, height: full.height, orientation: .upright,
      limits: Execution.current.limits)
    let size = document.uprightSize
    func scaled(_ start: Int, _ count: Int, from full: Int, to side: Int) -> Range<Int> {
      start * side / full..<((start + count) * side + full - 1) / full
    }
    let columns = scaled(crop.x, crop.width, from: full.width, to: size.width)
    let rows = scaled(crop.y, crop.height, from: full.height, to: size.height)
    return PixelRectangle(
      x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }

  // MARK: One image

  private func converted(
    _ options: ConversionOptions, _ development: RawDevelopment, _ map: SeparateGainMap?,
    to sink: any ByteSink
  ) throws(Failure) -> ConversionResult {
    var options = options
    let (document, notices) = try reading { () throws(ImageError) -> (SourceImage, [Notice]) in
      // Camera raw files are decoded when they are opened.
      var document = try Execution.part(upTo: 0.25) { () throws(ImageError) in
        try opened(development)
      }
      if let map {
        do throws(ImageError) {
          try document.attachGainMap(try SourceImage.open(map.file), map.metadata)
        } catch {
          throw error.inFile(map.name)
        }
      }
      var notices = try removal.apply(to: &document, &options)
      var geometry = request.geometry
      geometry.crop = try geometry.crop.map { crop throws(ImageError) in
        try part(crop, of: document)
      }
      let fitted = geometry.edit(of: document.uprightSize)
      (options.geometry, options.measuresAllLight) = (fitted.edit, measuresAllLight)
      notices += fitted.notices
      return (document, try notices + document.notCopied)
    }
    let written = try ImageConverter(options).write(document, to: sink)
    return ConversionResult(
      format: format, notices: written.notices + notices, made: .converted(written))
  }

  // MARK: Kept images

  private func edited(
    _ changes: MetadataChanges, to sink: any ByteSink
  ) throws(Failure) -> ConversionResult {
    let edited = try reading { () throws(ImageError) in try changes.applied(to: source.requiredFile)
    }
    try writing { () throws(ImageError) in try sink.write(edited.bytes) }
    return ConversionResult(format: format, notices: edited.notices, made: .edited(edited))
  }

  private func rewritten(
    _ work: ConversionPlan.Work, to sink: any ByteSink
  ) throws(Failure) -> ConversionResult {
    var (result, edited) = try reading { () throws(ImageError) -> (RewrittenFile, EditedFile?) in
      let input = try removal.prepared(source.requiredFile)
      var result = try rewritten(input.file, work)
      let (edited, notices) = try removal.apply(to: result.file)
      result.notices = input.notices + removal.relevant(result.notices) + notices
      return (result, edited)
    }
    let bytes = edited?.bytes ?? result.bytes
    try writing { () throws(ImageError) in try sink.write(bytes) }
    if request.coding.quality != nil || request.gainMap.quality != nil,
      result.reencodedPayloads.isEmpty
    {
      result.notices.append(Notice(.recodeNotNeeded))
    }
    return ConversionResult(format: format, notices: result.notices, made: .rewritten(result))
  }

  private func rewritten(
    _ file: ImageFile, _ work: ConversionPlan.Work
  ) throws(ImageError) -> RewrittenFile {
    switch work {
    case .transcode(let options):
      return try describing(file, options.flavors) { () throws(ImageError) in
        try transcoder(of: file, options).transcoded()
      }
    case .swap(let options):
      var result = try transcoder(of: file, options).swapped()
      if result.notices.contains(where: { $0.category == .nonconforming }) {
        result.notices.append(Notice(.swapBaseInOtherPrimaries))
      }
      return result
    case .join(let map, let options): return try joined(file, map, options)
    case .sameFormat(let change, let dropsGainMap):
      var whole = try prepared(file, dropsGainMap: dropsGainMap)
      if change.copiesGainMap, request.copying != .required {
        try Execution.part(upTo: 0.1) { () throws(ImageError) in
          if request.gainMap.use == .keep { try whole.file.requireDecodableGainMap() }
          if let (flat, notices) = try whole.file.withoutUndecodableGainMap {
            (whole.file, whole.notices) = (flat, whole.notices + notices)
          }
        }
      }
      var result = try changed(whole.file, by: change)
      result.add(whole.notices, worstError: 0, from: whole.dropped)
      return result
    case .convert, .create, .edit: preconditionFailure("these are not rewritten")
    }
  }

  /// Decodes the gain map of a file.
  private func transcoder(
    of file: ImageFile, _ options: GainMapTranscoder.Options
  ) throws(ImageError) -> GainMapTranscoder {
    try Execution.part(upTo: 0.1) { () throws(ImageError) in try GainMapTranscoder(file, options) }
  }

  private func changed(
    _ file: ImageFile, by change: ConversionPlan.Change
  ) throws(ImageError) -> RewrittenFile {
    switch change {
    case .copy:
      if request.copying == .required { try file.requireDecodableGainMap() }
      return try file.transcoded(as: try file.completed)
    case .edit(let options):
      return try TransformedPair.edited(
        file, options, requiresGainMap: request.gainMap.use == .keep)
    case .transcode(let speed):
      return try JPEGTranscoder(speed: speed, isForAnyProgram: request.gainMap.isExact == true)
        .transcoded(file, to: format)
    case .describe(let flavors):
      try file.requireDecodableGainMap()
      return try describing(file, flavors) { () throws(ImageError) in
        try file.describingGainMap(in: flavors)
      }
    case .rotate(let rotation, let flavors):
      if request.copying == .required || flavors != nil { try file.requireDecodableGainMap() }
      return try describing(file, flavors) { () throws(ImageError) in
        try file.rotating(by: rotation, describingGainMapIn: flavors)
      }
    }
  }

  /// Adds to an error the flavors that the gain map could have if it were encoded again.
  private func describing(
    _ file: ImageFile, _ flavors: Set<GainMapFlavor>?,
    _ body: () throws(ImageError) -> RewrittenFile
  ) throws(ImageError) -> RewrittenFile {
    do throws(ImageError) { return try body() } catch {
      throw error.naming(try ifReadable(try file.gainMaps().applicable), flavors)
    }
  }

  /// Adds a gain map, which is rotated like the baseline image.
  private func joined(
    _ file: ImageFile, _ map: SeparateGainMap, _ options: GainMapTranscoder.Options?
  ) throws(ImageError) -> RewrittenFile {
    let base = try file.contents()
    try base.rejectCMYK()
    let flavors = request.gainMap.flavors.map(Set.init)
    let (contents, rotation, rotated): (FileContents, Orientation, ImageFile?)
    do throws(ImageError) {
      contents = try map.file.contents()
      try contents.rejectCMYK()
      rotation = GainMapShape.rotation(base: base, map: contents, map.metadata)
      rotated = try Self.rotated(map.file, by: rotation)
      guard rotation == .upright || rotated != nil || options != nil else {
        let stored = base.primary.orientation
        throw ImageError(
          .joinOrientationDiffers,
          ["map": rotation.followed(by: stored).rawValue, "base": stored.rawValue])
      }
    } catch {
      throw error.inFile(map.name)
    }
    do throws(ImageError) {
      var result =
        if let options {
          try GainMapTranscoder.joined(
            base: file, map: rotated ?? map.file, map.metadata, options,
            rotation: rotated == nil ? rotation : .upright)
        } else {
          try file.joining(rotated ?? map.file, map.metadata, in: flavors)
        }
      if let misfit = GainMapShape.notice(base: base, map: contents, map.metadata) {
        result.notices.append(misfit)
      }
      return result
    } catch {
      throw (options == nil ? error.inFile(map.name) : error).naming(map.metadata, flavors)
    }
  }

  /// The gain map rotated without loss; `nil` if it need not or cannot be.
  private static func rotated(
    _ file: ImageFile, by rotation: Orientation
  ) throws(ImageError) -> ImageFile? {
    guard rotation != .upright else { return nil }
    return try file.rotatingImage(by: rotation)
  }

  /// The file without gain maps that are left out: those that cannot be read, or all.
  private func prepared(
    _ file: ImageFile, dropsGainMap: Bool
  ) throws(ImageError) -> (file: ImageFile, notices: [Notice], dropped: FoundGainMap?) {
    if request.copying == .required {
      guard dropsGainMap else { return (file, [], nil) }
      let flat = try file.droppingGainMaps()
      return (flat.file, flat.notices, try file.gainMaps().maps.first)
    }
    let (whole, notices) = try file.withoutUnreadableGainMaps ?? (file, [])
    guard dropsGainMap, let map = try whole.gainMaps().maps.first else {
      return (whole, notices, nil)
    }
    let flat = try whole.droppingGainMaps()
    return (flat.file, notices + flat.notices + [Notice(.convertGainMapDropped)], map)
  }
}

extension ImageError {
  /// The error with the flavors that the gain map could have if it were encoded again.
  fileprivate func naming(_ map: FoundGainMap?, _ flavors: Set<GainMapFlavor>?) -> ImageError {
    guard category == .invalidArgument, let map, let flavors else { return self }
    let exact = map.flavorsIfRequantized(for: flavors)
    guard !exact.isEmpty else { return self }
    var error = self
    let names = GainMapFlavor.allCases.filter(exact.contains)
    error.parameters.values["exact"] = .list(names.map { .text($0.rawValue) })
    return error
  }
}

extension ConversionResult: CustomStringConvertible {
  /// The format and the notices, a line each.
  public var description: String {
    ([format.title] + notices.map(\.description)).joined(separator: "\n")
  }
}
