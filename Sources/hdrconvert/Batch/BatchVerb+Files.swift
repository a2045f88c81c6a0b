// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion

/// A verb with its own arguments and the usual output, which takes many inputs.
protocol FileVerb: BatchVerb {
  var files: [String] { get set }
  var target: OutputOptions { get set }
  var listing: DryRunOption { get }
}

extension FileVerb {
  var inputPaths: [String] {
    get { files }
    set { files = newValue }
  }

  var outputPath: String? {
    get { target.given }
    set { target.given = newValue }
  }

  var mayReplace: Bool {
    get { target.force }
    set { target.force = newValue }
  }

  var listsOutputs: Bool { listing.dryRun }
}
