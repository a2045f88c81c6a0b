// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Command

@Suite("Completion scripts") struct CompletionScriptTests {
  private static func script(_ shell: String) throws -> String {
    try #require(CompletionScript.text(for: ["--generate-completion-script", shell]))
  }

  /// The scripts are changed where the parser's text is as expected.
  @Test(
    "files and the default verb are completed",
    arguments: [
      (
        "bash",
        [
          "complete -o default -o filenames", "compgen -W 'convert render",
          "\n        _hdrconvert_convert\n",
        ]
      ),
      (
        "zsh",
        ["_describe -V subcommand subcommands && ret=0\n        _files", "*)\n", "'*:in:_files'"]
      ),
      ("fish", ["set -p unparsed_tokens convert", "-eq 1' -F", "-l 'output' -d"]),
    ])
  func changes(shell: String, texts: [String]) throws {
    let script = try Self.script(shell)
    for text in texts { #expect(script.contains(text), "\(text)") }
    #expect(!script.contains("complete -c 'hdrconvert' -f\n") && !script.contains("-rfka ''"))
  }

  @Test func others() {
    for arguments in [["a.jpg"], ["--generate-completion-script", "tcsh"], []] {
      #expect(CompletionScript.text(for: arguments) == nil)
    }
  }
}
