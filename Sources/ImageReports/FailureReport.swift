// SPDX-License-Identifier: Apache-2.0
package import HDRCore

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
