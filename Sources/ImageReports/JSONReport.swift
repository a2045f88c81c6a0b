// SPDX-License-Identifier: Apache-2.0
public import HDRCore
internal import ImageFiles
internal import Platform

/// The JSON report of a verb: the inputs, the results and the failures.
///
/// `Documentation/schemas` has a JSON Schema for each verb.
package struct JSONReport<Result: Encodable & Sendable>: ReportObject {
  package static var schemaName: String { "report" }

  /// Name and version of the schema, such as `hdrconvert/gainmap-create/1`.
  package let schema: String
  /// Names as they were given; empty if the arguments could not be parsed.
  package let inputs: [String]
  package let results: [Result]
  package let failures: [FailureReport]

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case schema, inputs, results, failures
  }

  /// Makes the report of a verb, such as `gainmap create`.
  package init(inputs: [String], results: [Result], failures: [FailureReport], verb: String) {
    schema = "hdrconvert/\(verb.replacing(" ", with: "-"))/1"
    self.inputs = inputs
    self.results = results
    self.failures = failures
  }
}

extension Encodable {
  /// The object as JSON, keys in alphabetical order.
  package func json() throws(ImageError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { throw ImageError(.reportNotEncodable) }
    return Array(data)
  }
}

/// A failure in a report.
package struct FailureReport: ReportObject {
  package static let schemaName = "failure"
  /// The file that it is about; `nil` for arguments that do not concern a file.
  package let file: String?
  package let code: String
  package let parameters: [String: DiagnosticValue]
  package let location: LocationReport?
  package let message: String
  package let reason: String?
  package let remedy: String
  /// Status of the command for this file alone.
  package let exitCode: Int

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case file, code, parameters, location, message, reason, remedy, exitCode
  }

  /// Reports an error.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - file: The name of the file as it was given.
  ///   - message: The operation that failed, for people.
  ///   - reason: The cause.
  ///   - remedy: The suggested action.
  ///   - exitCode: Status of the command.
  package init(
    _ error: ImageError, of file: String?, message: String, reason: String?, remedy: String,
    exitCode: Int
  ) {
    self.file = file
    code = error.code.id
    parameters = error.parameters.values
    location = LocationReport(error.location)
    self.message = message
    self.reason = reason
    self.remedy = remedy
    self.exitCode = exitCode
  }
}

/// An object of a JSON report.
///
/// A test compares its keys with the definition in `Documentation/schemas`.
package protocol ReportObject: Encodable, Sendable {
  associatedtype CodingKeys: CodingKey, CaseIterable, RawRepresentable<String>
  /// The name of its definition.
  static var schemaName: String { get }
}

extension ReportObject {
  /// All keys that the object may have.
  package static var keys: [String] { CodingKeys.allCases.map(\.rawValue) }
}

/// A notice in a report.
package struct NoticeReport: ReportObject {
  package static let schemaName = "notice"
  package let code: String
  package let severity: String
  package let category: String
  package let parameters: [String: DiagnosticValue]
  package let message: String
  package let location: LocationReport?
  package let remedy: String?

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case code, severity, parameters, message, location, remedy
    case category = "kind"
  }

  /// Reports a notice.
  ///
  /// - Parameters:
  ///   - notice: The notice.
  ///   - remedy: The suggested action, if there is one.
  package init(_ notice: Notice, remedy: String?) {
    code = notice.code.id
    severity = notice.severity.rawValue
    category = notice.category.rawValue
    parameters = notice.parameters.values
    message = notice.message
    location = LocationReport(notice.location)
    self.remedy = remedy
  }
}

/// The error behind another diagnostic.
package struct CauseReport: ReportObject {
  package static let schemaName = "cause"
  package let code: String
  package let parameters: [String: DiagnosticValue]
  package let message: String
  package let location: LocationReport?

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case code, parameters, message, location
  }

  package init(_ error: ImageError) {
    code = error.code.id
    parameters = error.parameters.values
    message = error.message
    location = LocationReport(error.location)
  }
}

/// The location of a diagnostic in a file.
package struct LocationReport: ReportObject {
  package static let schemaName = "location"
  package let file: String?
  /// Names of the enclosing structures, outermost first, separated by `/`.
  package let path: String?
  package let byteOffset: Int?

  package enum CodingKeys: String, CodingKey, CaseIterable { case file, path, byteOffset }

  /// Creates a report; `nil` for an empty location.
  package init?(_ location: ImageError.Location) {
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
