internal import ArgumentParser
internal import HDRCore

/// A verb that takes `--jobs` and the limits of inputs.
protocol MultithreadedCommand: ParsableCommand {
  var inputs: InputOptions { get }
}

extension Convert: MultithreadedCommand {
  var inputs: InputOptions { conversion.inputs }
}

extension ApplyGainMap: MultithreadedCommand {
  var inputs: InputOptions { conversion.inputs }
}

extension SwapGainMap: MultithreadedCommand {}
extension CreateGainMap: MultithreadedCommand {}
extension JoinGainMap: MultithreadedCommand {}
extension Compare: MultithreadedCommand {}
extension Inspect: MultithreadedCommand {}
extension Remux: MultithreadedCommand {}
extension Render: MultithreadedCommand {}
extension Sheet: MultithreadedCommand {}
extension Tag: MultithreadedCommand {}
extension Validate: MultithreadedCommand {}

extension ParsableCommand {
  /// Number of threads and limits that the verb is to run with.
  var execution: Execution {
    get throws {
      switch self {
      case let verb as any MultithreadedCommand:
        Execution(threads: try verb.inputs.threads(), limits: try verb.inputs.limits())
      case let verb as ExtractGainMap:
        Execution(threads: try verb.threading.threads(), limits: try verb.costs.limits())
      case let verb as FlattenGainMap: Execution(limits: try verb.costs.limits())
      case let verb as Extract: Execution(limits: try verb.costs.limits())
      default: Execution()
      }
    }
  }
}
