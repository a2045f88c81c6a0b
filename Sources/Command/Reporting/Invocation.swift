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

  /// The metadata that `--strip` names.
  private let stripped: Set<String>
  /// The option `--strip` as a command takes it, if it is given.
  var stripOption: String? {
    stripped.isEmpty ? nil : "--strip \(stripped.sorted().joined(separator: ",").asArgument)"
  }

  /// Whether the command removes all metadata.
  var stripsAll: Bool { stripped.contains("all") }

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
    output = Self.values(of: ["-o", "--output"], in: arguments).first
    isVerbose = arguments.prefix { $0 != "--" }.contains {
      $0 == "--verbose" || $0.wholeMatch(of: #/-[fnbr]*v[fnbr]*/#) != nil
    }
    wantsJSON = arguments.prefix { $0 != "--" }.contains("--json")
    format = Self.values(of: ["--to"], in: arguments).first
    stripped = Set(
      Self.values(of: ["--strip"], in: arguments).flatMap { $0.split(separator: ",") }
        .map(String.init))
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

  /// An option of metadata as it was given: `--strip exif` in place of `--set exif`.
  func spelling(of option: String) -> String {
    let words = option.split(separator: " ").map(String.init)
    guard words.count == 2, words[0] == RequestKeys.set.name, stripped.contains(words[1]) else {
      return option
    }
    return "--strip \(words[1])"
  }

  private static func values(of names: Set<String>, in arguments: [String]) -> [String] {
    arguments.enumerated().compactMap { index, word in
      if names.contains(word), index + 1 < arguments.count { return arguments[index + 1] }
      guard let equals = word.firstIndex(of: "="), names.contains(String(word[..<equals])) else {
        return nil
      }
      return String(word[word.index(after: equals)...])
    }
  }
}
