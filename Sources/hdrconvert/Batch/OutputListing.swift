// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import ImageReports

/// The inputs of `--dry-run` with the outputs that the command would write.
struct OutputListing {
  let jobs: [BatchJob]
  let wantsJSON: Bool

  /// Prints each input with its output, or a JSON report.
  ///
  /// - Parameter forecast: Returns the reason for which an output would not be made.
  /// - Throws: `ExitCode` if an output could not be named; the failure to encode the report.
  func print(
    _ forecast: (_ job: BatchJob, _ output: String) -> ListedOutputReport.Forecast?
  ) throws {
    var (results, failures) = ([ListedOutputReport](), [FailureReport]())
    for job in jobs {
      switch job.output {
      case .success(let output):
        results.append(
          ListedOutputReport(
            input: job.input.path, sdrInput: job.input.companion, output: output,
            forecast: forecast(job, output)))
      case .failure(let failure):
        failure.report()
        failures.append(FailureReport(failure, of: job.input.path))
      }
    }
    if wantsJSON {
      try JSONReport(inputs: jobs.map(\.input.path), results: results, failures: failures).print()
    } else {
      Console.print(results.map(\.line))
    }
    if !failures.isEmpty { throw ExitCode(1) }
  }
}

/// An input and the output that `--dry-run` does not write.
struct ListedOutputReport: ReportObject {
  static let schemaName = "listedOutput"

  /// A reason for which the output would not be made.
  enum Forecast: String, Encodable, Sendable {
    /// The journal records the input as done.
    case doneBefore
    /// The output is not older than the input, and the journal records it.
    case skipped
    /// The output exists and would not be replaced.
    case exists
  }

  let input: String
  /// The SDR image that belongs to a raw file.
  let sdrInput: String?
  let output: String
  let forecast: Forecast?

  enum CodingKeys: String, CodingKey, CaseIterable { case input, sdrInput, output, forecast }

  var line: String {
    let reason =
      switch forecast {
      case .doneBefore: " (done before)"
      case .skipped: " (skipped: not older than the input)"
      case .exists: " (fails: the output exists)"
      case nil: ""
      }
    return "\([input, sdrInput].compactMap(\.self).joined(separator: " + ")) -> \(output)\(reason)"
  }
}
