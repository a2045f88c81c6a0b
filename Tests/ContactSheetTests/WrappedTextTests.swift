// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ContactSheet

@Suite("Wrapped text") struct WrappedTextTests {
  private static let font = StrokeFont(size: 12, color: Palette.text)

  private static func lines(
    _ sentence: String, width: Double, indent: Double = 0
  ) -> [String] {
    WrappedText(sentence).lines(in: font, width: width, indent: indent)
      .map { line in line.map(\.text).joined(separator: " ") }
  }

  @Test func wordsGoOnInTheNextLine() {
    let sentence = "false colors of luminance"
    let whole = Self.font.width(of: sentence)
    #expect(Self.lines(sentence, width: whole + 0.01) == [sentence])
    #expect(Self.lines(sentence, width: whole - 0.01) == ["false colors of", "luminance"])
    #expect(
      Self.lines(sentence, width: whole, indent: whole / 2) == ["false colors", "of luminance"])
  }

  /// No phrase needs to fit next to a heading.
  @Test func firstLineMayBeEmpty() {
    #expect(Self.lines("stops", width: 80, indent: 79) == ["", "stops"])
    #expect(WrappedText("").extraHeight(in: Self.font, width: 80) == 0)
  }

  /// A phrase is not broken, unless it is wider than a line.
  @Test func phrasesStayWhole() {
    let phrases = ["5 % > 1x", "1 % > 2x"].map {
      WrappedText.Phrase(text: $0, swatch: Palette.text)
    }
    let text = WrappedText(phrases, separator: "   ")
    let width = Self.font.width(of: "5 % > 1x")
    #expect(text.lines(in: Self.font, width: width * 1.4).map(\.count) == [1, 1])
    let narrow = text.lines(in: Self.font, width: width)
    #expect(narrow.count == 2 && narrow.allSatisfy { $0[0].text.contains("…") })
  }
}
