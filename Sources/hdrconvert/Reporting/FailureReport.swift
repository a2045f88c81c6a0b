internal import HDRCore

/// An input that failed among several, in a report.
struct FailureReport: ReportObject {
  static let title = "Failure"
  let file: String
  let code: String?
  let parameters: [String: DiagnosticValue]?
  let location: String?
  let message: String
  let reason: String?
  let remedy: String
  /// What the command would end with for this file alone.
  let exitCode: Int

  enum CodingKeys: String, CodingKey, CaseIterable {
    case file, code, parameters, location, message, reason, remedy, exitCode
  }

  /// - Parameters:
  ///   - failure: What is reported on standard error as well.
  ///   - file: The name that was given.
  init(_ failure: Failure, of file: String) {
    self.file = file
    code = failure.error?.code.id
    parameters = failure.error?.parameters.values
    location = failure.error?.location.text
    message = failure.message
    reason = failure.reason
    remedy = failure.remedy
    exitCode = Int(failure.exitCode)
  }
}
