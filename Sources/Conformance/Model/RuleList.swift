/// The list of all rules as a page, from which `Documentation/Rules.md` is made.
public enum RuleList {
  /// Markdown, a table for each standard.
  public static var markdown: String {
    var lines = [
      "# Rules",
      "",
      "What `hdrconvert validate` holds files against. Made by `hdrconvert validate --rules`; do not",
      "edit.",
      "",
      "A *must* is demanded by a standard, a *should* recommended; what is *ours* would make a file",
      "contradict itself, or make well-known readers stumble. The verdict is that on a file that",
      "breaks the rule. Requirements of ISO 22028-5 are our reading of open sources; their ids are",
      "those that notices of `convert` name.",
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
