// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRCore

/// A verb that takes `--jobs` and the limits of inputs.
protocol MultithreadedCommand: ParsableCommand {
  var inputs: InputOptions { get }
}

extension LimitOptions {
  /// The execution of a verb.
  fileprivate func execution(threads: Int?) throws(ValidationError) -> Execution {
    Execution(threads: threads, limits: try limits(), budget: try budget())
  }
}

extension ParsableCommand {
  /// Number of threads and limits that the verb is to run with.
  var execution: Execution {
    get throws {
      let threads: Int? =
        switch self {
        case let verb as any MultithreadedCommand: try verb.inputs.threading.threads()
        default: nil
        }
      guard let limitOptions else { return Execution() }
      return try limitOptions.execution(threads: threads)
    }
  }

  /// Number of threads and limits of a job, whose process cannot ask the system.
  func execution(of job: Job) throws -> Execution {
    var execution = try execution
    execution.threads = job.threads
    execution.budget = Execution.Budget(memory: job.memory, timeLimit: execution.budget.timeLimit)
    return execution
  }

  /// The limits of the verb; `nil` for one without inputs that are images.
  var limitOptions: LimitOptions? {
    switch self {
    case let verb as any MultithreadedCommand: verb.inputs.costs
    case let verb as FlattenGainMap: verb.costs
    case let verb as Extract: verb.costs
    default: nil
    }
  }

  /// Names of the inputs, as they were given.
  var inputNames: [String] {
    switch self {
    case let verb as CreateGainMap: [verb.sdr, verb.hdr].compactMap(\.self) + verb.files
    case let verb as any InputVerb: verb.inputPaths
    case let verb as ExtractGainMap: [verb.input]
    case let verb as JoinGainMap: [verb.baseline, verb.map]
    case let verb as Sheet: verb.files
    case let verb as JournalCommand: verb.journals
    case let verb as Compare: [verb.first, verb.second]
    default: []
    }
  }
}
