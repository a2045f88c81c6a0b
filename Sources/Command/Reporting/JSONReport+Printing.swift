// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageReports

extension JSONReport {
  /// Makes the report of the verb that runs.
  init(inputs: [String], results: [Result], failures: [FailureReport] = []) {
    self.init(
      inputs: inputs, results: results, failures: failures, verb: Invocation.current.verbOfReport)
  }

  /// Prints the report on standard output.
  ///
  /// One of several inputs adds its results to the report of the command.
  ///
  /// - Throws: The failure to encode the report.
  func print() throws(Failure) {
    guard !InputReport.add({ $0.results += results }) else { return }
    let text: [UInt8]
    do throws(ImageError) { text = try json() } catch { throw Failure(error, stage: .writing) }
    Console.write(text + [0x0A])
  }
}

extension NoticeReport {
  /// Reports a notice with the remedy for the verb that runs.
  init(_ notice: Notice) {
    self.init(notice, remedy: Remedies.remedy(for: notice, of: .current))
  }
}

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
