// SPDX-License-Identifier: Apache-2.0
import ImageFiles
import Testing

@Suite("Four-character codes") struct FourCCTests {
  @Test func characters() {
    let code: FourCC = "uri "
    #expect(code.rawValue == 0x7572_6920)
    #expect(code.description == "uri ")
    #expect(("ab" as FourCC).rawValue == 0x6162_2020)
    #expect(("abcde" as FourCC).rawValue == 0x6162_6364)
    #expect(FourCC(rawValue: 0xA9_6E_61_6D).description == "0xa96e616d")
  }
}
