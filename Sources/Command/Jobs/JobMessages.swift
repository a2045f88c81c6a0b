// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import ImageReports
internal import Platform

/// The work of a process: all of the command, or one of its inputs.
struct Job: Codable, Sendable {
  /// One of several inputs.
  struct Input: Codable, Sendable {
    let path: String
    /// The path of the output; `nil` if the input is replaced.
    var output: String?
    /// The SDR image that belongs to a raw file.
    var companion: String?
    /// Whether an output that exists is replaced.
    var mayReplace: Bool
    /// The output among several of the input.
    var variant: OutputVariant?
    /// The reason for which an output that is only listed would not be made.
    var forecast: ListedOutputReport.Forecast?
  }

  /// The input; `nil` for all of the command.
  var input: Input?
  var threads: Int
  /// Memory, in bytes.
  var memory: Int
  /// Whether the command prints to a terminal.
  var isWatched: Bool
  /// Whether the command shows the share of the work on one of several inputs.
  var showsShare = false
}

/// A statement of the process of a job, or a question to the command.
///
/// The process may be in the hands of a file: the command checks every value.
enum JobMessage: Codable, Sendable {
  /// Text for standard error.
  case message(String)
  /// Bytes for standard output.
  case output(Data)
  case progress(ProgressChange)
  /// The job has ended with a status.
  case ended(Int32)
  /// The work on one of several inputs has ended.
  case finished(InputResult)

  // Messages with an answer.

  /// Asks whether outputs may be written and differ from inputs; before any input is opened.
  case check([OutputFile], inputs: [String])
  /// Asks for an input.
  case open(String)
  /// Asks for the partial file of an output that was checked.
  case begin(OutputFile)
  /// Asks to complete outputs, given with their sizes.
  case publish([Int: Int])
  /// Tells that an output will not be completed.
  case abandon(Int)
}

/// The answer to a message.
enum JobAnswer: Codable, Sendable {
  case done
  /// The size of an input; its descriptor comes with the message.
  case opened(size: Int)
  /// The number of an output; the descriptor of its partial file comes with the message.
  case begun(Int)
  /// The error, and the index of the output that is responsible.
  case refused(StoredDiagnostic, output: Int)
}

/// A change of the display of progress.
enum ProgressChange: Codable, Sendable {
  case begin(style: String, label: String)
  case show(Double, stage: String)
  case complete
  case finish
}

/// The result of one of several inputs.
struct InputResult: Codable, Sendable {
  var output = Data()
  var messages = ""
  /// Objects of the JSON report.
  var results: [Data] = []
  var notices: [StoredDiagnostic] = []
  var light: InputReport.Light?
  var verdict: String?
  var failure: StoredFailure?
  var exitCode: Int32 = 0
  var peakMemory = 0

  init(_ result: BatchResult, _ report: InputReport.Contents) {
    (output, messages) = (Data(report.output), report.messages)
    results = report.results.compactMap { (try? $0.json()).map { Data($0) } }
    notices = report.notices.map(StoredDiagnostic.init)
    (light, verdict) = (report.light, report.verdict)
    failure = result.failure.map(StoredFailure.init)
    (exitCode, peakMemory) = (result.exitCode, result.peakMemory)
  }

  /// Adds the reports to those of the current input.
  func addReport() {
    InputReport.add { report in
      report.output += output.shown
      report.messages += messages.shown
      report.results += results.compactMap(JSONValue.init)
      report.notices += notices.compactMap(\.notice)
      (report.light, report.verdict) = (light, verdict)
      report.peakMemory = peakMemory
    }
  }
}

extension Data {
  /// Text for a terminal; the line ends stay.
  var shown: [UInt8] { Array(String(decoding: self, as: UTF8.self).shown.utf8) }
}

extension String {
  /// The lines with an escape for each character that controls a terminal.
  var shown: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).visible }
      .joined(separator: "\n")
  }
}

/// An error or a notice on its way from the process of a job.
struct StoredDiagnostic: Codable, Sendable {
  private indirect enum Value: Codable, Sendable {
    case integer(Int)
    case number(Double)
    case text(String)
    case list([Value])
    case range(Double, Double)
    case size(Int, Int)
    case cause(StoredDiagnostic)

    init(_ value: DiagnosticValue) {
      self =
        switch value {
        case .integer(let integer): .integer(integer)
        case .number(let number): .number(number)
        case .text(let text): .text(text)
        case .list(let values): .list(values.map(Value.init))
        case .range(let range): .range(range.lowerBound, range.upperBound)
        case .dimensions(let width, let height): .size(width, height)
        case .cause(let error): .cause(StoredDiagnostic(error))
        }
    }

    var value: DiagnosticValue {
      switch self {
      case .integer(let integer): .integer(integer)
      case .number(let number): .number(number)
      case .text(let text): .text(text)
      case .list(let values): .list(values.map(\.value))
      case .range(let lower, let upper): lower <= upper ? .range(lower...upper) : .number(lower)
      case .size(let width, let height): .dimensions(width: width, height: height)
      case .cause(let cause): cause.error.map(DiagnosticValue.cause) ?? .text("")
      }
    }
  }

  private let id: String
  private let category: String
  private let english: String
  private let parameters: [String: Value]
  private let file: String?
  private let path: [String]
  private let offset: Int?

  init(_ error: ImageError) {
    self.init(
      error.code.id, error.category.rawValue, error.code.english, error.parameters, error.location)
  }

  init(_ notice: Notice) {
    self.init(
      notice.code.id, notice.category.rawValue, notice.code.english, notice.parameters,
      notice.location)
  }

  private init(
    _ id: String, _ category: String, _ english: String, _ parameters: DiagnosticParameters,
    _ location: ImageError.Location
  ) {
    (self.id, self.category, self.english) = (id, category, english)
    self.parameters = parameters.values.mapValues(Value.init)
    (file, path, offset) = (location.file, location.path, location.offset)
  }

  var error: ImageError? {
    guard let category = ImageError.Category(rawValue: category) else { return nil }
    return ImageError(ErrorCode(id, category, english), values, at: location)
  }

  var notice: Notice? {
    guard let category = Notice.Category(rawValue: category) else { return nil }
    return Notice(NoticeCode(id, category, english), values, at: location)
  }

  private var values: DiagnosticParameters {
    var values = DiagnosticParameters()
    values.values = parameters.mapValues(\.value)
    return values
  }

  private var location: ImageError.Location { .init(file: file, path: path, offset: offset) }
}

/// A failure on its way from the process of a job.
struct StoredFailure: Codable, Sendable {
  private let error: StoredDiagnostic
  private let message: String
  private let reason: String?
  private let remedy: String
  private let exitCode: Int32

  init(_ failure: Failure) {
    error = StoredDiagnostic(failure.error)
    (message, reason) = (failure.message, failure.reason)
    (remedy, exitCode) = (failure.remedy, failure.exitCode)
  }

  var failure: Failure? {
    error.error.map {
      Failure(stored: $0, message: message, reason: reason, remedy: remedy, exitCode: exitCode)
    }
  }
}
