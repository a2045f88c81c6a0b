// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import ImageFiles
internal import Platform

/// A font of round strokes, identical on every machine.
struct StrokeFont {
  /// Height of capitals in pixels.
  let size: Double
  var color: LinearColor
  /// Stroke width as a share of the height of capitals.
  var weight = 0.13

  enum Alignment {
    case left
    case center
    case right
  }

  private static let gap = 1.75

  private var scale: Double { size / GlyphOutlines.capHeight }

  /// Space between glyphs in pixels.
  var spacing: Double { Self.gap * scale }

  /// Width of a line of text in pixels.
  func width(of text: String) -> Double {
    let widths = Glyph.glyphs(of: text).map(\.width)
    return (widths.reduce(0, +) + Self.gap * Double(max(widths.count - 1, 0))) * scale
  }

  /// The text, shortened in the middle to fit into `width` pixels.
  func fitting(_ text: String, width: Double) -> String {
    guard self.width(of: text) > width else { return text }
    var (head, tail) = (text.prefix(text.count * 2 / 3), text.suffix(text.count / 3))
    while self.width(of: head + "…" + tail) > width, !head.isEmpty {
      if head.count > 2 * tail.count || tail.isEmpty {
        head.removeLast()
      } else {
        tail.removeFirst()
      }
    }
    return head + "…" + tail
  }

  /// Draws a line of text; `y` is the top of its capitals.
  func draw(
    _ text: String, on canvas: inout Canvas, x: Double, y: Double,
    alignment: Alignment = .left
  ) {
    var pen =
      switch alignment {
      case .left: x
      case .center: x - width(of: text) / 2
      case .right: x - width(of: text)
      }
    for glyph in Glyph.glyphs(of: text) {
      for stroke in glyph.strokes {
        let points = stroke.map { SIMD2(pen, y) + $0 * scale }
        draw(points, on: &canvas)
      }
      pen += (glyph.width + Self.gap) * scale
    }
  }

  /// Draws a polyline: the coverage of a pixel is that of the nearest line.
  private func draw(_ points: [SIMD2<Double>], on canvas: inout Canvas) {
    let reach = weight * size / 2 + 1
    guard var low = points.first, var high = points.first else { return }
    for point in points {
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    let lines = points.count > 1 ? Array(zip(points, points.dropFirst())) : [(low, low)]
    for y in Int(
      clamping: (low.y - reach).rounded(.down))...Int(clamping: (high.y + reach).rounded(.up))
    {
      for x in Int(
        clamping: (low.x - reach).rounded(.down))...Int(clamping: (high.x + reach).rounded(.up))
      {
        let center = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
        let distance = lines.map { Self.distance(from: center, to: $0) }.min() ?? reach
        canvas.mix(color, into: x, y, share: Float(weight * size / 2 - distance + 0.5))
      }
    }
  }

  private static func distance(
    from point: SIMD2<Double>, to line: (SIMD2<Double>, SIMD2<Double>)
  ) -> Double {
    let direction = line.1 - line.0
    let length = (direction * direction).sum()
    let offset = point - line.0
    let along = length > 0 ? min(max((offset * direction).sum() / length, 0), 1) : 0
    let gap = offset - direction * along
    return (gap * gap).sum().squareRoot()
  }
}

/// A glyph as straight strokes, in the units of `GlyphOutlines`.
struct Glyph: Sendable {
  typealias Point = SIMD2<Double>

  /// Polylines.
  private(set) var strokes: [[Point]] = []
  private(set) var width: Double

  /// The glyphs of a text; a run of missing characters has one placeholder.
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

  /// The glyph of a character with its known accents; `nil` for an unknown character.
  static func named(_ character: Character) -> Glyph? {
    if let glyph = cache[character] { return glyph }
    let scalars = decompositions[character] ?? Array(character.unicodeScalars)
    guard let letter = scalars.first, scalars.count > 1, var glyph = cache[Character(letter)] else {
      return nil
    }
    for mark in scalars.dropFirst() {
      guard let accent = accents[mark] else { continue }
      glyph.add(accent, to: letter)
    }
    return glyph
  }

  private static let cache = GlyphOutlines.all.mapValues(Glyph.init)
  private static let accents = GlyphAccents.all.mapValues(Glyph.init)
  private static let missing = Glyph(GlyphOutlines.missing)
  /// The letter and the one or two accents of each character that can be drawn.
  ///
  /// A composed character equals its letter followed by its accents (canonical equivalence).
  private static let decompositions: [Character: [Unicode.Scalar]] = {
    let letters = cache.keys.compactMap(\.unicodeScalars.first).filter(\.properties.isAlphabetic)
    var decompositions: [Character: [Unicode.Scalar]] = [:]
    for letter in letters {
      for first in accents.keys {
        for marks in [[first]] + accents.keys.map({ [first, $0] }) {
          var text = String.UnicodeScalarView([letter])
          text.append(contentsOf: marks)
          decompositions[Character(String(text))] = [letter] + marks
        }
      }
    }
    return decompositions
  }()

  /// Adds an accent above or below a letter; it replaces the dot of i and j.
  private mutating func add(_ accent: Glyph, to letter: Unicode.Scalar) {
    let isAbove = accent.strokes.joined().allSatisfy { $0.y < 2 }
    if isAbove, letter == "i" || letter == "j" { strokes.removeAll { $0.allSatisfy { $0.y < 1 } } }
    // Accents of adjacent letters must not overlap.
    let missing = max(accent.width - width - 0.6, 0)
    width += missing
    strokes = strokes.map { stroke in stroke.map { $0 + Point(missing / 2, 0) } }
    let top = strokes.joined().map(\.y).min() ?? 0
    // Accents are designed for letters that begin at 2.2.
    let shift = Point((width - accent.width) / 2, isAbove ? min(top, 2.2) - 2.2 : 0)
    strokes += accent.strokes.map { stroke in stroke.map { $0 + shift } }
  }

  private init(_ outline: (path: String, width: Double)) {
    width = outline.width
    var parser = PathParser(outline.path)
    while let command = parser.command() {
      switch command {
      case "M": strokes.append([parser.point()])
      case "L": extend([parser.point()])
      case "C": curve(parser.point(), parser.point(), parser.point())
      case "E":
        arc(
          center: parser.point(), radii: parser.point(), from: parser.number(), to: parser.number())
      default: preconditionFailure("no command \(command) in a glyph")
      }
    }
  }

  private mutating func extend(_ points: [Point]) {
    if strokes.isEmpty { strokes.append([]) }
    strokes[strokes.count - 1] += points
  }

  private mutating func curve(_ first: Point, _ second: Point, _ end: Point) {
    guard let start = strokes.last?.last else { preconditionFailure("a curve without a start") }
    extend(
      (1...8).map { step in
        let t = Double(step) / 8
        let u = 1 - t
        let outer = start * (u * u * u) + end * (t * t * t)
        return outer + first * (3 * u * u * t) + second * (3 * u * t * t)
      })
  }

  private mutating func arc(center: Point, radii: Point, from: Double, to: Double) {
    let steps = max(Int(clamping: abs(to - from) / 15), 2)
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
    let digits = rest.prefix { $0.isNumber || $0 == "." || $0 == "-" }
    rest = rest.dropFirst(digits.count)
    guard let number = Double(digits) else {
      preconditionFailure("no number in a glyph: \(digits)")
    }
    return number
  }

  mutating func point() -> SIMD2<Double> { SIMD2(number(), number()) }
}

/// Accents as paths like those of `GlyphOutlines`, by combining mark.
///
/// Accents above are designed for letters that begin at 2.2, accents below for the baseline at 7.
enum GlyphAccents {
  /// Path and width.
  static let all: [Unicode.Scalar: (path: String, width: Double)] = [
    "\u{300}": ("M0 -.3 L1.1 1", 1.1),
    "\u{301}": ("M0 1 L1.1 -.3", 1.1),
    "\u{302}": ("M0 1 L1.2 -.2 L2.4 1", 2.4),
    "\u{303}": ("M0 .7 C.5 -.5 1.1 0 1.4 .3 C1.7 .6 2.3 1 2.8 -.1", 2.8),
    "\u{304}": ("M0 .4 L2.4 .4", 2.4),
    "\u{306}": ("M0 -.2 C.2 1.3 2.2 1.3 2.4 -.2", 2.4),
    "\u{307}": ("M0 .4 L0 .4", 0),
    "\u{308}": ("M0 .4 L0 .4 M1.8 .4 L1.8 .4", 1.8),
    "\u{30A}": ("E.8 .2 .8 .8 0 360", 1.6),
    "\u{30B}": ("M0 1 L.9 -.3 M1.5 1 L2.4 -.3", 2.4),
    "\u{30C}": ("M0 -.2 L1.2 1 L2.4 -.2", 2.4),
    "\u{327}": ("M.8 7 L.5 7.7 C1.4 7.7 1.4 8.9 .4 8.9 L-.1 8.7", 1.3),
    "\u{328}": ("M.9 7 C.2 7.6 .1 8.9 1.3 8.7", 1.3),
  ]
}
