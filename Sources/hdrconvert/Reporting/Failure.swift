internal import Foundation
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// The end of a command that did not do what was asked: what, why, and what to try.
struct Failure: Error {
  /// Which half of the work failed: a codec that fails on input has met bad input, one that fails
  /// on output is our bug.
  enum Stage {
    case reading
    case writing
  }

  static let usageExitCode: Int32 = 64
  static let inputOutputExitCode: Int32 = 74

  /// The error of the libraries; `nil` for arguments that make no sense.
  let error: ImageError?
  let message: String
  let reason: String?
  let remedy: String
  let exitCode: Int32

  /// - Parameters:
  ///   - error: The error of the libraries.
  ///   - stage: Which half of the work failed.
  ///   - known: What helps, if the verb knows better than the tables.
  init(_ error: ImageError, stage: Stage = .reading, remedy known: String? = nil) {
    self.error = error
    if let file = error.location.file {
      var place = error.location
      place.file = nil
      let inside = place.description
      message =
        Self.deed(error.category, stage) + " \(file)" + (inside.isEmpty ? "" : " [\(inside)]")
      reason = error.message
    } else {
      message = error.message
      reason = nil
    }
    remedy =
      known ?? Remedies.remedy(against: error, of: .current) ?? Self.remedy(for: error, stage)
    exitCode =
      switch error.category {
      case .invalidArgument: Self.usageExitCode
      case .truncated, .malformed, .limitExceeded, .unsuitable: 65
      case .missingInput: 66
      case .missingCodec: 69
      // A damaged byte can ask for anything; only what the caller asks for is a missing feature.
      case .unsupported: stage == .reading ? 65 : 69
      case .codecFailure: stage == .reading ? 65 : 70
      case .cannotCreate: 73
      case .inputOutput: Self.inputOutputExitCode
      case .cancelled: 130
      }
  }

  /// Arguments that make no sense.
  init(usage message: String, remedy: String? = nil) {
    error = nil
    self.message = message
    reason = nil
    self.remedy = remedy ?? Self.help
    exitCode = Self.usageExitCode
  }

  /// What cannot be done; the name of the file follows.
  private static func deed(_ code: ImageError.Category, _ stage: Stage) -> String {
    switch (stage, code) {
    case (.writing, _): "cannot write"
    case (.reading, .invalidArgument), (.reading, .unsuitable): "\(verb) cannot do that with"
    case (.reading, _): "cannot read"
    }
  }

  private static var verb: String { Invocation.current.verb }

  /// Where the options are explained.
  static var help: String { "hdrconvert \(verb) --help" }

  /// What helps where the code that failed knows nothing better.
  private static func remedy(for error: ImageError, _ stage: Stage) -> String {
    switch (error.category, stage) {
    case (.missingInput, _): "check the name; it is taken from the working folder"
    case (.truncated, .reading), (.malformed, .reading), (.codecFailure, .reading):
      "get or export the file again; it is damaged, or not what its name says"
    case (.unsupported, .reading): "export it otherwise; hdrconvert codecs lists what is read"
    case (.inputOutput, .reading): "check that the file can be read: ls -l"
    case (.cannotCreate, _): "check that the folder can be written: ls -ld"
    case (.inputOutput, .writing): "check that there is room: df"
    case (.invalidArgument, _), (.cancelled, _): help
    case (.unsuitable, _):
      "hdrconvert inspect \((error.location.file ?? "-").asArgument), which lists what is there"
    case (.limitExceeded, _): "raise --max-pixels or --memory-limit if you trust this file"
    case (.unsupported, .writing): "another format; hdrconvert codecs lists what is written"
    case (.missingCodec, _): "a build with the codec; hdrconvert codecs lists what this one has"
    case (.truncated, .writing), (.malformed, .writing), (.codecFailure, .writing):
      "another format or other options; and please report it, for it is our mistake"
    }
  }

  func report() {
    let id = error?.code.id
    let code = id.map { " (\($0))" } ?? ""
    Console.note("error: \(message)" + (reason == nil ? code : ""))
    Console.add([reason.map { "  why: \($0)\(code)" }, "  try: \(remedy)"].compactMap(\.self))
  }
}

/// Runs `body`, whose errors belong to one stage of the work on one file.
///
/// - Parameters:
///   - stage: Which half of the work it is.
///   - file: The name of the file.
///   - remedy: What helps against an error, if the verb knows better than the tables.
///   - body: The work.
/// - Returns: Its result.
/// - Throws: Its error, with the name of the file.
func during<Result>(
  _ stage: Failure.Stage, _ file: String, remedy: (ImageError) -> String? = { _ in nil },
  _ body: () throws(ImageError) -> Result
) throws(Failure) -> Result {
  do { return try body() } catch {
    let error = error.inFile(file)
    throw Failure(error, stage: stage, remedy: remedy(error))
  }
}
