// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import ImageReports

/// The inputs of `--dry-run` with the outputs that the command would write.
struct OutputListing {
  let jobs: [BatchJob]
  let wantsJSON: Bool

  /// Prints each input with its output and its plan, or a JSON report.
  ///
  /// - Parameters:
  ///   - forecast: Returns the reason for which an output would not be made.
  ///   - plan: Returns the plan for an output; `nil` for verbs without one.
  /// - Throws: `ExitCode` if an output could not be named or planned; the failure to encode the report.
  func print(
    _ forecast: (_ job: BatchJob, _ output: String) -> ListedOutputReport.Forecast?,
    plan: (_ job: BatchJob, _ output: String) throws -> ConversionPlan?
  ) throws {
    var (results, failures) = ([ListedOutputReport](), [FailureReport]())
    var status: Int32?
    for job in jobs {
      do {
        let output = try job.output.get()
        let plan = try plan(job, output)
        results.append(
          ListedOutputReport(
            input: job.input.path, sdrInput: job.input.companion, output: output,
            forecast: forecast(job, output), request: plan?.request, plan: plan?.steps,
            notices: plan?.notices.map(NoticeReport.init)))
      } catch let failure as Failure {
        failure.report()
        failures.append(FailureReport(failure, of: job.input.path))
        status = failure.exitCode
      }
    }
    if wantsJSON {
      try JSONReport(inputs: jobs.map(\.input.path), results: results, failures: failures).print()
    } else {
      Console.print(results.flatMap(\.lines))
    }
    if let status { throw ExitCode(jobs.count == 1 ? status : 1) }
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
  /// The request, which `--request` takes.
  let request: ConversionRequest?
  /// The treatment of each image and each metadata item.
  let plan: [ConversionPlan.Step]?
  /// Notices that are known without decoding.
  let notices: [NoticeReport]?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case input, sdrInput, output, forecast, request, plan, notices
  }

  /// The output, and the plan.
  var lines: [String] {
    [line] + (plan ?? []).map { "  \($0.item): \($0.action.rawValue), \($0.reason)" }
      + (notices ?? []).map { "  note: \($0.message)" }
  }

  private var line: String {
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
