// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import ImageFiles

extension String {
  /// The text with an escape such as `\u{1B}` for each character that controls a terminal.
  ///
  /// These are control characters, line separators, and characters that change the direction of
  /// writing. File names and texts in files may contain any of them.
  ///
  /// Source: Unicode, general categories Cc, Zl and Zp, and the property Bidi_Control.
  var visible: String {
    guard unicodeScalars.contains(where: \.controlsTerminal) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.controlsTerminal {
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var controlsTerminal: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: properties.isBidiControl
    }
  }
}
