internal import ArgumentParser
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles
internal import RAWDevelop

/// `hdrconvert inspect IN...`.
struct Inspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what files hold and what their samples mean.",
    discussion: """
      Nothing is decoded but for --measure, so that files are shown whose codec is not in this build.

      examples:
        hdrconvert inspect photo.avif
        hdrconvert inspect --structure IMG_0001.HEIC
        hdrconvert inspect --explain IMG_0001.HEIC
        hdrconvert inspect --measure --json *.heic
      """)

  @Argument(help: ArgumentHelp("The pictures; - for standard input.", valueName: "in"))
  var files: [String]

  @Flag(help: "Show the boxes, segments, chunks or directories of the file.")
  var structure = false

  @Flag(help: "Say where each number comes from, and what else the file says.")
  var explain = false

  @Flag(help: "Decode the picture and measure its light.")
  var measure = false

  @Flag(help: "Report as JSON.")
  var json = false

  @OptionGroup(title: "Input and limits") var inputs: InputOptions

  func run() throws {
    let opening = try inputs.opening()
    var reports: [InspectionReport] = []
    var failures: [FailureReport] = []
    for file in files {
      do {
        let inspected = try during(.reading, file) { () throws(ImageError) in
          try inspect(file, opening)
        }
        if json {
          reports.append(InspectionReport(inspected))
        } else {
          show(inspected)
        }
      } catch {
        guard files.count > 1 else { throw error }
        error.report()
        failures.append(FailureReport(error, of: file))
      }
    }
    if json { try printJSON(InspectionReports(files: reports, failures: failures)) }
    if !failures.isEmpty { throw ExitCode(1) }
  }

  private func inspect(
    _ file: String, _ opening: OpeningOptions
  ) throws(ImageError) -> InspectedFile {
    let image = try openImage(file, options: opening)
    let (contents, raw) = try image.contentsWithRaw()
    var inspected = InspectedFile(name: file, contents: contents, raw: raw)
    if structure { inspected.structure = try image.structure() }
    if measure {
      let document = try SourceImage.open(image, developing: RawDevelopment())
      inspected.light = try document.image.lightLevels()
    }
    return inspected
  }

  private func show(_ file: InspectedFile) {
    let text = InspectionText(
      file: file.name, inspection: file.contents, raw: file.raw, light: file.light,
      explains: explain)
    Console.print(text.lines)
    if let structure = file.structure { Console.print(structure.lines()) }
  }
}

/// A file, as far as `inspect` was asked about it.
struct InspectedFile {
  /// The name that people gave.
  let name: String
  let contents: FileContents
  /// How a raw file is developed.
  let raw: RawInspection?
  var structure: StructureNode?
  /// Of the primary image, if it was measured.
  var light: LightLevels?
}
