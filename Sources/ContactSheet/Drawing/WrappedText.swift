// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Text with line breaks.
struct WrappedText {
  /// Text without a line break.
  struct Phrase: Hashable {
    let text: String
    /// Color of a square before the text.
    var swatch: LinearColor?
  }

  private let phrases: [Phrase]
  /// Between two phrases in one line.
  private let separator: String

  /// A sentence with breaks between words.
  init(_ sentence: String) {
    self.init(sentence.split(separator: " ").map { Phrase(text: String($0)) }, separator: " ")
  }

  init(_ phrases: [Phrase], separator: String) {
    self.phrases = phrases
    self.separator = separator
  }

  /// Breaks phrases into lines; a phrase that is wider than a line is shortened in the middle.
  ///
  /// - Parameters:
  ///   - font: The font.
  ///   - width: Width of a line in pixels.
  ///   - indent: Indent of the first line in pixels.
  /// - Returns: Lines; the first is empty if no phrase fits after the indent.
  func lines(in font: StrokeFont, width: Double, indent: Double = 0) -> [[Phrase]] {
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
        let fitting = Phrase(text: font.fitting(phrase.text, width: room), swatch: phrase.swatch)
        lines[lines.count - 1].append(fitting)
        end = Self.width(of: fitting, in: font)
      }
    }
    return lines
  }

  /// Distance of lines in pixels.
  static func leading(of font: StrokeFont) -> Int { Int(clamping: 1.75 * font.size) }

  /// Height of the lines below the first, in pixels.
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
      let side = Int(clamping: font.size)
      canvas.fill(
        Rectangle(x: Int(clamping: x), y: Int(clamping: y), width: side, height: side), swatch,
        radius: 3)
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
