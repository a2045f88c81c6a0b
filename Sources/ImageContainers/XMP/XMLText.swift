internal import HDRCore

/// Escaping of characters in XML.
enum XMLText {
  /// Decodes character data or an attribute value and resolves its references.
  ///
  /// Source: XML 1.0, 4.1 and 4.6.
  static func decode(_ bytes: ArraySlice<UInt8>) throws(ImageError) -> String {
    guard let ampersand = bytes.firstIndex(of: UInt8(ascii: "&")) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    var text = String(decoding: bytes[..<ampersand], as: UTF8.self)
    var rest = bytes[ampersand...]
    while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
      text += String(decoding: rest[..<start], as: UTF8.self)
      // The longest valid reference is `&#x10FFFF;`.
      let window = rest[start...].prefix(12)
      guard let end = window.firstIndex(of: UInt8(ascii: ";")),
        let character = character(String(decoding: window[(start + 1)..<end], as: UTF8.self))
      else {
        throw ImageError(.xmlReferenceUnknown, at: .init(path: ["XMP"], offset: start))
      }
      text.unicodeScalars.append(character)
      rest = rest[(end + 1)...]
    }
    return text + String(decoding: rest, as: UTF8.self)
  }

  private static func character(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "lt": "<"
    case "gt": ">"
    case "amp": "&"
    case "quot": "\""
    case "apos": "'"
    default:
      if name.hasPrefix("#x") {
        UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
      } else if name.hasPrefix("#") {
        UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init)
      } else {
        nil
      }
    }
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
