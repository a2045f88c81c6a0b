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
  /// - Parameter list: Adds the listing of an output to the report of its input.
  /// - Throws: `ExitCode` if an output could not be named or planned; the failure to encode the report.
  func print(_ list: (_ job: BatchJob, _ output: String) throws -> Void) throws {
    var (results, failures) = ([AnyReport](), [FailureReport]())
    var output: [UInt8] = []
    var status: Int32?
    for job in jobs {
      do {
        let name = try job.output.get()
        let report = InputReport(output: name)
        try InputReport.$current.withValue(report) { try list(job, name) }
        results += report.contents.results.map(AnyReport.init)
        output += report.contents.output
      } catch let failure as Failure {
        failure.report()
        failures.append(FailureReport(failure, of: job.input.path))
        status = failure.exitCode
      }
    }
    if wantsJSON {
      try JSONReport(inputs: jobs.map(\.input.path), results: results, failures: failures).print()
    } else {
      Console.write(output)
    }
    if let status { throw ExitCode(jobs.count == 1 ? status : 1) }
  }
}

/// An input and the output that `--dry-run` does not write.
struct ListedOutputReport: ReportObject {
  static let schemaName = "listedOutput"

  /// A reason for which the output would not be made.
  enum Forecast: String, Codable, Sendable {
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
  private let printedNotices: [String]

  enum CodingKeys: String, CodingKey, CaseIterable {
    case input, sdrInput, output, forecast, request, plan, notices
  }

  init(_ input: Job.Input, _ plan: ConversionPlan?, _ losses: [Notice] = []) {
    self.input = input.path
    (sdrInput, output, forecast) = (input.companion, input.output ?? input.path, input.forecast)
    (request, self.plan) = (plan?.request, plan?.steps)
    let foreseen = (plan?.notices ?? []) + losses
    notices = plan.map { _ in foreseen.map { NoticeReport($0) } }
    printedNotices = foreseen.filter(NoticeVisibility.isPrinted).map(\.message)
  }

  /// Adds the listing to the report of its input.
  func add() {
    Console.print(lines)
    InputReport.add { $0.results.append(self) }
  }

  /// The output, and the plan.
  private var lines: [String] {
    [line] + (plan ?? []).map { "  \($0.item): \($0.action.rawValue), \($0.reason)" }
      + printedNotices.map { "  note: \($0)" }
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
