// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion

/// The output file.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: .text("Output file; - for standard output.", "out"))
  var given: String?

  @Flag(name: .shortAndLong, help: "Replace the output if it exists.")
  var force = false

  /// The name of the output; empty if none was given, which verbs refuse.
  var output: String { given ?? "" }

  /// Fails without an output.
  func checkIsGiven() throws(ValidationError) {
    guard given != nil else { throw ValidationError("missing argument: --output <out>") }
  }

  /// The notice about a suffix of another format than the output has.
  func suffixNotice(for format: FileFormat) -> [Notice] {
    let suffix = output.fileSuffix
    guard let named = FileFormat(suffix: suffix), named != format else { return [] }
    return [Notice(.outputSuffixDiffers, ["suffix": suffix, "format": format.title])]
  }

  var file: OutputFile { OutputFile(path: output, mayReplace: force) }
}
