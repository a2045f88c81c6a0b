// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Command

@Suite("Text for terminals") struct VisibleTextTests {
  @Test(arguments: [
    ("\u{1B}[2Jgone", "\\u{1B}[2Jgone"), ("\u{9B}31m", "\\u{9B}31m"),
    ("a\u{7F}\r\nb", "a\\u{7F}\\u{D}\\u{A}b"),
    ("photo\u{202E}gpj.exe", "photo\\u{202E}gpj.exe"),
    ("\u{2066}\u{200F}\u{2028}", "\\u{2066}\\u{200F}\\u{2028}"),
    ("\0\t", "\\u{0}\\u{9}"),
  ])
  func steersNothing(text: String, shown: String) {
    #expect(text.visible == shown)
  }

  /// Accents, joined emoji and right-to-left text are unchanged.
  @Test(arguments: ["Mühe", "e\u{301}", "👩‍🚀", "שלום", "写真.heic", "\u{A0}\u{AD}"])
  func stays(text: String) {
    #expect(Array(text.visible.unicodeScalars) == Array(text.unicodeScalars))
  }
}
