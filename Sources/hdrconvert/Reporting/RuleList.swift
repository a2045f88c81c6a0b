internal import Conformance

/// The list of all rules as a page, from which `Documentation/Rules.md` is made.
enum RuleList {
  /// Markdown, a table for each standard.
  static var markdown: String {
    var lines = [
      "# Rules",
      "",
      "What `hdrconvert validate` holds files against. Made by `hdrconvert validate --rules`; do not",
      "edit.",
      "",
      "A *must* is demanded by a standard, a *should* recommended; what is *ours* would make a file",
      "contradict itself, or make well-known readers stumble. Requirements of ISO 22028-5 are our",
      "reading of open sources; their ids are those that notices of `convert` name.",
      "",
      "The verdict is that on a file that breaks the rule. A broken *must* fails, a broken *should*",
      "warns; a broken rule of *ours* fails where the file contradicts itself, and warns otherwise. A",
      "rule that fails may only warn of some of what it finds, where no reader minds. Failures make the",
      "status 1, warnings do not.",
      "",
      "`--standard` picks families of rules; `all`, the default, means those that concern the file. A",
      "file that no rule of the standards named concerns is not judged: that is an error, not a pass.",
      "",
      "Sources give clauses where a public text or implementation names them, else the box or subject",
      "that the standard defines.",
    ]
    for standard in Standard.allCases {
      let rules = Rule.all.filter { $0.standard == standard }
      lines += [
        "", "## \(standard.title)", "",
        "`--standard \(standard.rawValue)`: \(rules.count) rules.", "",
        "| Rule | Level | Verdict | What holds | Source |", "|---|---|---|---|---|",
      ]
      lines += rules.map { rule in
        let cells = [
          "`\(rule.id)`", rule.level.rawValue, rule.violation.rawValue, rule.title, rule.source,
        ]
        return "| " + cells.joined(separator: " | ") + " |"
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
