// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CSandbox
internal import Dispatch
internal import HDRConversion
internal import Platform
internal import Synchronization

/// The process of a job: it has what the command opens for it, and nothing else.
enum JobProcess {
  /// Serves the command that started this process, if one did.
  static func serveIfLaunched() {
    guard unsafe sandbox_is_server(toolVersion) != 0 else { return }
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard let verb = try? HDRConvert.parsed(arguments) else {
      sandbox_exit(Int32(sandbox_exit_not_confined))
    }
    serve(verb)
  }

  /// Forks a process for each job of a verb, until the command ends.
  private static func serve(_ verb: any ParsableCommand) -> Never {
    if let verb = verb as? any BatchVerb, verb.runsInputsAlone { rehearse(verb) }
    // A search among all conformances, which each process would repeat.
    let inputVerb = verb as? any InputVerb
    var limits = sandbox_limits()
    // Returns in each process, before it has threads.
    let connection = JobConnection(unsafe sandbox_serve(&limits))
    guard let (job, _) = try? connection.receive(Job.self), sandbox_confine(limits) == 0 else {
      sandbox_exit(Int32(sandbox_exit_not_confined))
    }
    // A file that becomes too large is an error of `write`.
    signal(SIGXFSZ, SIG_IGN)
    CommandFiles(connection, isWatched: job.isWatched).install()
    // `Mutex` of Swift 6.3 keeps the number of its thread, which `fork` changes for this one.
    let work = Work(verb: verb, inputVerb: inputVerb, job: job)
    guard startThread({ work.run() }) else { sandbox_exit(Int32(sandbox_exit_memory)) }
    DispatchSemaphore(value: 0).wait()
    sandbox_exit(Int32(sandbox_exit_ok))
  }

  /// Runs a verb once on a small image of our own, so that the processes inherit what the runtime of
  /// Swift and the libraries prepare when they are first used.
  private static func rehearse(_ verb: some BatchVerb) {
    // It is resized if the verb resizes.
    let longSide = (try? (verb as? any RequestVerb)?.request())?.geometry.longSide ?? 8
    let width = 2 * min(max(longSide, 8), 2048)
    let red: [UInt8] = [200, 60, 20, 130]
    let radiance =
      Array("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 16 +X \(width)\n".utf8)
      + Array(repeating: red, count: 16 * width).flatMap(\.self)
    let input = Job.Input(path: "a.jpg", output: "b.jpg", mayReplace: true)
    let job = Job(input: input, threads: 1, memory: 256 << 20, isWatched: false)
    // Without other threads, which a process cannot inherit.
    try? verb.execution(of: JobConnection.passed(job)).perform {
      let file = try ImageFile(parsing: ByteSource(radiance))
      let photo = try file.converted(ConversionRequest(format: .jpeg)).bytes
      CommandFiles(rehearsing: photo).install()
      defer { CommandFiles.uninstall() }
      let report = InputReport(output: input.output)
      try InputReport.$current.withValue(report) { try verb.work(on: input) }
      _ = try JobConnection.passed(
        JobMessage.finished(InputResult(BatchResult(.done), report.contents)))
    }
  }

  // SAFETY: the verb is a value that only the new thread uses.
  private struct Work: @unchecked Sendable {
    let verb: any ParsableCommand
    let inputVerb: (any InputVerb)?
    let job: Job

    func run() -> Never {
      guard let input = job.input, let inputVerb else {
        end(with: .ended(HDRConvert.status(running: verb, job)))
      }
      end(with: .finished(result(of: job, input, inputVerb)))
    }
  }

  private static func result(
    of job: Job, _ input: Job.Input, _ verb: some InputVerb
  ) -> InputResult {
    // The command shows it.
    let showShare: (@Sendable (Double) -> Void)? = job.showsShare ? { @Sendable _ in } : nil
    let output = verb.writesNothing ? nil : input.output ?? input.path
    let report = InputReport(output: output, showShare: showShare)
    var result = BatchResult(.done)
    do {
      let execution = try verb.execution(of: job)
      defer { result.peakMemory = execution.budget.peakMemory }
      try execution.perform {
        try InputReport.$current.withValue(report) { try verb.work(on: input) }
      }
    } catch {
      let peak = result.peakMemory
      result = BatchResult(error, of: type(of: verb))
      result.peakMemory = peak
    }
    return InputResult(result, report.contents)
  }

  /// Ends this process with its last message.
  static func end(with message: JobMessage) -> Never {
    CommandFiles.current?.tell(message)
    sandbox_exit(Int32(sandbox_exit_ok))
  }
}

/// The files and the console of the command, for the process of a job.
final class CommandFiles: Sendable {
  /// `nil` for a rehearsal.
  private let connection: JobConnection?
  /// The only input of a rehearsal.
  private let photo: [UInt8]
  /// One question at a time has its answer.
  private let lock = Mutex(())

  private static let installed = Mutex<CommandFiles?>(nil)

  /// Those of the command; `nil` if this process has its own.
  static var current: CommandFiles? { installed.withLock { $0 } }

  /// Whether the command prints to a terminal.
  let isWatched: Bool

  init(_ connection: JobConnection, isWatched: Bool) {
    (self.connection, photo, self.isWatched) = (connection, [], isWatched)
  }

  /// A file in memory; outputs are discarded.
  init(rehearsing photo: [UInt8]) { (connection, self.photo, isWatched) = (nil, photo, false) }

  func install() { Self.installed.withLock { $0 = self } }

  static func uninstall() { installed.withLock { $0 = nil } }

  /// Sends a message without an answer.
  func tell(_ message: JobMessage) {
    guard let connection else { return }
    lock.withLock { _ in
      do { try connection.send(message) } catch { sandbox_exit(Int32(sandbox_exit_ok)) }
    }
  }

  /// Sends a message, and returns its answer.
  private func ask(_ message: JobMessage) -> (JobAnswer, descriptor: Int32?) {
    guard let connection else { return rehearsed(message) }
    return lock.withLock { _ in
      do {
        try connection.send(message)
        return try connection.receive(JobAnswer.self)
      } catch {
        // The command has ended.
        sandbox_exit(Int32(sandbox_exit_ok))
      }
    }
  }

  /// The answer in a rehearsal, after both were coded as messages are.
  private func rehearsed(_ message: JobMessage) -> (JobAnswer, descriptor: Int32?) {
    let answer: JobAnswer =
      switch message {
      case .open: .opened(size: photo.count)
      case .begin: .begun(0)
      default: .done
      }
    _ = try? JobConnection.passed(message)
    return ((try? JobConnection.passed(answer)) ?? .done, nil)
  }

  /// See `OutputFile.refusal(of:differingFrom:)`.
  func refusal(of outputs: [OutputFile], differingFrom inputs: [String]) -> OutputFile.Refusal? {
    guard case .refused(let stored, let output) = ask(.check(outputs, inputs: inputs)).0,
      let error = stored.error
    else { return nil }
    return OutputFile.Refusal(error: error, output: output)
  }

  /// Opens an input.
  func open(_ name: String) throws(ImageError) -> ByteSource {
    let (answer, descriptor) = ask(.open(name))
    guard connection != nil else { return ByteSource(photo) }
    guard case .opened(let size) = answer, let descriptor else { throw error(of: answer) }
    return ByteSource(openFile: descriptor, count: size)
  }

  /// Begins the partial file of an output.
  func begin(_ output: OutputFile) throws(ImageError) -> CompletedOutput {
    let (answer, descriptor) = ask(.begin(output))
    guard connection != nil else {
      return CompletedOutput(file: output, descriptor: OutputFile.unnamedFile(), number: 0)
    }
    guard case .begun(let number) = answer, let descriptor else { throw error(of: answer) }
    return CompletedOutput(file: output, descriptor: descriptor, number: number)
  }

  /// Completes outputs.
  func publish(_ sizes: [Int: Int]) throws(ImageError) {
    let answer = ask(.publish(sizes)).0
    guard case .done = answer else { throw error(of: answer) }
  }

  private func error(of answer: JobAnswer) -> ImageError {
    if case .refused(let stored, _) = answer, let error = stored.error { return error }
    return ImageError(.workerReplyInvalid)
  }
}
