internal import Foundation
internal import HDRConversion
internal import ImageFiles

/// A letter as straight strokes of a pen, in the units of `GlyphOutlines`.
struct Glyph: Sendable {
  typealias Point = SIMD2<Double>

  /// Runs of points that the pen joins.
  private(set) var strokes: [[Point]] = []
  private(set) var width: Double

  /// The letters of a text; one sign stands for all that follow each other and are not here.
  static func glyphs(of text: String) -> [Glyph] {
    var glyphs: [Glyph] = []
    var isMissing = false
    for character in text {
      if let glyph = named(character) {
        glyphs.append(glyph)
        isMissing = false
      } else if !isMissing {
        glyphs.append(missing)
        isMissing = true
      }
    }
    return glyphs
  }

  /// The letter, with its accents as far as they are here; `nil` for one that is not.
  static func named(_ character: Character) -> Glyph? {
    if let glyph = cache[character] { return glyph }
    let parts = String(character).decomposedStringWithCanonicalMapping.unicodeScalars
    guard let letter = parts.first, parts.count > 1, var glyph = cache[Character(letter)] else {
      return nil
    }
    for mark in parts.dropFirst() {
      guard let accent = accents[mark] else { continue }
      glyph.add(accent, to: letter)
    }
    return glyph
  }

  private static let cache = GlyphOutlines.all.mapValues(Glyph.init)
  private static let accents = GlyphAccents.all.mapValues(Glyph.init)
  private static let missing = Glyph(GlyphOutlines.missing)

  /// Puts an accent over or below the middle of a letter, and in place of the dot of i and j.
  private mutating func add(_ accent: Glyph, to letter: Unicode.Scalar) {
    let isAbove = accent.strokes.joined().allSatisfy { $0.y < 2 }
    if isAbove, letter == "i" || letter == "j" {
      strokes.removeAll { $0.allSatisfy { $0.y < 1 } }
    }
    // Accents of neighbors shall not run into each other.
    let missing = max(accent.width - width - 0.6, 0)
    width += missing
    strokes = strokes.map { stroke in stroke.map { $0 + Point(missing / 2, 0) } }
    let top = strokes.joined().map(\.y).min() ?? 0
    // An accent is drawn for a letter that begins at 2.2.
    let shift = Point((width - accent.width) / 2, isAbove ? min(top, 2.2) - 2.2 : 0)
    strokes += accent.strokes.map { stroke in stroke.map { $0 + shift } }
  }

  private init(_ outline: (path: String, width: Double)) {
    width = outline.width
    var words = PathParser(outline.path)
    while let command = words.command() {
      switch command {
      case "M": strokes.append([words.point()])
      case "L": extend([words.point()])
      case "C": curve(words.point(), words.point(), words.point())
      case "E":
        arc(center: words.point(), radii: words.point(), from: words.number(), to: words.number())
      default: preconditionFailure("no command \(command) in a glyph")
      }
    }
  }

  private mutating func extend(_ points: [Point]) {
    if strokes.isEmpty { strokes.append([]) }
    strokes[strokes.count - 1] += points
  }

  private mutating func curve(_ first: Point, _ second: Point, _ end: Point) {
    guard let start = strokes.last?.last else { preconditionFailure("a curve from nowhere") }
    extend(
      (1...8).map { step in
        let t = Double(step) / 8
        let u = 1 - t
        let outer = start * (u * u * u) + end * (t * t * t)
        return outer + first * (3 * u * u * t) + second * (3 * u * t * t)
      })
  }

  private mutating func arc(center: Point, radii: Point, from: Double, to: Double) {
    let steps = max(Int(abs(to - from) / 15), 2)
    extend(
      (0...steps).map { step in
        let angle = (from + (to - from) * Double(step) / Double(steps)) * .pi / 180
        return center + radii * Point(cos(angle), sin(angle))
      })
  }
}

/// Commands and numbers of a path.
private struct PathParser {
  private var rest: Substring

  init(_ path: String) { rest = path[...] }

  mutating func command() -> Character? {
    rest = rest.drop { $0 == " " }
    return rest.popFirst()
  }

  mutating func number() -> Double {
    rest = rest.drop { $0 == " " }
    let word = rest.prefix { $0.isNumber || $0 == "." || $0 == "-" }
    rest = rest.dropFirst(word.count)
    guard let number = Double(word) else { preconditionFailure("no number in a glyph: \(word)") }
    return number
  }

  mutating func point() -> SIMD2<Double> { SIMD2(number(), number()) }
}
