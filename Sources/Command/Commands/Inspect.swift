// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRCore
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
        hdrconvert inspect --verbose IMG_0001.HEIC
        hdrconvert inspect --measure --json *.heic
      """)

  @Argument(help: .text("Files; - for standard input.", "in"))
  var files: [String]

  @Flag(help: "Show boxes, segments, chunks or directories.")
  var structure = false

  @Flag(
    name: .shortAndLong,
    help: "Show details: coding, sources of values, gain maps, light metadata, notices.")
  var verbose = false

  @Flag(help: "Decode the image and measure its light levels, with its gain map applied in full.")
  var measure = false

  @Flag(help: "Report as JSON.")
  var json = false

  @OptionGroup(title: "Input and limits", visibility: .inFull) var inputs: InputOptions

  func run() throws { try report() }

  func processInput() throws {
    let opening = try inputs.opening()
    let inspected = try during(.reading, input) { () throws(ImageError) in
      try inspect(input, opening)
    }
    guard json else { return show(inspected) }
    let report = InspectionReport(inspected) { Remedies.remedy(for: $0, of: .current) }
    try JSONReport(inputs: files, results: [report]).print()
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
      baselineLight: file.baselineLight, explains: verbose)
    Console.print(text.lines)
    if let structure = file.structure { Console.print(structure.lines()) }
  }
}

extension Inspect: ReadingVerb {
  var inputPaths: [String] {
    get { files }
    set { files = newValue }
  }

  var runsInputsAlone: Bool { files.count > 1 || !measure }
  var needsLibraries: Bool { measure }
  var writesNothing: Bool { true }
  var wantsJSON: Bool { json }

  func alone(_ input: Job.Input) -> Inspect {
    var single = self
    single.files = [input.path]
    return single
  }
}
