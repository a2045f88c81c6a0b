// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles
internal import ImageReports

/// `hdrconvert inspect IN...`.
struct Inspect: MultithreadedCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show what a file contains, how bright it is, and what opens it in HDR.",
    usage: "hdrconvert inspect [<options>] <in> ...",
    discussion: """
      Viewers are from a dated table, Documentation/Viewers.md. Samples are decoded for --measure \
      only.

      examples:
        hdrconvert inspect photo.avif
        hdrconvert inspect --structure IMG_0001.HEIC
        hdrconvert inspect --explain IMG_0001.HEIC
        hdrconvert inspect --measure --json *.heic
      """)

  @Argument(help: .text("Files; - for standard input.", "in"))
  var files: [String]

  @Flag(help: "Show boxes, segments, chunks or directories.")
  var structure = false

  @Flag(
    name: [.long, .customShort("v"), .customLong("verbose")],
    help: "Show details: coding, sources of values, gain maps, light metadata, notices.")
  var explain = false

  @Flag(help: "Decode the image and measure its light levels.")
  var measure = false

  @Flag(help: "Report as JSON.")
  var json = false

  @OptionGroup(title: "Input and limits", visibility: .inFull) var inputs: InputOptions

  func run() throws {
    let opening = try inputs.opening()
    var reports: [InspectionReport] = []
    var failures: [FailureReport] = []
    for file in files {
      defer { Execution.current.budget.finishFile() }
      do {
        let inspected = try during(.reading, file) { () throws(ImageError) in
          try inspect(file, opening)
        }
        if json {
          reports.append(
            InspectionReport(inspected) { Remedies.remedy(for: $0, of: .current) })
        } else {
          show(inspected)
        }
      } catch {
        guard files.count > 1 else { throw error }
        error.report()
        failures.append(FailureReport(error, of: file))
      }
    }
    if json { try JSONReport(inputs: files, results: reports, failures: failures).print() }
    if !failures.isEmpty { throw ExitCode(1) }
  }

  private func inspect(
    _ file: String, _ opening: OpeningOptions
  ) throws(ImageError) -> InspectedFile {
    try InspectedFile(
      try openImage(file, options: opening), named: file, showsStructure: structure,
      measuresLight: measure)
  }

  private func show(_ file: InspectedFile) {
    let text = InspectionText(
      file: file.name, inspection: file.contents, raw: file.raw, light: file.light,
      explains: explain)
    Console.print(text.lines)
    if let structure = file.structure { Console.print(structure.lines()) }
  }
}
