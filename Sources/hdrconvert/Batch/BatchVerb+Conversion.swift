// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion

/// A verb with the arguments of `convert`, which takes many inputs.
protocol ConvertingVerb: BatchVerb, RequestVerb, MultithreadedCommand {
  var conversion: ConversionArguments { get set }
}

extension ConvertingVerb {
  var given: RequestOption { conversion.given }
  var inputs: InputOptions { conversion.inputs }
  var inputPaths: [String] {
    get { conversion.files }
    set { conversion.files = newValue }
  }

  var target: OutputOptions {
    get { conversion.target }
    set { conversion.target = newValue }
  }

  var batch: BatchOptions { conversion.batch }
  var listsOutputs: Bool { conversion.listing.dryRun }
  var progressStyle: ProgressStyle { conversion.reporting.progress }
  var wantsJSON: Bool { conversion.reporting.json }
  var isQuiet: Bool { conversion.reporting.quiet }

  func outputSuffix(of input: String) throws -> String { try suffix(of: conversion.to) }
}
