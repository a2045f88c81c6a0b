internal import HDRCore

/// An input that failed, in a report.
struct FailureReport: ReportObject {
  static let title = "Failure"
  /// Missing for arguments that concern no file.
  let file: String?
  let code: String
  let parameters: [String: DiagnosticValue]
  let location: String?
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
    location = failure.error.location.text
    message = failure.message
    reason = failure.reason
    remedy = failure.remedy
    exitCode = Int(failure.exitCode)
  }
}

/// Output of a verb with `--json` that ends before its own report.
struct FailureEnvelope: ReportObject {
  static let title = "Failed command"
  let schema: String
  let inputs: [String]
  /// Always empty.
  let results: [String]
  let failures: [FailureReport]

  enum CodingKeys: String, CodingKey, CaseIterable { case schema, inputs, results, failures }

  /// - Parameters:
  ///   - failure: The error that ended the command.
  ///   - verb: The verb; its words are joined by hyphens in the name of the schema.
  ///   - inputs: The inputs as they were given; empty if the arguments could not be parsed.
  init(_ failure: Failure, verb: String, inputs: [String]) {
    schema = "hdrconvert/\(verb.replacing(" ", with: "-"))/1"
    self.inputs = inputs
    results = []
    failures = [FailureReport(failure, of: failure.error.location.file)]
  }
}
