internal import ArgumentParser
internal import Foundation
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles
internal import RAWDevelop

/// One input converted to one output: what the verbs that make pictures have in common.
struct ConversionRun {
  let input: String
  let output: String
  let mayReplace: Bool
  let options: ConversionOptions
  let opening: OpeningOptions
  let reporting: ReportingOptions
  /// What becomes of raw files; `nil` for what they ask for themselves.
  var raw: RAWOptions?
  /// The input, where it is open already.
  var file: ImageFile?

  /// Converts, writes, and tells people what they should know.
  ///
  /// - Parameter prepare: Called with the document before it is converted.
  /// - Returns: What came out, and the size of its file.
  /// - Throws: What `prepare` throws, and whatever ends the command.
  func run(
    prepare: (inout SourceImage) throws(ImageError) -> Void = { _ in }
  ) throws -> (written: ImageConverter.Written, byteCount: Int) {
    try reporting.check(output: output)
    let target = OutputFile(path: output, mayReplace: mayReplace)
    try target.ensureWritable()
    let progress = Progress(reporting.progress, label: input)
    defer { progress.finish() }
    var (written, byteCount) = try convert(to: target, progress, prepare)
    written.notices = nameNotices + written.notices
    progress.finish()
    if !reporting.quiet { Console.report(written.notices) }
    return (written, byteCount)
  }

  private func convert(
    to target: OutputFile, _ progress: Progress,
    _ prepare: (inout SourceImage) throws(ImageError) -> Void
  ) throws(Failure) -> (ImageConverter.Written, byteCount: Int) {
    var options = options
    var notCopied: [Notice] = []
    let document = try during(.reading, input) { () throws(ImageError) in
      let file = if let file { file } else { try openImage(input, options: opening) }
      var development = RawDevelopment()
      if !file.isRaw { try raw?.refuse() }
      if file.isRaw, let raw {
        // Before the tone curve, not behind it.
        development = raw.development(
          exposure: options.exposure, isStandard: options.isForStandardDisplays)
        options.exposure = 0
      }
      var document = try SourceImage.open(file, developing: development)
      try prepare(&document)
      notCopied = document.notCopied
      return document
    }
    var written: ImageConverter.Written?
    var reading: ImageError?
    do throws(ImageError) {
      let byteCount = try target.write { sink throws(ImageError) in
        do throws(ImageConverter.Failure) {
          written = try ImageConverter(options).write(document, to: sink) { share in
            progress.show(share, stage: share < 1 ? "converting" : "encoding")
          }
        } catch {
          if case .reading(let cause) = error { reading = cause }
          throw error.cause
        }
      }
      guard var written else { preconditionFailure("a file without a picture") }
      written.notices += notCopied
      return (written, byteCount)
    } catch {
      throw reading.map { Failure($0.inFile(input), stage: .reading) }
        ?? Failure(error.inFile(output), stage: .writing)
    }
  }

  /// What is odd about the output's name.
  private var nameNotices: [Notice] {
    let suffix = (output as NSString).pathExtension
    guard let named = FileFormat(suffix: suffix), named != options.format else { return [] }
    return [
      Notice(.outputSuffixDiffers, ["suffix": suffix, "format": options.format.title])
    ]
  }
}
