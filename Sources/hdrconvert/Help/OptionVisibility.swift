// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

extension ArgumentVisibility {
  /// Options that `help VERB` omits and `help VERB --all` lists.
  ///
  /// Completion scripts contain them, though ArgumentParser leaves hidden options out.
  static let inFull: ArgumentVisibility =
    CommandLine.arguments.contains("--generate-completion-script") ? .default : .hidden
}
