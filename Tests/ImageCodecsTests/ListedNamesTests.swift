import Testing

@testable import HDRConversion

@Suite("Lists for notices") struct ListedNamesTests {
  @Test func equalNamesAreCounted() {
    #expect([String]().listed == "")
    #expect(["depth", "matte"].listed == "depth, matte")
    #expect(["matte", "depth", "matte"].listed == "2 x matte, depth")
    #expect(Array(repeating: "matte", count: 16_000).listed == "16000 x matte")
  }

  @Test func longListsEnd() {
    let names = (0..<16_000).map { "n\($0)" }
    #expect(names.listed.hasSuffix("n11, 15988 more"))
    #expect(names.listed.count < 100)
  }
}
