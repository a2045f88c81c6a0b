internal import ArgumentParser
internal import HDRConversion
internal import ImageFiles

/// The output file.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Output file; - for standard output.", valueName: "out"))
  var output: String

  @Flag(name: .shortAndLong, help: "Replace the output if it exists.")
  var force = false

  var file: OutputFile { OutputFile(path: output, mayReplace: force) }
}
