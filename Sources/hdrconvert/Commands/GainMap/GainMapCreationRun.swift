// SPDX-License-Identifier: Apache-2.0
internal import ImageReports
internal import Platform
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles
internal import RAWDevelop

/// The creation of one file with a gain map, by `gainmap create` and by `convert` to JPEG.
struct GainMapCreationRun {
  /// Name of the HDR image.
  let hdr: String
  /// Name of the SDR image; `nil` to compute it.
  var sdr: String?
  let output: String
  let mayReplace: Bool
  let options: GainMapEncoder.Options
  let opening: OpeningOptions
  let reporting: ReportingOptions
  let privacy: PrivacyOptions
  let raw: RAWOptions
  /// Exposure in stops: of a raw file before its tone curve, otherwise of the linear values.
  var exposure = 0.0
  /// Whether the SDR image of a raw file is tone mapped instead of developed.
  var toneMapsRaw = false
  /// The file of the HDR image, if it is open already.
  var file: ImageFile?
  /// Whether sizes and the measured error are printed.
  var printsMeasurements = true
  /// Notices about the arguments.
  var notices: [Notice] = []

  /// The created file and all notices about it.
  private struct Created {
    let result: GainMapEncoder.Result
    let notices: [Notice]
  }

  /// Creates, writes and reports.
  ///
  /// - Throws: The failure that ends the command.
  func run() throws {
    try reporting.check(output: output)
    let file = OutputFile(path: output, mayReplace: mayReplace)
    try file.ensureWritable()
    let progress = Progress(reporting.progress, label: hdr)
    defer { progress.finish() }
    progress.update(.progress(.reading, 0))
    let created = try created(progress)
    let count = try during(.writing, output) { () throws(ImageError) in
      try file.write { sink throws(ImageError) in try sink.append(created.result.bytes) }
    }
    progress.complete()
    InputReport.add { $0.light = created.result.lightLevels }
    Console.report(created.notices, input: hdr, isQuiet: reporting.quiet)
    let report = GainMapCreationReport(
      hdr: hdr, sdr: sdr, output: output, format: options.format, byteCount: count, created.result,
      notices: created.notices)
    guard reporting.json else {
      if printsMeasurements, !reporting.quiet { Console.add(report.lines) }
      return
    }
    try JSONReport(inputs: [hdr, sdr].compactMap(\.self), results: [report]).print()
  }

  /// Creates the file in memory.
  ///
  /// - Throws: The failure that ends the command.
  private func created(_ progress: Progress) throws -> Created {
    let images = try images()
    let encoder = try during(.writing, output) { () throws(ImageError) in
      var options = options
      if !images.hdr.isDeveloped { options.exposure = exposure }
      return try GainMapEncoder(options)
    }
    let result = try during(.reading, hdr) { () throws(ImageError) in
      try encoder.run(hdr: images.hdr, sdr: images.sdr, progress: progress.update)
    }
    let located = result.notices.map { notice in
      // Their remedies are commands with the name of the file.
      let ids: Set = ["create/colors-outside-base", "create/sdr-not-kept"]
      guard ids.contains(notice.code.id) else { return notice }
      var notice = notice
      notice.location.file = hdr
      return notice
    }
    return Created(result: result, notices: notices + located + images.notices)
  }

  private struct Images {
    var hdr: SourceImage
    var sdr: SourceImage?
    /// Metadata of the files that are not copied, and options without effect.
    var notices: [Notice]
  }

  /// Opens both images; both are developed of a raw file that is given alone.
  private func images() throws(Failure) -> Images {
    let given = file
    let file = try during(.reading, hdr) { () throws(ImageError) in
      let file = if let given { given } else { try openImage(hdr, options: opening) }
      // An SDR image that is given has the exposure of the HDR image as it is.
      if !file.isRaw { try raw.refuse(exposure == 0 || sdr == nil ? nil : "--exposure") }
      return file
    }
    func developed(isStandard: Bool) throws(Failure) -> SourceImage {
      var development = raw.development(exposure: exposure, isStandard: false)
      if isStandard {
        development.extendedDynamicRangeAmount = 0
        development.isStandardLookToneMapped = !raw.usesCurveOfAdobe
      }
      return try during(.reading, hdr) { () throws(ImageError) in
        try SourceImage.open(file, developing: development)
      }
    }
    var bright = try developed(isStandard: false)
    var notices = bright.notCopied(of: hdr)
    if file.isRaw, opening.assumed != nil {
      notices.append(Notice(.rawAssumedColorNotUsed, at: .init(file: hdr)))
    }
    notices += try during(.reading, hdr) { () throws(ImageError) in
      try privacy.apply(to: &bright, keepsMetadata: sdr == nil)
    }
    guard let sdr else {
      guard file.isRaw, !raw.sceneLinear, !toneMapsRaw else {
        return Images(hdr: bright, notices: notices)
      }
      var standard = try developed(isStandard: true)
      guard standard.image.color.transfer != .linear else {
        return Images(hdr: bright, notices: notices)
      }
      _ = try during(.reading, hdr) { () throws(ImageError) in
        try privacy.apply(to: &standard, keepsMetadata: false)
      }
      return Images(hdr: bright, sdr: standard, notices: notices)
    }
    return try during(.reading, sdr) { () throws(ImageError) in
      var standard = try openStandard(sdr, &notices)
      // It is decoded together with the HDR image.
      standard.image = standard.image.inFile(sdr)
      if !file.isRaw, standard.isRotated(against: bright) {
        throw ImageError(
          .createSDRRotated,
          [
            "sdr": .size(standard.uprightSize.width, standard.uprightSize.height),
            "hdr": .size(bright.uprightSize.width, bright.uprightSize.height),
            "suffix": standard.format?.traits.gainMapCodec?.suffix ?? "",
          ])
      }
      if options.keepsCodedBaseline { return Images(hdr: bright, sdr: standard, notices: notices) }
      notices += standard.notCopied(of: sdr)
      notices += try privacy.apply(to: &standard, keepsMetadata: true)
      return Images(hdr: bright, sdr: standard, notices: notices)
    }
  }

  /// Opens the SDR image, to which no assumption applies.
  ///
  /// A file whose coded image is kept is edited before.
  private func openStandard(
    _ path: String, _ notices: inout [Notice]
  ) throws(ImageError) -> SourceImage {
    var opening = opening
    opening.assumed = nil
    let file = try openImage(path, options: opening)
    guard !file.isRaw else {
      throw ImageError(.createSDRIsRaw)
    }
    guard options.keepsCodedBaseline else { return try SourceImage.open(file) }
    guard file.isEditable else {
      var standard = try SourceImage.open(file)
      notices += try privacy.apply(to: &standard, keepsMetadata: true)
      return standard
    }
    let result = try privacy.apply(to: file)
    notices += result.notices
    return try SourceImage.open(result.edited?.file ?? file)
  }
}

extension SourceImage {
  /// Notices about metadata of the file at a path that are not copied.
  fileprivate func notCopied(of path: String) -> [Notice] {
    notCopied.map { notice in
      var notice = notice
      notice.location.file = path
      return notice
    }
  }

  /// Whether the image has the size of another one that is rotated by 90 degrees.
  fileprivate func isRotated(against other: SourceImage) -> Bool {
    let (size, rotated) = (uprightSize, other.uprightSize)
    return size.width != size.height && size == (rotated.height, rotated.width)
  }
}
