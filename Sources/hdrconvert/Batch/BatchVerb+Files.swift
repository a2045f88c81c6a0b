// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion

/// A verb with its own arguments and the usual output, which takes many inputs.
protocol FileVerb: BatchVerb {
  var files: [String] { get set }
  var listing: DryRunOption { get }
}

extension FileVerb {
  var inputPaths: [String] {
    get { files }
    set { files = newValue }
  }

  var listsOutputs: Bool { listing.dryRun }
}

/// A verb that keeps coded images and, without an output, replaces its inputs, of which it takes many.
protocol InPlaceVerb: BatchVerb {
  var files: [String] { get set }
  var output: String? { get set }
  var force: Bool { get set }
  /// Whether the originals stay under another name.
  var backup: Bool { get }
  var progress: ProgressOption { get }
}

extension InPlaceVerb {
  var inputPaths: [String] {
    get { files }
    set { files = newValue }
  }

  /// The output; without a name if the inputs are replaced.
  var target: OutputOptions {
    get {
      var target = OutputOptions()
      (target.given, target.force) = (output, force)
      return target
    }
    set { (output, force) = (newValue.given, newValue.force) }
  }

  /// The file to write; a symbolic link to the input stays a link.
  func outputFile(for input: String) -> OutputFile {
    if let output { return OutputFile(path: output, mayReplace: force) }
    return OutputFile(replacing: input, isAllowed: force, keepsBackup: backup)
  }

  var isInPlace: Bool { true }
  var keepsCodedImages: Bool { true }
  var progressStyle: ProgressStyle { progress.style }
  var progressOption: ProgressOption? { progress }
}
