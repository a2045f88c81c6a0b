import Testing

@testable import ContactSheet

@Suite("Lettering") struct LetteringTests {
  private let lettering = Lettering(size: 14, color: Light(repeating: 1))

  /// Every letter is a path that can be read, and stays between the ascenders and descenders.
  @Test func everyGlyphIsDrawn() {
    for character in GlyphOutlines.all.keys where character != " " {
      let glyph = Glyph.named(character)
      #expect(!glyph.strokes.isEmpty, "\(character)")
      for point in glyph.strokes.joined() {
        #expect((-1.2...9.5).contains(point.y), "\(character)")
        #expect((-1.7...glyph.width + 0.5).contains(point.x), "\(character)")
      }
    }
  }

  @Test func inkLiesWhereTheTextIs() {
    var canvas = Canvas(width: 100, height: 40, background: Light(repeating: 0))
    lettering.draw("HI", on: &canvas, x: 20, y: 10)
    let inked = canvas.pixels.indices.filter { canvas.pixels[$0].x > 0.5 }
    let (columns, rows) = (inked.map { $0 % 100 }, inked.map { $0 / 100 })
    #expect(columns.min() == 19 || columns.min() == 20)
    #expect(abs(Double(columns.max() ?? 0) - 20 - lettering.width(of: "HI")) < 2)
    #expect(rows.min() == 9 || rows.min() == 10)
    #expect(rows.max() == 24 || rows.max() == 23)
  }

  @Test func unknownLettersAreBoxes() {
    #expect(Glyph.named("漢").strokes == Glyph.named("字").strokes)
    #expect(Glyph.named("漢").strokes.joined().count == 5)
  }

  @Test func longNamesLoseTheirMiddle() {
    let name = "a-very-long-name-of-a-picture-2024-11-21.heic"
    let short = lettering.fitting(name, width: 200)
    #expect(lettering.width(of: short) <= 200)
    #expect(short.hasPrefix("a-very") && short.hasSuffix(".heic") && short.contains("…"))
    #expect(lettering.fitting("x.heic", width: 200) == "x.heic")
  }
}
