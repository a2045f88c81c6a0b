// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension Failure {
  /// The failure that a verb threw when it checked its arguments.
  ///
  /// - Parameter error: The error that the parser threw.
  /// - Returns: The failure; `nil` for errors of the parser.
  static func thrownByValidation(_ error: any Error) -> Failure? {
    cases(of: error)["userValidationError"] as? Failure
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
