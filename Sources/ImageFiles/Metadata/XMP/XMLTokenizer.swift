// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Splits XML into tags and text with their ranges.
///
/// Document type declarations are rejected, so only the five predefined entities exist.
///
/// Source: XML 1.0 (fifth edition).
struct XMLTokenizer {
  enum Token {
    case start(Tag)
    case end(name: Range<Int>, range: Range<Int>)
    /// Character data with references, or the content of a CDATA section (literal).
    case text(Range<Int>, isLiteral: Bool)
  }

  struct Tag {
    var range: Range<Int>
    var name: Range<Int>
    var attributes: [Attribute]
    /// Whether the tag is an empty element: `<name/>`.
    var isClosed: Bool
  }

  struct Attribute {
    var range: Range<Int>
    var name: Range<Int>
    var value: Range<Int>
  }

  let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// Returns the next tag or text; comments and processing instructions are skipped.
  mutating func next() throws(ImageError) -> Token? {
    while position < bytes.count {
      guard bytes[position] == UInt8(ascii: "<") else { return text() }
      switch position + 1 < bytes.count ? bytes[position + 1] : 0 {
      case UInt8(ascii: "?"): try skip(to: "?>")
      case UInt8(ascii: "!"):
        guard let section = try section() else { continue }
        return section
      case UInt8(ascii: "/"): return try endTag()
      default: return .start(try startTag())
      }
    }
    return nil
  }

  /// Skips a comment (`nil`) or returns the text of a CDATA section.
  private mutating func section() throws(ImageError) -> Token? {
    if follows("<!--") {
      position += 4
      try skip(to: "-->")
      return nil
    }
    guard follows("<![CDATA[") else {
      throw error(.malformed, "a document type declaration is not allowed in XMP")
    }
    let start = position + 9
    try skip(to: "]]>")
    return .text(start..<position - 3, isLiteral: true)
  }

  private mutating func text() -> Token {
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
    return .text(start..<position, isLiteral: false)
  }

  private mutating func endTag() throws(ImageError) -> Token {
    let start = position
    position += 2
    let name = try name()
    skipBlanks()
    try expect(">")
    return .end(name: name, range: start..<position)
  }

  private mutating func startTag() throws(ImageError) -> Tag {
    let start = position
    position += 1
    let name = try name()
    var attributes: [Attribute] = []
    while true {
      let hadBlanks = skipBlanks()
      if follows("/>") {
        position += 2
        return Tag(range: start..<position, name: name, attributes: attributes, isClosed: true)
      }
      if follows(">") {
        position += 1
        return Tag(range: start..<position, name: name, attributes: attributes, isClosed: false)
      }
      guard hadBlanks, attributes.count < 4096 else {
        throw error(.xmlNotTerminated, ["element": "tag"])
      }
      attributes.append(try attribute())
    }
  }

  private mutating func attribute() throws(ImageError) -> Attribute {
    let start = position
    let name = try name()
    skipBlanks()
    try expect("=")
    skipBlanks()
    guard position < bytes.count, bytes[position] == 0x22 || bytes[position] == 0x27 else {
      throw error(.xmlSyntax, ["detail": "attribute value without quotes"])
    }
    let quote = bytes[position]
    position += 1
    let valueStart = position
    while position < bytes.count, bytes[position] != quote {
      guard bytes[position] != UInt8(ascii: "<") else {
        throw error(.xmlSyntax, ["detail": "'<' in an attribute value"])
      }
      position += 1
    }
    guard position < bytes.count else {
      throw error(.xmlNotTerminated, ["element": "attribute value"])
    }
    position += 1
    return Attribute(range: start..<position, name: name, value: valueStart..<position - 1)
  }

  private mutating func name() throws(ImageError) -> Range<Int> {
    let start = position
    while position < bytes.count, Self.isNameByte(bytes[position], isFirst: position == start) {
      position += 1
    }
    guard position > start else { throw error(.xmlSyntax, ["detail": "name expected"]) }
    return start..<position
  }

  /// All non-ASCII letters are accepted; only the end of a name must be found as in XML.
  private static func isNameByte(_ byte: UInt8, isFirst: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...0xFF:
      true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): !isFirst
    default: false
    }
  }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  @discardableResult
  private mutating func skipBlanks() -> Bool {
    let start = position
    while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
    return position > start
  }

  private func follows(_ literal: String) -> Bool { bytes[position...].starts(with: literal.utf8) }

  private mutating func expect(_ literal: String) throws(ImageError) {
    guard follows(literal) else { throw error(.xmlExpected, ["literal": "\(literal)"]) }
    position += literal.utf8.count
  }

  private mutating func skip(to literal: String) throws(ImageError) {
    let sought = Array(literal.utf8)
    while let index = bytes[position...].firstIndex(of: sought[0]) {
      position = index
      if bytes[index...].starts(with: sought) {
        position += sought.count
        return
      }
      position += 1
    }
    throw error(.xmlExpected, ["literal": "\(literal)"])
  }

  func error(_ code: ErrorCode, _ parameters: DiagnosticParameters = [:]) -> ImageError {
    ImageError(code, parameters, at: .init(path: ["XMP"], offset: position))
  }

  func error(_ category: ImageError.Category, _ text: String) -> ImageError {
    error(ErrorCode(category, text))
  }
}

/// Escaping of characters in XML.
enum XMLText {
  /// Decodes character data or an attribute value and resolves its references.
  ///
  /// Source: XML 1.0, 4.1 and 4.6.
  static func decode(_ bytes: ArraySlice<UInt8>) throws(ImageError) -> String {
    var rest = bytes
    var text: [UInt8] = []
    while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
      if text.isEmpty { text.reserveCapacity(bytes.count) }
      text += rest[..<start]
      // The longest valid reference is `&#x10FFFF;`.
      let window = rest[start...].prefix(12)
      guard let end = window.firstIndex(of: UInt8(ascii: ";")),
        let character = character(window[(start + 1)..<end])
      else {
        throw ImageError(.malformed, "unknown reference", at: .init(path: ["XMP"], offset: start))
      }
      text += String(character).utf8
      rest = rest[(end + 1)...]
    }
    return String(decoding: text.isEmpty ? rest : text[...] + rest, as: UTF8.self)
  }

  private static let named: [(name: [UInt8], character: Unicode.Scalar)] = [
    (Array("amp".utf8), "&"), (Array("lt".utf8), "<"), (Array("gt".utf8), ">"),
    (Array("quot".utf8), "\""), (Array("apos".utf8), "'"),
  ]

  private static func character(_ name: ArraySlice<UInt8>) -> Unicode.Scalar? {
    guard name.first == UInt8(ascii: "#") else {
      return named.first { name.elementsEqual($0.name) }?.character
    }
    let digits = String(decoding: name.dropFirst(), as: UTF8.self)
    let code = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return code.flatMap(Unicode.Scalar.init)
  }

  /// Returns `text` escaped for use as character data and inside quotes of either kind.
  static func escape(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "&": escaped += "&amp;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&apos;"
      case "\t", "\n", "\r": escaped += "&#\(character.value);"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}
