/// A warning or note about an input or an output: dropped, assumed, repaired or
/// contradictory.
public struct Notice: Hashable, Sendable {
  /// Effect on the image; stable.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Something of the input is not in the output.
    case lost
    /// The input does not specify it; this value was assumed.
    case assumed
    /// Two parts of the input contradict each other; the message names the one that is used.
    case conflict
    /// The output is valid, but outside the standard that the toolkit writes by default.
    case nonconforming
    /// Luminance or color was changed to fit the output.
    case clipped
    /// Odd but readable.
    case irregular
  }

  /// Stable code; `Documentation/Diagnostics.md` lists all codes.
  public var code: NoticeCode
  /// Values that the message contains.
  public var parameters: DiagnosticParameters
  /// Where it was found.
  public var location: ImageError.Location

  public init(
    _ code: NoticeCode, _ parameters: DiagnosticParameters = [:],
    at location: ImageError.Location = .init()
  ) {
    self.code = code
    self.parameters = parameters
    self.location = location
  }

  /// How much it matters.
  public enum Severity: String, Hashable, Sendable, CaseIterable {
    /// Something is not what the input contains or the standard requires.
    case warning
    /// Nothing is worse for it.
    case note
  }

  /// Effect on the image.
  public var kind: Kind { code.kind }

  /// How much it matters: a note for what was assumed or is irregular, else a warning.
  public var severity: Severity {
    switch kind {
    case .lost, .conflict, .nonconforming, .clipped: .warning
    case .assumed, .irregular: .note
    }
  }

  /// The notice as the cause of an error.
  public var asCause: ImageError {
    ImageError(ErrorCode(code.id, .unsuitable, code.english), parameters, at: location)
  }

  /// The English of the notice, without a full stop.
  public var message: String {
    DiagnosticTemplate(code.english).rendered(with: parameters)
  }
}
