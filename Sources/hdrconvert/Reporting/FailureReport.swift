internal import HDRCore

/// A failure in a report.
struct FailureReport: ReportObject {
  static let schemaName = "failure"
  /// The file that it is about; `nil` for arguments that do not concern a file.
  let file: String?
  let code: String
  let parameters: [String: DiagnosticValue]
  let location: LocationReport?
  let message: String
  let reason: String?
  let remedy: String
  /// Status of the command for this file alone.
  let exitCode: Int

  enum CodingKeys: String, CodingKey, CaseIterable {
    case file, code, parameters, location, message, reason, remedy, exitCode
  }

  /// - Parameters:
  ///   - failure: The failure, which is reported on standard error as well.
  ///   - file: The name of the file as it was given.
  init(_ failure: Failure, of file: String?) {
    self.file = file
    code = failure.error.code.id
    parameters = failure.error.parameters.values
    location = LocationReport(failure.error.location)
    message = failure.message
    reason = failure.reason
    remedy = failure.remedy
    exitCode = Int(failure.exitCode)
  }
}
