// SPDX-License-Identifier: Apache-2.0
extension Failure {
  /// The failure that a verb threw when it checked its arguments.
  ///
  /// - Parameter error: The error that the parser threw.
  /// - Returns: The failure; `nil` for errors of the parser.
  static func thrownByValidation(_ error: any Error) -> Failure? {
    cases(of: error)["userValidationError"] as? Failure
  }

  /// A message of the parser, in the style of the other messages.
  ///
  /// - Parameter message: The message on one line.
  /// - Returns: The new message; messages of other forms are returned as they are.
  static func rephrased(_ message: String) -> String {
    let invalid = #/The value '(.*)' is invalid for '(-[^ ']+) ?([^']*)'(.*)/#
    if let match = message.wholeMatch(of: invalid) {
      let (_, value, option, form, rest) = match.output
      if let list = rest.firstMatch(of: #/Please provide one of (?:the following: )?(.+?)\.?$/#) {
        var values = list.1.replacing("'", with: "").replacing(" and ", with: ", ")
          .replacing(" or ", with: ", ").split(separator: ", ")
        guard values.count > 1, let last = values.popLast() else { return message }
        return "\(option) takes \(values.joined(separator: ", ")) or \(last), not '\(value)'"
      }
      let cause = rest.hasPrefix(": ") ? " (\(rest.dropFirst(2)))" : ""
      return cause.isEmpty && !form.isEmpty
        ? "\(option) takes \(phrase(for: String(form.dropFirst().dropLast()))), not '\(value)'"
        : "invalid value of \(option): '\(value)'\(cause)"
    }
    let forms = [
      ("Missing expected argument", "missing argument:"), ("Missing value for", "missing value of"),
      ("Unexpected argument", "unexpected argument:"),
    ]
    for (form, phrase) in forms where message.hasPrefix("\(form) '") && message.hasSuffix("'") {
      return "\(phrase) \(message.dropFirst(form.count + 2).dropLast())"
    }
    return message
  }

  /// The form of a value in words.
  private static func phrase(for form: String) -> String {
    switch form {
    case "quality": "a number from 0 to 100"
    case "speed": "a number from 0 to 10"
    case "depth": "8, 10, 12, 16 or 32"
    case "EV": "a number of stops"
    default: form
    }
  }

  /// The associated values of the cases of the parser's error, by the name of the case.
  ///
  /// The parser does not publish the type.
  private static func cases(of error: any Error) -> [String: Any] {
    let fields = Mirror(reflecting: error).children.compactMap { child in
      child.label == "parserError" ? Mirror(reflecting: child.value).children.first : nil
    }
    return Dictionary(
      fields.compactMap { field in field.label.map { ($0, field.value) } },
      uniquingKeysWith: { first, _ in first })
  }
}
