// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Platform
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles
internal import RAWDevelop

/// The conversion of one input to one output, as all converting verbs run it.
struct ConversionRun {
  let input: String
  let output: String
  let mayReplace: Bool
  let options: ConversionOptions
  let opening: OpeningOptions
  let reporting: ReportingOptions
  let privacy: PrivacyOptions
  /// Whether `--quality` was given.
  let givesQuality: Bool
  /// Whether `--resize` may enlarge.
  let mayEnlarge: Bool
  /// Development of raw files; `nil` for the defaults of each file.
  var raw: RAWOptions?
  /// The input, if it is open already.
  var file: ImageFile?
  /// Notices about the arguments.
  var notices: [Notice] = []

  /// Converts, writes, and reports notices.
  ///
  /// - Parameter prepare: Called with the document before it is converted.
  /// - Returns: The written image, and the size of its file in bytes.
  /// - Throws: Errors of `prepare`, and the failure that ends the command.
  func run(
    prepare: (inout SourceImage) throws(ImageError) -> Void = { _ in }
  ) throws -> (written: ImageConverter.Written, byteCount: Int) {
    try reporting.check(output: output)
    let target = OutputFile(path: output, mayReplace: mayReplace)
    try target.ensureWritable()
    let progress = Progress(reporting.progress, label: input)
    defer { progress.finish() }
    var (written, byteCount) = try convert(to: target, progress, prepare)
    written.notices = notices + nameNotices + written.notices
    if givesQuality, !options.format.traits.hasQuality || options.encoder.isLossless {
      written.notices.append(
        Notice(.encodeQualityNotUsed, ["format": options.format.title]))
    }
    progress.complete()
    InputReport.add { $0.light = written.lightLevels }
    Console.report(written.notices, input: input, isQuiet: reporting.quiet)
    return (written, byteCount)
  }

  private func convert(
    to target: OutputFile, _ progress: Progress,
    _ prepare: (inout SourceImage) throws(ImageError) -> Void
  ) throws(Failure) -> (ImageConverter.Written, byteCount: Int) {
    var options = options
    var notCopied: [Notice] = []
    progress.update(.progress(.reading, 0))
    let document = try during(.reading, input) { () throws(ImageError) in
      let file = if let file { file } else { try openImage(input, options: opening) }
      var development = RawDevelopment()
      if !file.isRaw { try raw?.refuse() }
      if file.isRaw, let raw {
        // Exposure is applied before the tone curve.
        development = raw.development(
          exposure: options.exposure, isStandard: options.isForStandardDisplays)
        options.exposure = 0
      }
      var document = try SourceImage.open(file, developing: development)
      try prepare(&document)
      notCopied += try privacy.apply(to: &document, &options)
      let size = document.uprightSize
      let smaller = options.geometry.withoutEnlarging(size)
      if !mayEnlarge, smaller != options.geometry {
        options.geometry = smaller
        notCopied.append(
          Notice(.geometryNotEnlarged, ["size": .size(size.width, size.height)]))
      }
      notCopied += document.notCopied
      return document
    }
    var written: ImageConverter.Written?
    var reading: ImageError?
    do throws(ImageError) {
      let byteCount = try target.write { sink throws(ImageError) in
        do throws(ImageConverter.Failure) {
          written = try ImageConverter(options).write(document, to: sink, progress: progress.update)
        } catch {
          if case .reading(let cause) = error { reading = cause }
          throw error.cause
        }
      }
      guard var written else { preconditionFailure("a file was written without an image") }
      written.notices += notCopied
      return (written, byteCount)
    } catch {
      throw reading.map { Failure($0.inFile(input), stage: .reading) }
        ?? Failure(error.inFile(output), stage: .writing)
    }
  }

  /// The notice about a suffix of another format than the file has.
  private var nameNotices: [Notice] {
    let suffix = output.fileSuffix
    guard let named = FileFormat(suffix: suffix), named != options.format else { return [] }
    return [
      Notice(.outputSuffixDiffers, ["suffix": suffix, "format": options.format.title])
    ]
  }
}
