// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import ImageReports
internal import Platform

/// The command: parse arguments, call the library, print.
struct HDRConvert: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hdrconvert",
    abstract: "Convert, inspect and edit HDR still images.",
    discussion: """
      `hdrconvert IN OUT` is short for `hdrconvert convert IN -o OUT`.

      examples:
        hdrconvert IMG_0001.HEIC -o photo.avif
        hdrconvert IMG_0001.HEIC -o web.jpg
        hdrconvert inspect photo.avif
      """,
    version: BuildDescription.versionText,
    subcommands: subcommands,
    defaultSubcommand: Convert.self)

  /// All verbs.
  static let subcommands: [any ParsableCommand.Type] = [
    Convert.self, Render.self, GainMapCommand.self, Remux.self, Tag.self, Extract.self,
    Inspect.self, Validate.self, Compare.self, Sheet.self, JournalCommand.self,
    Codecs.self,
  ]

  static func main() {
    // Handlers of exit may not have room either.
    if let shortage { _exit(report(shortage, inputs: [])) }
    Console.occupyClosedStreams()
    let arguments = Array(CommandLine.arguments.dropFirst())
    if let (folder, mayReplace) = ManPage.target(in: arguments) {
      do {
        try ManPage.writeAll(to: folder, mayReplace: mayReplace)
      } catch {
        quit(report(error, inputs: []))
      }
      quit(0)
    }
    if let text = Help.text(for: arguments) ?? CompletionScript.text(for: arguments) {
      Console.print(text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
      quit(0)
    }
    guard !arguments.isEmpty else {
      Console.print(
        Help.jobs.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
      quit(Failure.usageExitCode)
    }
    if let word = Help.unknownVerb(in: arguments) {
      let failure = Failure(
        ImageError(.argumentsUnknownVerb, ["word": word]), remedy: "hdrconvert help")
      quit(report(failure, inputs: []))
    }
    var inputs: [String] = []
    do {
      try checkEncoding()
      var command = try parsed(arguments)
      inputs = command.inputNames
      try prepare(for: command)
      if let list = command as? any ListedInputs { command = try list.withListedInputs() }
      Interruption.install()
      quit(try command.status())
    } catch {
      guard let failure = failure(error, arguments) else {
        exit(withError: error)  // What ArgumentParser itself is asked for, on standard output.
      }
      quit(report(failure, inputs: inputs))
    }
  }

  /// Starts what will read the inputs of a verb.
  private static func prepare(for verb: any ParsableCommand) throws(Failure) {
    do throws(ImageError) {
      guard verb.isConfined else {
        if verb is Codecs || verb.limitOptions?.noIsolation == true { try WorkerProgram.become() }
        return
      }
      JobServer.confineJobs()
      if (verb as? any ReadingVerb)?.needsLibraries != false { try JobServer.start() }
    } catch {
      throw Failure(error)
    }
  }

  /// Runs a verb in the process of its job, and reports its failure.
  ///
  /// - Returns: The status of the command.
  static func status(running verb: any ParsableCommand, _ job: Job) -> Int32 {
    do {
      return try verb.runHere(try verb.execution(of: job))
    } catch {
      return failure(error, []).map { report($0, inputs: verb.inputNames) } ?? 0
    }
  }

  /// The failure of an error; `nil` for a request to ArgumentParser itself.
  private static func failure(_ error: any Error, _ arguments: [String]) -> Failure? {
    if let failure = error as? Failure { return failure }
    guard !exitCode(for: error).isSuccess else { return nil }
    return dashedFile(in: arguments) ?? mistypedVerb(in: CommandLine.arguments)
      ?? Failure.thrownByValidation(error)
      ?? unknownVerbOfGroup(in: arguments)
      ?? unknownOption(in: arguments) ?? Failure(arguments: completeMessage(for: error))
  }

  /// The failure for limits of the process with which it would end at any place.
  private static var shortage: Failure? {
    let limits = ProcessLimits()
    if let stack = limits.stack, stack < 1 << 20 {
      return Failure(
        ImageError(.processStackTooSmall, ["limit": stack]), remedy: "ulimit -s 8192, then again")
    }
    if let addresses = limits.addresses, addresses < 256 << 20 {
      return Failure(
        ImageError(.processMemoryTooSmall, ["limit": addresses]),
        remedy: "ulimit -v 1000000, then again")
    }
    return nil
  }

  /// Fails for an argument that is not UTF-8, since the name of another file would be used.
  private static func checkEncoding() throws(Failure) {
    for index in 1..<max(Int(CommandLine.argc), 1) {
      // SAFETY: the system passes `argc` zero-terminated strings.
      guard let bytes = unsafe CommandLine.unsafeArgv[index],
        unsafe String(validatingCString: bytes) == nil
      else { continue }
      throw Failure(ImageError(.argumentsNotUTF8, ["argument": CommandLine.arguments[index]]))
    }
  }

  /// Reports a failure, as JSON as well if `--json` is given.
  ///
  /// - Returns: The status of the command.
  private static func report(_ failure: Failure, inputs: [String]) -> Int32 {
    failure.report()
    if Invocation.current.wantsJSON {
      try? JSONReport(
        inputs: inputs, results: [ConversionReport](),
        failures: [FailureReport(failure, of: failure.error.location.file)]
      ).print()
    }
    return failure.exitCode
  }
}

/// `hdrconvert gainmap`.
struct GainMapCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gainmap",
    abstract: "Create, apply, extract, join, swap and drop gain maps.",
    subcommands: [
      CreateGainMap.self, ApplyGainMap.self, ExtractGainMap.self, JoinGainMap.self,
      SwapGainMap.self, FlattenGainMap.self,
    ])
}

extension HDRConvert {
  /// The verb with its options; `convert` if the arguments do not name one.
  ///
  /// The parser is given the verb alone: with all of them, it examines the options of the default verb before those of
  /// another one, which takes longer than to inspect a file.
  ///
  /// - Throws: Errors of the parser.
  static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
    let words = arguments.withNegativeValues
    guard let verb = command(named: Array(words.prefix(2))) else {
      return try Convert.parseAsRoot(words)
    }
    guard verb.configuration.subcommands.isEmpty else { return try parseAsRoot(words) }
    return try verb.parseAsRoot(Array(words.dropFirst(name(of: verb).split(separator: " ").count)))
  }

  private static var verbs: [String] { subcommands.map { $0._commandName } }

  /// The verb that arguments name, such as `tag` or `gainmap join`; `convert` if they name none.
  static func verb(of arguments: [String]) -> String {
    name(of: command(named: Array(arguments.dropFirst())) ?? Convert.self)
  }

  /// The error for a first argument that resembles a verb, or is without a suffix, and is not a file.
  static func mistypedVerb(in arguments: [String]) -> Failure? {
    guard let word = arguments.dropFirst().first, !verbs.contains(word), !word.hasPrefix("-"),
      !FileManager.default.fileExists(atPath: word)
    else { return nil }
    let verb = verbs.first { word.lowercased().editCount(to: $0) <= min(2, $0.count / 3) }
    guard verb != nil || word.fileSuffix.isEmpty else { return nil }
    let corrected = verb.map { [$0] + arguments.dropFirst(2).map(\.quoted) }
    return Failure(
      ImageError(.argumentsUnknownVerb, ["word": word]),
      remedy: "hdrconvert \(corrected?.joined(separator: " ") ?? "help")")
  }

  /// The error for a file whose name the parser reads as options.
  static func dashedFile(in arguments: [String]) -> Failure? {
    let name = arguments.prefix { $0 != "--" }
      .first { $0.hasPrefix("-") && $0.count > 2 && FileManager.default.fileExists(atPath: $0) }
    guard let name else { return nil }
    return Failure(
      ImageError(.argumentsInvalid, ["message": "the file name \(name) begins as an option does"]),
      remedy: "./\(name)")
  }

  /// The error for a word after a group of verbs that is not one of them.
  static func unknownVerbOfGroup(in arguments: [String]) -> Failure? {
    let verbs = command(named: Array(arguments.prefix(1)))?.configuration.subcommands ?? []
    guard arguments.count > 1, !verbs.isEmpty, !arguments[1].hasPrefix("-"),
      !verbs.contains(where: { $0._commandName == arguments[1] })
    else { return nil }
    return Failure(
      ImageError(.argumentsUnknownVerb, ["word": "\(arguments[0]) \(arguments[1])"]),
      remedy: "hdrconvert help \(arguments[0])")
  }

  /// The error for an option that the verb does not have, before others that follow from it: what
  /// was to be its value is another input.
  static func unknownOption(in arguments: [String]) -> Failure? {
    let verb = command(named: arguments) ?? Convert.self
    let known = options(of: verb)
    let given = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
      .map { String($0.prefix { $0 != "=" }) }
    guard let option = given.first(where: { !known.contains($0) }) else { return nil }
    let failure = ImageError(.invalidArgument, "unknown option '{option}'", ["option": option])
    let name = String(option.dropFirst(2))
    // The word of the standards for carriers of color.
    let key = name == "signal" ? "color-tags" : name
    if let keyed = keyedOption(with: key, among: known) {
      let value = arguments.drop { $0 != option }.dropFirst().first.map { "=\($0)" } ?? ""
      return Failure(failure, remedy: "\(keyed) \(key)\(value)")
    }
    let verbs = subcommands.flatMap { [$0] + $0.configuration.subcommands }
    if let owner = verbs.first(where: { options(of: $0).contains(option) }) {
      return Failure(failure, remedy: "leave it out; it is an option of \(self.name(of: owner))")
    }
    let similar = known.map { String($0.dropFirst(2)) }.similar(to: name)
    return Failure(
      failure,
      remedy: similar.map { "--\($0) instead of \(option)" }
        ?? "hdrconvert help \(self.name(of: verb)) --all")
  }

  /// The option of a verb that has a key of this name.
  private static func keyedOption(with key: String, among known: Set<String>) -> String? {
    RequestKeys.all.first { option in
      known.contains(option.name) && option.keys.contains { $0.name == key }
    }?.name
  }
}

extension HDRConvert {
  /// The long options of a verb that its help lists; with `isComplete`, all.
  static func options(of verb: any ParsableCommand.Type, isComplete: Bool = true) -> Set<String> {
    let help = helpMessage(for: verb, includeHidden: isComplete)
    // Each option begins a line; others are mentioned in sentences.
    let names = help.matches(of: #/^  -.*?(?:  |<|$)/#.anchorsMatchLineEndings()).flatMap {
      $0.output.matches(of: #/--[a-z][a-z0-9-]*/#).map { String($0.output) }
    }
    return Set(names + ["--version", "--generate-completion-script"])
  }
}

extension String {
  /// Number of letters to insert, remove, replace or exchange with their neighbor to get `other`.
  ///
  /// Source: optimal string alignment distance.
  func editCount(to other: String) -> Int {
    let (from, to) = (Array(self), Array(other))
    var rows = [Array(0...to.count)]
    for i in from.indices {
      var row = [i + 1]
      for j in to.indices {
        var best = Swift.min(
          rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (from[i] == to[j] ? 0 : 1))
        if i > 0, j > 0, from[i] == to[j - 1], from[i - 1] == to[j] {
          best = Swift.min(best, rows[i - 1][j - 1] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[from.count][to.count]
  }
}

extension ParsableCommand {
  /// Whether the work of the verb is done by processes without rights.
  var isConfined: Bool {
    switch self {
    case is Codecs, is JournalCommand: false
    case let verb as Validate where verb.rules: false
    default: limitOptions?.noIsolation != true
    }
  }

  /// Runs the verb: in a process without rights, or if each of several inputs has one, here.
  ///
  /// - Returns: The status of the command.
  /// - Throws: The failure that ends it.
  func status() throws -> Int32 {
    let execution = try execution
    guard (self as? any InputVerb)?.runsInputsAlone != true, let server = try JobServer.start()
    else { return try runHere(execution) }
    let job = Job(
      threads: execution.threads, memory: execution.budget.memory, isWatched: Console.isWatched)
    let file = inputNames.count == 1 ? inputNames[0] : nil
    do throws(ImageError) {
      guard case .status(let status) = try JobHost.run(job, of: self, on: server, execution) else {
        throw ImageError(.workerReplyInvalid)
      }
      return status
    } catch {
      throw Failure(file.map(error.inFile) ?? error)
    }
  }

  /// Runs the verb in this process; the status is that of a verb which has reported itself.
  func runHere(_ execution: Execution) throws -> Int32 {
    var verb = self
    do {
      try execution.perform { try verb.run() }
      return 0
    } catch let code as ExitCode {
      return code.rawValue
    }
  }
}

/// A verb whose inputs may be in folders.
protocol ListedInputs: ParsableCommand {
  /// The verb with all its inputs, which the process of a job cannot find.
  func withListedInputs() throws -> Self
}

/// `exit`, which the methods of `ParsableCommand` hide.
private func quit(_ code: Int32) -> Never {
  JobServer.end()
  exit(code)
}

/// The command, for the programs that consist of it.
package enum Program {
  /// Serves the command that started this process, if one did; then it does not return.
  package static func serveIfStartedByCommand() { JobProcess.serveIfLaunched() }

  /// Runs the command with the arguments of this process.
  package static func run() { HDRConvert.main() }
}

extension [String] {
  /// The arguments with numbers below 0 as values of the options before them.
  ///
  /// The parser takes a word with a minus for an option and reports a missing value. The only option
  /// that begins with a digit is `-0`.
  var withNegativeValues: [String] {
    let end = firstIndex(of: "--") ?? count
    return self[..<end].reduce(into: []) { words, word in
      if let option = words.last, option.isBareOption, word.isBelowZero {
        words[words.count - 1] = "\(option)=\(word)"
      } else {
        words.append(word)
      }
    } + self[end...]
  }
}

extension String {
  /// Whether this is `--name` or `-n`, without a value.
  fileprivate var isBareOption: Bool {
    guard hasPrefix("-"), !contains("="), let first = drop(while: { $0 == "-" }).first else {
      return false
    }
    return first.isLetter && (hasPrefix("--") || count == 2)
  }

  /// Whether this begins as a number below 0 does: `-1`, `-.5`, `-1st`, `-10,5`.
  fileprivate var isBelowZero: Bool {
    let digits = dropFirst()
    return hasPrefix("-") && self != "-0"
      && (digits.first == "." ? digits.dropFirst() : digits).first?.isWholeNumber == true
  }
}
