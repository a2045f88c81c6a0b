internal import Platform
public import HDRCore

/// The JSON report of a verb: the inputs, the results and the failures.
///
/// `Documentation/schemas` has a JSON Schema for each verb.
struct JSONReport<Result: Encodable & Sendable>: ReportObject {
  static var schemaName: String { "report" }

  /// Name and version of the schema, such as `hdrconvert/gainmap-create/1`.
  let schema: String
  /// Names as they were given; empty if the arguments could not be parsed.
  let inputs: [String]
  let results: [Result]
  let failures: [FailureReport]

  enum CodingKeys: String, CodingKey, CaseIterable { case schema, inputs, results, failures }

  init(
    inputs: [String], results: [Result], failures: [FailureReport] = [],
    verb: String = Invocation.current.verb
  ) {
    schema = "hdrconvert/\(verb.replacing(" ", with: "-"))/1"
    self.inputs = inputs
    self.results = results
    self.failures = failures
  }

  /// Prints the report on standard output, keys in alphabetical order.
  ///
  /// One of several inputs adds its results to the report of the command.
  ///
  /// - Throws: The failure to encode the report.
  func print() throws(Failure) {
    guard !InputReport.add({ $0.results += results }) else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else {
      throw Failure(ImageError(.reportNotEncodable), stage: .writing)
    }
    Console.write(data + [0x0A])
  }
}

/// A notice in a report.
struct NoticeReport: ReportObject {
  static let schemaName = "notice"
  let code: String
  let severity: String
  let kind: String
  let parameters: [String: DiagnosticValue]
  let message: String
  let location: LocationReport?
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
    location = LocationReport(notice.location)
    remedy = Remedies.remedy(for: notice, of: .current)
  }
}

/// The error behind another diagnostic.
struct CauseReport: ReportObject {
  static let schemaName = "cause"
  let code: String
  let parameters: [String: DiagnosticValue]
  let message: String
  let location: LocationReport?

  enum CodingKeys: String, CodingKey, CaseIterable { case code, parameters, message, location }

  init(_ error: ImageError) {
    code = error.code.id
    parameters = error.parameters.values
    message = error.message
    location = LocationReport(error.location)
  }
}

/// The location of a diagnostic in a file.
struct LocationReport: ReportObject {
  static let schemaName = "location"
  let file: String?
  /// Names of the enclosing structures, outermost first, separated by `/`.
  let path: String?
  let byteOffset: Int?

  enum CodingKeys: String, CodingKey, CaseIterable { case file, path, byteOffset }

  /// Creates a report; `nil` for an empty location.
  init?(_ location: ImageError.Location) {
    guard location != ImageError.Location() else { return nil }
    file = location.file
    path = location.path.isEmpty ? nil : location.path.joined(separator: "/")
    byteOffset = location.offset
  }
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
