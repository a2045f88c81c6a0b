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
        let (inspection, raw, light) = try during(.reading, file) { () throws(ImageError) in
          try inspect(file, opening)
        }
        if json {
          reports.append(
            InspectionReport(
              file: file, inspection, raw: raw, light: light, showsStructure: structure))
        } else {
          show(file, inspection, raw, light)
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
  ) throws(ImageError) -> (FileInspection, RawInspection?, LightLevels?) {
    let source = try openInput(file, limits: opening.limits)
    let (inspection, raw) = try FileInspection.inspectDeeply(source, options: opening)
    guard measure else { return (inspection, raw, nil) }
    let document = try PictureDocument.open(
      source, options: opening, developing: RawDevelopment())
    return (inspection, raw, try document.base.measureLight(threads: opening.threads))
  }

  private func show(
    _ file: String, _ inspection: FileInspection, _ raw: RawInspection?, _ light: LightLevels?
  ) {
    let text = InspectionText(
      file: file, inspection: inspection, raw: raw, light: light, explains: explain)
    Console.print(text.lines)
    if structure { Console.print(inspection.structure.lines()) }
  }
}
