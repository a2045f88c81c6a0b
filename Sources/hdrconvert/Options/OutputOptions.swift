internal import ArgumentParser
internal import HDRConversion
internal import ImageFiles

/// Which file to write.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write; - for standard output.", valueName: "out"))
  var output: String

  @Flag(name: .shortAndLong, help: "Replace the output if it exists.")
  var force = false

  var file: OutputFile { OutputFile(path: output, mayReplace: force) }
}
