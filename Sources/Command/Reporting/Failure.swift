// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Platform

/// An error that ends the command: what happened, why, and what to try.
struct Failure: Error {
  /// Half of the work that failed.
  ///
  /// A codec that fails while reading has met a damaged file; one that
  /// fails while writing is a defect of this program.
  enum Stage {
    case reading
    case writing
  }

  static let usageExitCode: Int32 = 64
  static let inputOutputExitCode: Int32 = 74
  static let temporaryExitCode: Int32 = 75

  /// The error with its code, parameters and location.
  let error: ImageError
  let message: String
  let reason: String?
  let remedy: String
  let exitCode: Int32

  /// - Parameters:
  ///   - error: The error of the libraries.
  ///   - stage: Which half of the work failed.
  ///   - known: A remedy that is better than that of the tables.
  init(_ error: ImageError, stage: Stage = .reading, remedy known: String? = nil) {
    let error = error.namingOptions
    self.error = error
    if let file = error.location.file {
      var place = error.location
      place.file = nil
      let inside = place.description
      message =
        Self.operation(error.category, stage, on: file) + (inside.isEmpty ? "" : " [\(inside)]")
      reason = error.message
    } else {
      message = error.message
      reason = nil
    }
    remedy =
      known ?? Remedies.remedy(against: error, of: .current) ?? Self.remedy(for: error, stage)
    exitCode =
      switch error.category {
      case _ where Remedies.isTemporary(error.code): Self.temporaryExitCode
      case .invalidArgument: Self.usageExitCode
      case .truncated, .malformed, .unsuitable, .limitExceeded: 65
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

  /// A failure in the process of a job.
  init(stored error: ImageError, message: String, reason: String?, remedy: String, exitCode: Int32)
  {
    (self.error, self.message, self.reason) = (error, message, reason)
    (self.remedy, self.exitCode) = (remedy, exitCode)
  }

  /// Arguments that the parser does not accept.
  init(arguments text: String) {
    // A list of values comes as one line for each.
    let lines = text.split(whereSeparator: \.isNewline).map {
      $0.trimmed
    }
    let entries = lines.filter { $0.hasPrefix("- ") }.map { $0.dropFirst(2) }
    let sentences = lines.filter { !$0.hasPrefix("- ") }.joined(separator: " ")
    let message = entries.isEmpty ? sentences : "\(sentences) \(entries.joined(separator: ", "))"
    self.init(ImageError(.argumentsInvalid, ["message": Self.rephrased(message)]))
  }

  /// The operation that failed, and the file.
  private static func operation(
    _ category: ImageError.Category, _ stage: Stage, on file: String
  ) -> String {
    let verb = verb.contains(" ") ? "run '\(verb)' on" : verb
    return switch (stage, category) {
    case (.writing, _):
      "cannot write \(file == OutputFile.standardOutput ? "standard output" : file)"
    case (.reading, _) where file == OutputFile.standardOutput: "cannot read standard input"
    case (.reading, .invalidArgument): "cannot \(verb) \(file) with these options"
    case (.reading, .unsuitable): "cannot \(verb) \(file)"
    case (.reading, _): "cannot read \(file)"
    }
  }

  private static var verb: String { Invocation.current.verb }

  /// The command that explains the options of the verb.
  static var help: String { "hdrconvert help \(verb)" }

  /// The command that lists the keys of the option that an error names, or explains the verb.
  private static func help(for error: ImageError) -> String {
    guard case .text(let option)? = error.parameters["field"],
      let name = option.split(separator: " ").first,
      let keyed = RequestKeys.all.first(where: { $0.name == name && option != $0.name })
    else { return help(naming: error.message) }
    return "hdrconvert help \(keyed.topic)"
  }

  /// The command that explains the options in a text; the common help does not list all.
  private static func help(naming text: String) -> String {
    let named = text.matches(of: #/--[a-z][a-z0-9-]*/#).map { String($0.output) }
    let command = HDRConvert.command(named: verb.split(separator: " ").map(String.init))
    let listed = HDRConvert.options(of: command ?? Convert.self, isComplete: false)
    return named.allSatisfy(listed.contains) ? help : help + " --all"
  }

  /// The remedy for a file that does not exist.
  private static func missingInput(_ file: String, _ error: ImageError) -> String {
    guard case .text(let folder)? = error.parameters["folder"] else {
      return "check the name: ls -ld \(file.asArgument)"
    }
    return "check the name, also upper and lower case: ls \(folder.asArgument)"
  }

  /// The remedy for a category of errors, unless the code has one of its own.
  private static func remedy(for error: ImageError, _ stage: Stage) -> String {
    let file = error.location.file ?? "."
    let folder = file.folder.isEmpty ? "." : file.folder
    return switch (error.category, stage) {
    case (.missingInput, _): missingInput(file, error)
    case (.malformed, .reading)
    where file == OutputFile.standardOutput && error.code.id == "input/standard-empty":
      "check the program before the pipe, or its options for writing to standard output"
    case (.truncated, .reading), (.malformed, .reading), (.codecFailure, .reading):
      "get or export the file again; it is damaged or of another format"
    case (.unsupported, .reading):
      "export it in another format; for those that can be read: hdrconvert codecs"
    case (.inputOutput, .reading) where file == OutputFile.standardOutput:
      "check the program that writes to the pipe"
    case (.inputOutput, .writing) where file == OutputFile.standardOutput:
      "check the program that reads from the pipe"
    case (.inputOutput, .reading): "check that the file can be read: ls -l \(file.asArgument)"
    case (.cannotCreate, _): "check that the folder can be written: ls -ld \(folder.asArgument)"
    case (.inputOutput, .writing): "check the free space: df \(folder.asArgument)"
    case (.invalidArgument, _), (.cancelled, _): help(for: error)
    case (.unsuitable, _):
      "hdrconvert inspect \((error.location.file ?? "-").asArgument)"
    case (.limitExceeded, _): "raise --max-pixels or --memory-limit if you trust this file"
    case (.unsupported, .writing):
      "write another format; for those that can be written: hdrconvert codecs"
    case (.missingCodec, _):
      "use a build with this codec; for the codecs of this one: hdrconvert codecs"
    case (.truncated, .writing), (.malformed, .writing), (.codecFailure, .writing):
      "write another format, and please report this defect"
    }
  }

  /// Writes the error to standard error.
  func report() {
    let isUsage = error.code.id == ErrorCode.argumentsInvalid.id
    let code = isUsage ? "" : error.code.name.map { " (\($0))" } ?? ""
    Console.note("error: \(message)" + (reason == nil ? code : ""))
    Console.add([reason.map { "  why: \($0)\(code)" }, "  try: \(remedy)"].compactMap(\.self))
  }
}

/// Runs `body`, whose errors belong to one stage of the work on one file.
///
/// - Parameters:
///   - stage: Half of the work.
///   - file: The name of the file.
///   - remedy: A remedy against an error that is better than that of the tables; `nil` for none.
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

extension Failure {
  /// The failure that a verb threw when it checked its arguments.
  ///
  /// - Parameter error: The error that the parser threw.
  /// - Returns: The failure; `nil` for errors of the parser.
  static func thrownByValidation(_ error: any Error) -> Failure? {
    cases(of: error)["userValidationError"] as? Failure
  }

  /// A message of the parser, in the style of the other messages.
  ///
  /// - Parameter message: The message on one line.
  /// - Returns: The new message; messages of other forms are returned as they are.
  static func rephrased(_ message: String) -> String {
    let invalid = #/The value '(.*)' is invalid for '(-[^ ']+) ?([^']*)'(.*)/#
    if let match = message.wholeMatch(of: invalid) {
      let (_, value, option, form, rest) = match.output
      if let list = rest.firstMatch(of: #/Please provide one of (?:the following: )?(.+?)\.?$/#) {
        var values = list.1.replacing("'", with: "").replacing(" and ", with: ", ")
          .replacing(" or ", with: ", ").split(separator: ", ")
        guard values.count > 1, let last = values.popLast() else { return message }
        return "\(option) takes \(values.joined(separator: ", ")) or \(last), not '\(value)'"
      }
      let cause = rest.hasPrefix(": ") ? " (\(rest.dropFirst(2)))" : ""
      return cause.isEmpty && !form.isEmpty
        ? "\(option) takes \(phrase(for: String(form.dropFirst().dropLast()))), not '\(value)'"
        : "invalid value of \(option): '\(value)'\(cause)"
    }
    let forms = [
      ("Missing expected argument", "missing argument:"), ("Missing value for", "missing value of"),
      ("Unexpected argument", "unexpected argument:"),
    ]
    for (form, phrase) in forms where message.hasPrefix("\(form) '") && message.hasSuffix("'") {
      return "\(phrase) \(message.dropFirst(form.count + 2).dropLast())"
    }
    return message
  }

  /// The form of a value in words.
  private static func phrase(for form: String) -> String {
    switch form {
    case "quality": "a number from 0 to 100"
    case "speed": "a number from 0 to 10"
    case "depth": "8, 10, 12, 16 or 32"
    case "EV": "a number of stops"
    default: form
    }
  }

  /// The associated values of the cases of the parser's error, by the name of the case.
  ///
  /// The parser does not publish the type.
  private static func cases(of error: any Error) -> [String: Any] {
    let fields = Mirror(reflecting: error).children.compactMap { child in
      child.label == "parserError" ? Mirror(reflecting: child.value).children.first : nil
    }
    return Dictionary(
      fields.compactMap { field in field.label.map { ($0, field.value) } },
      uniquingKeysWith: { first, _ in first })
  }
}
