// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ContactSheet

@Suite("Stroke font") struct StrokeFontTests {
  private let font = StrokeFont(size: 14, color: LinearColor(repeating: 1))

  /// Every glyph is a valid path within ascenders and descenders.
  @Test func everyGlyphIsDrawn() throws {
    for character in GlyphOutlines.all.keys where !character.isWhitespace {
      let glyph = try #require(Glyph.named(character))
      #expect(!glyph.strokes.isEmpty, "\(character)")
      for point in glyph.strokes.joined() {
        #expect((-1.2...9.5).contains(point.y), "\(character)")
        #expect((-1.7...glyph.width + 0.5).contains(point.x), "\(character)")
      }
    }
  }

  /// All printable characters of ISO 8859-1 have distinct glyphs, except spaces and hyphens.
  @Test func latinGlyphsAreDistinct() throws {
    // A small L equals a capital I.
    let codes = (Array(0x21...0x7E) + Array(0xA1...0xAC) + Array(0xAE...0xFF)).filter { $0 != 0x6C }
    var shapes: [[[Glyph.Point]]: Character] = [:]
    for code in codes {
      let character = Character(try #require(Unicode.Scalar(code)))
      let glyph = try #require(Glyph.named(character), "\(character)")
      #expect(shapes.updateValue(character, forKey: glyph.strokes) == nil, "\(character)")
      for point in glyph.strokes.joined() {
        #expect((-3.5...9.5).contains(point.y), "\(character)")
      }
    }
  }

  /// Accents are above letters of either case; they replace the dot of i.
  @Test func accentsAreAbove() throws {
    func top(_ character: Character) throws -> Double {
      try #require(Glyph.named(character)?.strokes.joined().map(\.y).min())
    }
    #expect(try top("Ö") < top("O") - 1 && top("ö") < top("o") - 1)
    let i = try #require(Glyph.named("i")), accented = try #require(Glyph.named("í"))
    #expect(i.strokes.count == 2 && accented.strokes.count == 2 && accented.strokes != i.strokes)
  }

  @Test func strokesAreAtTheTextPosition() {
    var canvas = Canvas(width: 100, height: 40, background: LinearColor(repeating: 0))
    font.draw("HI", on: &canvas, x: 20, y: 10)
    let inked = canvas.pixels.indices.filter { canvas.pixels[$0].x > 0.5 }
    let (columns, rows) = (inked.map { $0 % 100 }, inked.map { $0 / 100 })
    #expect(columns.min() == 19 || columns.min() == 20)
    #expect(abs(Double(columns.max() ?? 0) - 20 - font.width(of: "HI")) < 2)
    #expect(rows.min() == 9 || rows.min() == 10)
    #expect(rows.max() == 24 || rows.max() == 23)
  }

  /// A run of unknown characters has one placeholder.
  @Test func unknownCharactersShareAPlaceholder() {
    #expect(Glyph.named("漢") == nil)
    #expect(font.width(of: "a漢字かb") == font.width(of: "a字b"))
    #expect(Glyph.glyphs(of: "漢 字.avif").count == 8)
  }

  @Test func longNamesAreShortenedInTheMiddle() {
    let name = "a-very-long-name-of-a-image-2024-11-21.heic"
    let short = font.fitting(name, width: 200)
    #expect(font.width(of: short) <= 200)
    #expect(short.hasPrefix("a-very") && short.hasSuffix(".heic") && short.contains("…"))
    #expect(font.fitting("x.heic", width: 200) == "x.heic")
  }
}
