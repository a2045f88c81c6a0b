// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// The parts of the command line that remedies refer to.
struct Invocation {
  /// The verb with its group, such as `gainmap create`.
  var verb: String
  /// The verb of a JSON report: that of the command, or the default one for a group of verbs.
  var verbOfReport: String {
    let words = verb.split(separator: " ").map(String.init)
    let group = HDRConvert.command(named: words)?.configuration.subcommands ?? []
    return group.isEmpty ? verb : Convert._commandName
  }
  /// The name of the output, if there is one.
  var output: String?
  /// The format of the output, if `--to` names it.
  var format: String?

  /// Whether the report is to be JSON.
  var wantsJSON: Bool

  /// Whether all notices are to be printed.
  var isVerbose: Bool

  /// The command line, parsed once; tests replace it.
  @TaskLocal static var whole = Invocation(CommandLine.arguments)

  /// The command line; for one of several inputs, with the output of this input.
  static var current: Invocation { InputReport.current.map { whole.writing($0.output) } ?? whole }

  /// The parts of arguments, of which the first is the name of the command.
  init(_ arguments: [String]) {
    verb = HDRConvert.verb(of: arguments)
    output = Self.value(of: ["-o", "--output"], in: arguments)
    isVerbose = arguments.prefix { $0 != "--" }.contains {
      $0 == "--verbose" || $0.wholeMatch(of: #/-[fnbr]*v[fnbr]*/#) != nil
    }
    wantsJSON = arguments.prefix { $0 != "--" }.contains("--json")
    format = Self.value(of: ["--to"], in: arguments)
  }

  /// Returns the command line of one of several inputs, whose output has a suffix.
  func writing(_ output: String?) -> Invocation {
    var invocation = self
    (invocation.output, invocation.format) = (output, nil)
    return invocation
  }

  /// The output as a command takes it.
  var outputArguments: String? {
    output.map { $0.asArgument + (format.map { " --to " + $0.asArgument } ?? "") }
  }

  private static func value(of names: Set<String>, in arguments: [String]) -> String? {
    for (index, word) in arguments.enumerated() {
      if names.contains(word), index + 1 < arguments.count { return arguments[index + 1] }
      if let equals = word.firstIndex(of: "="), names.contains(String(word[..<equals])) {
        return String(word[word.index(after: equals)...])
      }
    }
    return nil
  }
}
