// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

/// Rendering of the English text of a diagnostic from its template.
@Suite("Templates of diagnostics") struct DiagnosticTemplateTests {
  private func rendered(_ template: String, _ value: any DiagnosticParameter) -> String {
    DiagnosticTemplate(template).rendered(with: ["value": value])
  }

  @Test(arguments: [
    (0.063_012, "0.063"), (0.063_165, "0.0632"), (49.261, "49.3"), (203, "203"), (9.999, "10"),
    (1234.5, "1230"), (-0.5, "-0.5"), (0, "0"), (.infinity, "inf"), (1e-9, "1.00e-09"),
  ])
  func numbersHaveThreeDigits(number: Double, text: String) {
    #expect(rendered("{value}", number) == text)
    #expect(rendered("{value stop}", number) == text + " stops")
  }

  @Test(arguments: [
    ("byte", "1 byte", "2 bytes"), ("entry", "1 entry", "2 entries"), ("box", "1 box", "2 boxes"),
    ("cd/m²", "1 cd/m²", "2 cd/m²"), ("%", "1 %", "2 %"), ("kelvin", "1 kelvin", "2 kelvin"),
    ("gain map", "1 gain map", "2 gain maps"), ("Delta E ITP", "1 Delta E ITP", "2 Delta E ITP"),
  ])
  func nounsAgree(noun: String, one: String, two: String) {
    #expect(rendered("{value \(noun)}", 1) == one)
    #expect(rendered("{value \(noun)}", 2) == two)
  }

  @Test func sizesHaveThreeDigitsAndAUnit() {
    #expect(rendered("{value byte}", 9999) == "9999 bytes")
    #expect(rendered("{value byte}", 20_971_520) == "21 MB")
    #expect(rendered("{value byte}", Int.max) == "9.22 EB")
    let template = DiagnosticTemplate("needs {size byte} of {available byte}")
    #expect(
      template.rendered(with: ["size": 334_859, "available": 64_104])
        == "needs 335 kB of 64.1 kB")
    // Sizes that differ do not read the same.
    #expect(
      template.rendered(with: ["size": 64_105, "available": 64_104])
        == "needs 64105 bytes of 64104 bytes")
  }

  @Test func listsOfMoreThanFiveAreCounted() {
    let names = ["a", "b", "c", "d", "e", "f"]
    #expect(rendered("kept: {value chunk}", Array(names.prefix(5))) == "kept: a, b, c, d, e")
    #expect(rendered("kept: {value chunk}", names) == "kept: 6 chunks")
    #expect(rendered("kept: {value}", names) == "kept: 6 entries")
  }

  @Test func sizesRangesAndCauses() {
    #expect(rendered("{value pixel}", .size(3, 2)) == "3x2 pixels")
    #expect(rendered("{value stop}", -1...1.5) == "-1 to 1.5 stops")
    let cause = ImageError(ErrorCode("test", .malformed, "{count byte} missing"), ["count": 1])
    #expect(rendered("dropped: {value}", cause) == "dropped: 1 byte missing")
  }

  @Test func placeholdersInTheirOrder() {
    let placeholders = DiagnosticTemplate("{b} of {a nit}.").placeholders
    #expect(placeholders.map(\.name) == ["b", "a"] && placeholders.map(\.noun) == [nil, "nit"])
  }

  @Test func codesOfOneNameAndOneTextAreEqual() {
    #expect(ErrorCode("a", .malformed, "same") == ErrorCode("a", .malformed, "same"))
    #expect(NoticeCode("a", .dropped, "same") != NoticeCode("b", .dropped, "same"))
  }

  @Test func diagnosticsWithoutACodeAreNamedAfterTheirCategory() {
    let error = ImageError(.malformed, "{count byte} missing", ["count": 1], at: .init(offset: 2))
    #expect(error.code.id == "malformed" && error.category == .malformed)
    #expect(error.message == "1 byte missing" && error.location.offset == 2)
    #expect(error.code == ErrorCode(.malformed, "{count byte} missing"))
    #expect(error.code != ErrorCode(.malformed, "{count byte} too many"))
    #expect(error.code != ErrorCode(.truncated, "{count byte} missing"))
    let notice = Notice(.dropped, "dropped: {item}", ["item": "thumbnail"])
    #expect(notice.code.id == "dropped" && notice.severity == .warning)
    #expect(notice.message == "dropped: thumbnail")
    #expect(notice != Notice(.dropped, "not copied: {item}", ["item": "thumbnail"]))
    #expect(notice.asCause.code.id == "unsuitable" && notice.asCause.message == notice.message)
  }
}
