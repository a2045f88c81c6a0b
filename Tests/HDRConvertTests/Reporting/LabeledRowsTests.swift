// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Command

@Suite("Labeled rows") struct LabeledRowsTests {
  @Test func percentSignsStayWithTheirNumbers() {
    let text = "at most 4.67 in 99 % of the pixels"
    #expect(text.wrapped(to: 19) == ["at most 4.67 in", "99 % of the pixels"])
    #expect(text.wrapped(to: 20) == ["at most 4.67 in 99 %", "of the pixels"])
    #expect("% of all".wrapped(to: 80) == ["% of all"])
  }
}
