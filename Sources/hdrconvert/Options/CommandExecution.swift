// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRCore

/// A verb that takes `--jobs` and the limits of inputs.
protocol MultithreadedCommand: ParsableCommand {
  var inputs: InputOptions { get }
}

extension LimitOptions {
  /// The execution of a verb with a number of inputs.
  fileprivate func execution(
    threads: Int? = nil, inputs: Int
  ) throws(ValidationError) -> Execution {
    Execution(
      threads: threads, limits: try limits(), budget: try budget(inputs: inputs),
      isolation: try isolation())
  }
}

extension ParsableCommand {
  /// Number of threads and limits that the verb is to run with.
  var execution: Execution {
    get throws {
      switch self {
      case let verb as any MultithreadedCommand:
        try verb.inputs.costs.execution(
          threads: try verb.inputs.threading.threads(), inputs: inputNames.count)
      case let verb as ExtractGainMap:
        try verb.costs.execution(
          threads: try verb.threading.threads(), inputs: inputNames.count)
      case let verb as FlattenGainMap: try verb.costs.execution(inputs: inputNames.count)
      case let verb as Extract: try verb.costs.execution(inputs: inputNames.count)
      default: Execution()
      }
    }
  }

  /// Names of the inputs, as they were given.
  var inputNames: [String] {
    switch self {
    case let verb as CreateGainMap: [verb.sdr, verb.hdr].compactMap(\.self) + verb.files
    case let verb as any BatchVerb: verb.inputPaths
    case let verb as ExtractGainMap: [verb.input]
    case let verb as JoinGainMap: [verb.base, verb.map]
    case let verb as Inspect: verb.files
    case let verb as Sheet: verb.files
    case let verb as JournalCommand: verb.journals
    case let verb as Compare: [verb.first, verb.second]
    default: []
    }
  }
}
