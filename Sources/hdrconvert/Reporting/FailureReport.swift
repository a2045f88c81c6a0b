internal import HDRConversion
internal import ImageFiles

/// An input that failed among several, as machines read it.
struct FailureReport: ReportObject {
  static let title = "Failure"
  let file: String
  let message: String
  let reason: String?
  let remedy: String
  /// What the command would end with for this file alone.
  let exitCode: Int

  enum CodingKeys: String, CodingKey, CaseIterable { case file, message, reason, remedy, exitCode }

  /// - Parameters:
  ///   - failure: What is said on standard error, too.
  ///   - file: The name that people gave.
  init(_ failure: Failure, of file: String) {
    self.file = file
    message = failure.message
    reason = failure.reason
    remedy = failure.remedy
    exitCode = Int(failure.exitCode)
  }
}
