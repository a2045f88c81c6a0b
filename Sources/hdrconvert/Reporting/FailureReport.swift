// SPDX-License-Identifier: Apache-2.0
internal import ImageReports

extension FailureReport {
  /// Reports a failure.
  ///
  /// - Parameters:
  ///   - failure: The failure, which is reported on standard error as well.
  ///   - file: The name of the file as it was given.
  init(_ failure: Failure, of file: String?) {
    self.init(
      failure.error, of: file, message: failure.message, reason: failure.reason,
      remedy: failure.remedy, exitCode: Int(failure.exitCode))
  }
}
