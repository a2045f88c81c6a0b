// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

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
