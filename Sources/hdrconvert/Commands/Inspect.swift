internal import ArgumentParser
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers

/// `hdrconvert inspect IN...`.
struct Inspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what files hold and what their samples mean.",
    discussion: """
      examples:
        hdrconvert inspect photo.avif
        hdrconvert inspect --measure --json *.heic
      """)

  @Argument(help: ArgumentHelp("The pictures; - for standard input.", valueName: "in"))
  var files: [String]

  @Flag(help: "Decode the picture and measure its light.")
  var measure = false

  @Flag(help: "Report as JSON.")
  var json = false

  @OptionGroup(title: "Input and limits") var inputs: InputOptions

  func run() throws {
    let opening = try inputs.opening()
    var reports: [InspectionReport] = []
    var failure: Failure?
    for file in files {
      do {
        let report = try during(.reading, file) { () throws(ImageError) in
          try inspect(file, opening)
        }
        if !json { Console.print(report.text) }
        reports.append(report)
      } catch {
        guard files.count > 1 else { throw error }
        error.report()
        failure = error
      }
    }
    if json { try printJSON(InspectionReports(files: reports)) }
    if failure != nil { throw ExitCode(1) }
  }

  private func inspect(
    _ file: String, _ opening: OpeningOptions
  ) throws(ImageError) -> InspectionReport {
    let source = try openInput(file, limits: opening.limits)
    let document = try PictureDocument.open(source, options: opening)
    let light = measure ? try document.base.measureLight(threads: opening.threads) : nil
    return InspectionReport(file: file, byteCount: source.count, document: document, light: light)
  }
}
