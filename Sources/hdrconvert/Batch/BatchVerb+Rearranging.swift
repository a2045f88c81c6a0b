// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion

/// Outputs of many inputs whose coded images are kept.
struct RearrangedOutputs: ParsableArguments {
  @OptionGroup var batch: BatchOptions
  @OptionGroup var listing: DryRunOption

  @Option(
    help: .full("Format of the outputs of many inputs (default: that of the input).", "format"))
  var to: String?

  @OptionGroup var progress: ProgressOption

  func validate() throws {
    guard to == nil || batch.outDir != nil || batch.name != nil else {
      throw ValidationError("--to requires --out-dir or --name; the suffix of --output is a format")
    }
  }
}

/// A verb that keeps coded images, which takes many inputs.
protocol RearrangingVerb: BatchVerb, RequestVerb {
  var files: RewritingOptions { get set }
  var reporting: ReportOptions { get }
}

extension RearrangingVerb {
  var given: RequestOption { files.target.given }
  var printsDigests: Bool { files.target.verbose }

  var inputPaths: [String] {
    get { files.files }
    set { files.files = newValue }
  }

  var target: OutputOptions {
    get { files.target.target }
    set { files.target.target = newValue }
  }

  var batch: BatchOptions { files.many.batch }
  var listsOutputs: Bool { files.many.listing.dryRun }
  var progressStyle: ProgressStyle { files.many.progress.style }
  var progressOption: ProgressOption? { files.many.progress }
  var wantsJSON: Bool { reporting.json }
  var isQuiet: Bool { reporting.quiet }

  func outputSuffix(of input: String) throws -> String {
    guard let format = files.many.to else { return input.fileSuffix }
    return try suffix(of: format)
  }
}
