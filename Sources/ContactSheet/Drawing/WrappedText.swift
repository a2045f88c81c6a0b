internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Text that goes on in the next line where one ends.
struct WrappedText {
  /// What stays in one line.
  struct Phrase: Hashable {
    let text: String
    /// The color that the text is about: a square before it.
    var swatch: LinearColor?
  }

  private let phrases: [Phrase]
  /// Between two phrases in one line.
  private let separator: String

  /// A sentence, to be parted between its words.
  init(_ sentence: String) {
    self.init(sentence.split(separator: " ").map { Phrase(text: String($0)) }, separator: " ")
  }

  init(_ phrases: [Phrase], separator: String) {
    self.phrases = phrases
    self.separator = separator
  }

  /// Puts phrases into lines; one that is wider than a line loses letters in its middle.
  ///
  /// - Parameters:
  ///   - font: How they are drawn.
  ///   - width: Of a line, in pixels.
  ///   - indent: What is taken of the first line already.
  /// - Returns: Lines; the first is empty if not even one phrase fits beside what is there.
  func lines(
    in font: StrokeFont, width: Double, indent: Double = 0
  ) -> [[Phrase]] {
    var lines: [[Phrase]] = [[]]
    var end = indent
    for phrase in phrases {
      let isFirst = lines[lines.count - 1].isEmpty
      let start = isFirst ? end : end + separatorWidth(in: font)
      let next = start + Self.width(of: phrase, in: font)
      if next <= width {
        lines[lines.count - 1].append(phrase)
        end = next
      } else {
        if !isFirst || indent > 0 && lines.count == 1 { lines.append([]) }
        let room = width - Self.swatchWidth(of: phrase, in: font)
        let fitting = Phrase(
          text: font.fitting(phrase.text, width: room), swatch: phrase.swatch)
        lines[lines.count - 1].append(fitting)
        end = Self.width(of: fitting, in: font)
      }
    }
    return lines
  }

  /// From the top of one line to that of the next.
  static func leading(of font: StrokeFont) -> Int { Int(1.75 * font.size) }

  /// Pixels that lines below the first take.
  func extraHeight(in font: StrokeFont, width: Double, indent: Double = 0) -> Int {
    (lines(in: font, width: width, indent: indent).count - 1) * Self.leading(of: font)
  }

  /// Draws all lines; `y` is the top of the first one's capitals.
  func draw(
    in font: StrokeFont, on canvas: inout Canvas, x: Double, y: Double, width: Double,
    indent: Double = 0
  ) {
    var y = y
    var start = x + indent
    for line in lines(in: font, width: width, indent: indent) {
      var pen = start
      for (index, phrase) in line.enumerated() {
        if index > 0 {
          font.draw(separator, on: &canvas, x: pen + font.spacing, y: y)
          pen += separatorWidth(in: font)
        }
        draw(phrase, in: font, on: &canvas, x: pen, y: y)
        pen += Self.width(of: phrase, in: font)
      }
      y += Double(Self.leading(of: font))
      start = x
    }
  }

  private func draw(
    _ phrase: Phrase, in font: StrokeFont, on canvas: inout Canvas, x: Double, y: Double
  ) {
    if let swatch = phrase.swatch {
      let side = Int(font.size)
      canvas.fill(
        Rectangle(x: Int(x), y: Int(y), width: side, height: side), swatch, radius: 3)
    }
    let left = x + Self.swatchWidth(of: phrase, in: font)
    font.draw(phrase.text, on: &canvas, x: left, y: y)
  }

  private func separatorWidth(in font: StrokeFont) -> Double {
    font.width(of: separator) + 2 * font.spacing
  }

  private static func width(of phrase: Phrase, in font: StrokeFont) -> Double {
    swatchWidth(of: phrase, in: font) + font.width(of: phrase.text)
  }

  private static func swatchWidth(of phrase: Phrase, in font: StrokeFont) -> Double {
    phrase.swatch == nil ? 0 : 1.5 * font.size
  }
}
