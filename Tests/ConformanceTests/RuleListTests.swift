import Conformance
import Testing

@Suite("All rules") struct RuleListTests {
  @Test func identifiersAreUniqueAndOfTheirFamily() {
    let ids = Rule.all.map(\.id)
    #expect(Set(ids).count == ids.count)
    let families: [Standard: Set<String>] = [
      .iso22028: ["22028-5"], .iso21496: ["21496-1"], .heif: ["heif", "miaf"], .avif: ["avif"],
      .png: ["png"], .jpeg: ["jpeg", "uhdr"], .icc: ["icc"],
    ]
    for rule in Rule.all {
      let family = String(rule.id.prefix { $0 != "/" })
      #expect(families[rule.standard]?.contains(family) == true, "\(rule.id)")
    }
  }

  @Test func levelsDecideVerdicts() {
    for rule in Rule.all {
      switch rule.level {
      case .must: #expect(rule.violation == .fail, "\(rule.id)")
      case .should: #expect(rule.violation == .warn, "\(rule.id)")
      case .ours: #expect([.fail, .warn].contains(rule.violation), "\(rule.id)")
      }
    }
  }
}
