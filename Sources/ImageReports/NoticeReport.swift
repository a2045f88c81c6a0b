// SPDX-License-Identifier: Apache-2.0
public import HDRCore

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
