internal import Platform
public import HDRCore

/// Prints a value as JSON, keys in order, with the schema that it follows.
func printJSON(_ report: some Encodable) throws(Failure) {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  guard let data = try? encoder.encode(report) else {
    throw Failure(ImageError(.reportNotEncodable), stage: .writing)
  }
  Console.write(data + [0x0A])
}

/// A notice in a report.
struct NoticeReport: ReportObject {
  static let title = "Notice"
  let code: String
  let severity: String
  let kind: String
  let parameters: [String: DiagnosticValue]
  let message: String
  let location: String?
  let remedy: String?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case code, severity, kind, parameters, message, location, remedy
  }

  init(_ notice: Notice) {
    code = notice.code.id
    severity = notice.severity.rawValue
    kind = notice.kind.rawValue
    parameters = notice.parameters.values
    message = notice.message
    location = notice.location.text
    remedy = Remedies.remedy(for: notice, of: .current)
  }
}

/// The error behind another diagnostic.
struct CauseReport: ReportObject {
  static let title = "Cause"
  let code: String
  let parameters: [String: DiagnosticValue]
  let message: String
  let location: String?

  enum CodingKeys: String, CodingKey, CaseIterable { case code, parameters, message, location }

  init(_ error: ImageError) {
    code = error.code.id
    parameters = error.parameters.values
    message = error.message
    location = error.location.text
  }
}

extension ImageError.Location {
  /// `nil` for an empty location.
  var text: String? { description.isEmpty ? nil : description }
}

extension DiagnosticValue: Encodable {
  /// Numbers and texts as they are, sizes and ranges as objects, causes as `CauseReport`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .integer(let number): try container.encode(number)
    case .number(let number) where number.isFinite: try container.encode(number)
    case .number(let number): try container.encode("\(number)")
    case .text(let text): try container.encode(text)
    case .list(let entries): try container.encode(entries)
    case .range(let range):
      try container.encode(["from": range.lowerBound, "to": range.upperBound])
    case .dimensions(let width, let height):
      try container.encode(["width": width, "height": height])
    case .cause(let error): try container.encode(CauseReport(error))
    }
  }
}
