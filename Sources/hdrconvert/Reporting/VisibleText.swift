internal import HDRConversion
internal import ImageFiles

extension String {
  /// The text with each character that would steer a terminal spelled out, such as `\u{1B}`.
  ///
  /// These are controls, among them the end of a line, separators of lines, and what changes the
  /// direction of writing. Names and texts of files may hold any of them.
  ///
  /// Source: Unicode, general categories Cc, Zl and Zp, and the property Bidi_Control.
  var visible: String {
    guard unicodeScalars.contains(where: \.steersTerminals) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.steersTerminals {
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var steersTerminals: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: properties.isBidiControl
    }
  }
}
