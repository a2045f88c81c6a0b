// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRCore

/// The result of one of several inputs.
struct BatchResult: Sendable {
  enum Status: String, Sendable {
    case done
    case failed
    /// The output existed and was not older.
    case skipped
    /// A journal records the input as done.
    case doneBefore
  }

  let status: Status
  var report = InputReport.Contents()
  var failure: Failure?
  var exitCode: Int32 = 0
  /// Number of times that the input was processed.
  var attempts = 0
  var milliseconds = 0
  /// Largest memory that was debited at one time, in bytes.
  var peakMemory = 0

  /// Whether the same input may succeed later.
  var isTransient: Bool { status == .failed && exitCode == Failure.temporaryExitCode }

  /// Whether the input failed after its output was written.
  var leavesOutput: Bool { failure?.error.code.id == ErrorCode.batchInputChanged.id }

  /// Codes of the failure and of all notices, each once.
  var codes: [String] {
    var seen: Set<String> = []
    let codes = [failure?.error.code.id].compactMap(\.self) + report.notices.map(\.code.id)
    return codes.filter { seen.insert($0).inserted }
  }

  init(_ status: Status) { self.status = status }

  /// The result of an input that failed.
  init(_ error: any Error, of verb: any ParsableCommand.Type) {
    status = .failed
    switch error {
    case let error as Failure: failure = error
    case let error as ImageError: failure = Failure(error)
    // The verb has reported already.
    case let code as ExitCode: exitCode = code.rawValue
    default: failure = Failure(arguments: verb.completeMessage(for: error))
    }
    if let failure { exitCode = failure.exitCode }
  }
}
