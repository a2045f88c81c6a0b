internal import Foundation

/// A letter as straight strokes of a pen, in the units of `GlyphOutlines`.
struct Glyph: Sendable {
  typealias Point = SIMD2<Double>

  /// Runs of points that the pen joins.
  private(set) var strokes: [[Point]] = []
  let width: Double

  /// The letter, the letter without its accents, or a box for one that is not here.
  static func named(_ character: Character) -> Glyph {
    if let glyph = cache[character] { return glyph }
    let plain = String(character).decomposedStringWithCanonicalMapping.unicodeScalars.first
    return plain.flatMap { cache[Character($0)] } ?? Glyph(GlyphOutlines.missing)
  }

  private static let cache = GlyphOutlines.all.mapValues(Glyph.init)

  private init(_ outline: (path: String, width: Double)) {
    width = outline.width
    var words = PathWords(outline.path)
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
private struct PathWords {
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
