// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HDRConversion

@Suite("Lists for notices") struct ListedNamesTests {
  @Test func equalNamesAreCounted() {
    #expect([String]().grouped == [])
    #expect(["depth", "matte"].grouped == ["depth", "matte"])
    #expect(["matte", "depth", "matte"].grouped == ["2 mattes", "depth"])
    #expect(Array(repeating: "matte", count: 16_000).grouped == ["16000 mattes"])
  }
}
