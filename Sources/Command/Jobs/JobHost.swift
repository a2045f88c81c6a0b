// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import Platform
internal import Synchronization

/// The command's side of a job: opens and completes files, and prints.
struct JobHost {
  /// The end of a job.
  enum End {
    case status(Int32)
    case result(InputResult)
  }

  private let job: RunningJob
  private let input: Job.Input?
  private let files: NamedFiles
  private let limits: ImageLimits
  /// Outputs that were checked before an input was opened, the only ones that the process can write.
  private var checked: [OutputFile] = []
  private var hasOpenedInput = false
  private var outputs: [Int: CompletedOutput] = [:]
  private var outputCount = 0
  /// Paths of complete outputs.
  private var published: Set<String> = []
  private var progress: Progress?
  /// Bytes that a message counts as at least, so that there cannot be too many.
  private static let smallestMessage = 256
  /// Bytes that the process may still print.
  private var remaining = (messages: 16 << 20, output: 256 << 20)

  /// Runs a job in a process of its own.
  ///
  /// - Parameters:
  ///   - job: The job.
  ///   - verb: The verb that it is of.
  ///   - server: The server of the command.
  ///   - execution: Limits and time.
  /// - Returns: Its end, if it follows the protocol.
  /// - Throws: `.inputOutput` if the process cannot be started or confined, `.codecFailure` if it crashes
  ///   or does not follow the protocol, `.limitExceeded` if it needs more memory or time than it may.
  static func run(
    _ job: Job, of verb: any ParsableCommand, on server: JobServer, _ execution: Execution
  ) throws(ImageError) -> End {
    var host = JobHost(
      try server.start(job, timeLimit: execution.budget.timeLimit), job.input,
      NamedFiles.of(verb), execution.limits)
    defer { host.close() }
    do throws(JobConnection.Failure) {
      try host.job.connection.send(job)
      let end = try host.serve()
      host.job.end()
      return end
    } catch {
      let cause = host.job.error(after: error)
      guard cause.code == .workerKilled, let result = host.unreported else { throw cause }
      return .result(result)
    }
  }

  /// The result of an input whose output was complete before its process was killed.
  private var unreported: InputResult? {
    guard let input, published.contains(input.output ?? input.path) else { return nil }
    let report = InputReport(output: input.output ?? input.path, showShare: nil)
    InputReport.$current.withValue(report) {
      Console.report(
        [
          Notice(
            .dropped,
            "the process that made the file was ended after the output was complete; its "
              + "notices are missing"
          )
        ], of: input.path)
    }
    return InputResult(BatchResult(.done), report.contents)
  }

  private init(_ job: RunningJob, _ input: Job.Input?, _ files: NamedFiles, _ limits: ImageLimits) {
    (self.job, self.input, self.files, self.limits) = (job, input, files, limits)
  }

  /// Removes what was not completed.
  private func close() {
    progress?.finish()
    for output in outputs.values { output.close() }
  }

  private mutating func serve() throws(JobConnection.Failure) -> End {
    while true {
      let (message, descriptor) = try job.connection.receive(JobMessage.self)
      if let descriptor { Platform.close(descriptor) }
      switch message {
      case .message(let text):
        remaining.messages -= max(text.utf8.count, Self.smallestMessage)
        guard remaining.messages >= 0 else { throw .invalid }
        Console.show(text.shown)
      case .output(let bytes):
        remaining.output -= bytes.count
        guard remaining.output >= 0 else { throw .invalid }
        Console.write(bytes.shown)
      case .progress(let change): show(change)
      case .ended(let status): return .status(status)
      case .finished(let result): return .result(result)
      case .check(let outputs, let inputs): try check(outputs, inputs)
      case .open(let name): try open(name)
      case .begin(let output): try begin(output)
      case .publish(let sizes): try publish(sizes)
      case .abandon(let number): outputs.removeValue(forKey: number)?.close()
      }
    }
  }

  private mutating func check(
    _ outputs: [OutputFile], _ inputs: [String]
  ) throws(JobConnection.Failure) {
    if let refusal = OutputFile.refusal(of: outputs, differingFrom: inputs) {
      return try answer(refusal.error, output: refusal.output)
    }
    guard !hasOpenedInput || outputs.allSatisfy(checked.contains) else { throw .invalid }
    checked += outputs
    try job.connection.send(JobAnswer.done)
  }

  private mutating func open(_ name: String) throws(JobConnection.Failure) {
    guard files.contains(name, for: input) else { throw .invalid }
    hasOpenedInput = true
    let file: OpenedInput
    do throws(ImageError) {
      file = try OpenedInput(name, limits: limits)
    } catch {
      return try answer(error)
    }
    defer { Platform.close(file.descriptor) }
    try job.connection.send(JobAnswer.opened(size: file.size), sharing: file.descriptor)
  }

  private mutating func begin(_ output: OutputFile) throws(JobConnection.Failure) {
    guard checked.contains(output), outputs.count < 16 else { throw .invalid }
    let begun: CompletedOutput
    do throws(ImageError) { begun = try output.begin() } catch { return try answer(error) }
    outputCount += 1
    outputs[outputCount] = begun
    try job.connection.send(JobAnswer.begun(outputCount), sharing: begun.descriptor)
  }

  private mutating func publish(_ sizes: [Int: Int]) throws(JobConnection.Failure) {
    let complete = sizes.sorted { $0.key > $1.key }.compactMap { number, size in
      outputs[number]?.with(count: size)
    }
    guard complete.count == sizes.count, sizes.values.allSatisfy({ $0 >= 0 }) else {
      throw .invalid
    }
    do throws(ImageError) {
      try CompletedOutput.publish(complete)
    } catch {
      return try answer(error)
    }
    published.formUnion(complete.map(\.file.path))
    try job.connection.send(JobAnswer.done)
  }

  private func answer(_ error: ImageError, output: Int = 0) throws(JobConnection.Failure) {
    try job.connection.send(JobAnswer.refused(StoredDiagnostic(error), output: output))
  }

  private mutating func show(_ change: ProgressChange) {
    switch change {
    case .begin(let style, let label):
      progress = ProgressStyle(rawValue: style).map { Progress($0, label: label) }
    case .show(let share, let stage): progress?.show(share, stage: stage.visible)
    case .complete: progress?.complete()
    case .finish: progress?.finish()
    }
  }
}

/// The files that the arguments of a command name, which its jobs may read.
struct NamedFiles: Sendable {
  private let names: Set<String>
  /// Each of which is read by a job of its own.
  private let inputs: Set<String>

  private static let found = Mutex<NamedFiles?>(nil)

  /// The files of the command that runs.
  static func of(_ verb: any ParsableCommand) -> NamedFiles {
    found.withLock { found in
      let files = found ?? NamedFiles(verb)
      found = files
      return files
    }
  }

  private init(_ verb: any ParsableCommand) {
    var names = Set(CommandLine.arguments.dropFirst())
    for word in CommandLine.arguments {
      if let equals = word.firstIndex(of: "=") {
        names.insert(String(word[word.index(after: equals)...]))
      }
    }
    names.formUnion(verb.inputNames)
    if let verb = verb as? any RequestVerb, let json = try? verb.request().json(),
      let request = JSONValue(Data(json))
    {
      names.formUnion(request.texts)
    }
    (self.names, inputs) = (names, Set(verb.inputNames))
  }

  func contains(_ name: String, for input: Job.Input?) -> Bool {
    guard let input else { return names.contains(name) }
    return name == input.path || name == input.companion
      || names.contains(name) && !inputs.contains(name)
  }
}
