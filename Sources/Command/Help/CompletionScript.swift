// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// Scripts for completion by shells, in which files complete inputs, and options of `convert` the
/// form without a verb.
///
/// The scripts of ArgumentParser complete neither.
enum CompletionScript {
  /// The script that `--generate-completion-script SHELL` requests; `nil` for other arguments.
  static func text(for arguments: [String]) -> String? {
    guard arguments.count == 2, arguments[0] == "--generate-completion-script",
      let shell = CompletionShell(rawValue: arguments[1])
    else { return nil }
    let script = HDRConvert.completionScript(for: shell)
    return switch shell {
    case .bash: bash(script)
    case .zsh: zsh(script)
    case .fish: fish(script)
    default: script
    }
  }

  private static func bash(_ script: String) -> String {
    script
      .replacing(#/# Offer subcommand completions\n +(COMPREPLY.*)\n/#, maxReplacements: 1) {
        """
        # The first word is a verb, or a file or an option of the default verb
                if [[ "${COMP_CWORD}" -eq 1 ]]; then
                    \($0.output.1)
                    __hdrconvert_add_completions -f
                fi
                unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")
                _hdrconvert_convert

        """
      }
      .replacing("complete -o filenames", with: "complete -o default -o filenames")
  }

  private static func zsh(_ script: String) -> String {
    let verb = #""_hdrconvert_${words[1]}" && ret=0"#
    return
      script
      .replacing(
        "_describe -V subcommand subcommands && ret=0",
        with: """
          _describe -V subcommand subcommands && ret=0
                  _files && ret=0
          """, maxReplacements: 1
      )
      .replacing(
        verb + "\n            ;;",
        with: verb + """

                      ;;
                  *)
                      _hdrconvert_convert && ret=0
                      ;;
          """, maxReplacements: 1
      )
      // Values that the parser does not list.
      .replacing(":'\n", with: ":_files'\n")
  }

  private static func fish(_ script: String) -> String {
    guard let convert = script.firstMatch(of: #/case 'convert'\n +(.*)\n/#)?.output.1 else {
      return script
    }
    let help = "        case 'help'\n            __hdrconvert_parse_subcommand -r 1 'version'\n"
    return
      script
      .replacing(
        help,
        with: help + """
                  case '*'
                      if test (count $unparsed_tokens) -gt 0
                          set -p unparsed_tokens convert
                          \(convert)
                      end

          """, maxReplacements: 1
      )
      .replacing(
        "complete -c 'hdrconvert' -f\n",
        with: "complete -c 'hdrconvert' -n '__hdrconvert_should_offer_completions_for_positional "
          + "\"hdrconvert\" -eq 1' -F\n"
      )
      // Values that the parser does not list.
      .replacing("-rfka ''", with: "-r")
  }
}
