// SPDX-License-Identifier: Apache-2.0
/// A warning or note about an input or an output.
public struct Notice: Hashable, Sendable {
  /// Effect on the image; the raw values are stable.
  public enum Category: String, Hashable, Sendable, CaseIterable {
    /// Part of the input is not in the output.
    case dropped
    /// An image was encoded again: the output cannot store it as it is, or it was changed.
    case reencoded
    /// The input does not specify a value; the value in the message was assumed.
    case assumed
    /// Two parts of the input contradict each other; the message names the one in use.
    case conflict
    /// The output is valid, but does not conform to the standard that the toolkit writes by
    /// default.
    case nonconforming
    /// Luminance or color was clipped to the range of the output.
    case clipped
    /// Irregular but readable.
    case irregular
  }

  /// Category and English text, with a stable name if a program can act on it.
  public var code: NoticeCode
  /// Values that the message contains.
  public var parameters: DiagnosticParameters
  /// Location of the condition.
  public var location: ImageError.Location

  public init(
    _ code: NoticeCode, _ parameters: DiagnosticParameters = [:],
    at location: ImageError.Location = .init()
  ) {
    self.code = code
    self.parameters = parameters
    self.location = location
  }

  /// Creates a notice without a code of its own.
  ///
  /// - Parameters:
  ///   - category: Effect on the image.
  ///   - text: One clause in English, with its parameters in braces: `{size byte}`.
  ///   - parameters: The values of the parameters.
  ///   - location: Location of the condition.
  public init(
    _ category: Category, _ text: String, _ parameters: DiagnosticParameters = [:],
    at location: ImageError.Location = .init()
  ) {
    self.init(NoticeCode(category, text), parameters, at: location)
  }

  /// Severity of a notice, which follows from its category.
  public enum Severity: String, Hashable, Sendable, CaseIterable {
    /// The result differs from the input or from a requirement of a standard.
    case warning
    /// The result is not impaired.
    case note
  }

  /// Effect on the image.
  public var category: Category { code.category }

  /// Severity: a note for `.reencoded`, `.assumed` and `.irregular`, otherwise a warning.
  public var severity: Severity {
    switch category {
    case .dropped, .conflict, .nonconforming, .clipped: .warning
    case .reencoded, .assumed, .irregular: .note
    }
  }

  /// The notice as the cause of an error, of category `.unsuitable`.
  package var asCause: ImageError {
    ImageError(.unsuitable, code.english, parameters, at: location)
  }

  /// The text of the code with its parameters: one clause, without location and full stop.
  public var message: String { DiagnosticTemplate(code.english).rendered(with: parameters) }
}

extension Notice: CustomStringConvertible {
  /// The location, if it is known, and the message.
  public var description: String {
    let place = location.description
    return place.isEmpty ? message : "\(place): \(message)"
  }
}
