// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Conformance

@Suite("All rules") struct RuleListTests {
  @Test func identifiersAreUniqueAndOfTheirFamily() {
    let ids = Rule.all.map(\.id)
    #expect(Set(ids).count == ids.count)
    let families: [Standard: Set<String>] = [
      .iso22028: ["22028-5"], .iso21496: ["21496-1"], .heif: ["heif", "miaf"], .avif: ["avif"],
      .png: ["png"], .jpeg: ["jpeg", "uhdr"], .jpegXL: ["jpegxl"],
      .jpegXR: ["jpegxr"], .icc: ["icc"], .dng: ["dng"],
    ]
    for rule in Rule.all {
      let family = String(rule.id.prefix { $0 != "/" })
      #expect(families[rule.standard]?.contains(family) == true, "\(rule.id)")
    }
  }

  @Test func effectsAndLevelsDecideClasses() {
    for rule in Rule.all {
      let harmless: Violation = rule.level == .must ? .deviates : .advice
      #expect(rule.harmlessViolation == harmless, "\(rule.id)")
      #expect(rule.violation == (rule.effect == nil ? harmless : .broken), "\(rule.id)")
      #expect(rule.exception == nil || rule.effect != nil, "\(rule.id)")
    }
  }
}
