// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

extension ArgumentVisibility {
  /// Options that `help VERB` omits and `help VERB --all` lists.
  static var inFull: ArgumentVisibility { OptionVisibility.isComplete ? .default : .hidden }
}

extension ArgumentHelp {
  /// The text of an option or argument, and the name of its value.
  static func text(_ text: String, _ value: String? = nil) -> ArgumentHelp {
    ArgumentHelp(text, valueName: value)
  }

  /// As `text`, for an option that only `help VERB --all` lists.
  static func full(_ text: String, _ value: String? = nil) -> ArgumentHelp {
    ArgumentHelp(text, valueName: value, visibility: .inFull)
  }
}

/// Whether ArgumentParser treats all options as visible.
///
/// It leaves hidden options out of completion scripts and their values out of errors.
enum OptionVisibility {
  @TaskLocal static var isComplete =
    CommandLine.arguments.contains("--generate-completion-script")
}

extension ParsableCommand {
  /// The message for an error of the parser, which lists the values of any option.
  static func completeMessage(for error: any Error) -> String {
    OptionVisibility.$isComplete.withValue(true) { message(for: error) }
  }
}
