// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Dispatch
internal import Platform
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import Synchronization

/// Processes all inputs of a command.
///
/// A failed input does not end the others. Inputs that needed more memory than was free are processed
/// again after all others, alone, with increasing delays.
struct BatchRunner<Verb: BatchVerb>: Sendable {
  private let verb: Verb
  private let arguments: [String]

  /// Memory of a file in addition to that of its pixels, and of one whose size is unknown.
  private static var bytesPerFile: Int { 24 << 20 }
  private static var mostAttempts: Int { 3 }

  /// - Parameters:
  ///   - verb: The command with all inputs.
  ///   - arguments: Arguments of the command line, which identify its options in journals.
  init(_ verb: Verb, arguments: [String] = Array(CommandLine.arguments.dropFirst())) {
    (self.verb, self.arguments) = (verb, arguments)
  }

  /// Processes, reports in the order of the inputs, and prints a summary.
  ///
  /// - Throws: The failure that ends the command before any work; `ExitCode` if inputs failed or the
  ///   journal could not be written.
  func run() throws {
    let jobs = try BatchJobList(verb).jobs
    let execution = Execution.current
    let resumption = try resumption()
    let processor = BatchProcessor(verb: verb, execution: execution, resumption: resumption)
    guard !verb.listsOutputs else {
      return try OutputListing(jobs: jobs, wantsJSON: verb.wantsJSON).print(processor.list)
    }
    let reports = BatchReports(jobs, verb)
    let results = Mutex<[Int: BatchResult]>([:])
    let isStopped = Atomic(false)
    @Sendable func process(_ index: Int, threads: Int, memory: Int) -> BatchResult? {
      let showShare: (@Sendable (Double) -> Void)? =
        reports.showsProgress ? { @Sendable share in reports.update(index, share: share) } : nil
      return processor.process(jobs[index], threads: threads, memory: memory, showShare: showShare)
    }
    let finished = Mutex<Set<Int>>([])
    @Sendable func finish(_ index: Int, _ result: BatchResult) {
      if result.status != .failed { finished.withLock { _ = $0.insert(index) } }
      resumption?.record(result, of: jobs[index])
      reports.finish(index, result)
      if resumption?.failure != nil || result.status == .failed && verb.batch.failFast {
        isStopped.store(true, ordering: .relaxed)
      }
    }
    BatchScheduler(threads: execution.threads, memory: execution.budget.memory).run(
      jobs.count, cost: { index in execution.perform { cost(of: jobs[index]) } }
    ) { index, threads, memory in
      guard let result = process(index, threads: threads, memory: memory) else { return false }
      if result.isTransient {
        results.withLock { $0[index] = result }
      } else {
        finish(index, result)
      }
      return !isStopped.load(ordering: .relaxed)
    }
    for (index, first) in results.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      var result = first
      while result.isTransient, result.attempts < Self.mostAttempts,
        !isStopped.load(ordering: .relaxed)
      {
        Self.wait(milliseconds: 250 << (2 * (result.attempts - 1)))
        let attempts = result.attempts
        guard
          let next = process(
            index, threads: execution.threads, memory: execution.budget.memory)
        else { break }
        result = next
        result.attempts += attempts
      }
      finish(index, result)
    }
    try reports.end(journalFailure: resumption?.failure)
    if verb.printsHTML { printHTML(of: jobs, finished.withLock { $0 }) }
    if let failure = resumption?.failure { throw ExitCode(failure.exitCode) }
    if reports.hasFailed { throw ExitCode(1) }
  }

  /// Prints the element of each input of which all outputs were made.
  private func printHTML(of jobs: [BatchJob], _ finished: Set<Int>) {
    var images: [String: [ResponsiveImage.Image?]] = [:]
    for (index, job) in jobs.enumerated() {
      let image: ResponsiveImage.Image? =
        if finished.contains(index), let path = try? job.output.get(), let size = job.size,
          let format = FileFormat(suffix: path.fileSuffix)
        {
          .init(
            path: path, format: format, width: size.width, height: size.height,
            isHDR: (try? ImageFile(path: path).contents())?.primary.isHighDynamicRange == true)
        } else { nil }
      images[job.input.name, default: []].append(image)
    }
    var printed: Set<String> = []
    for job in jobs where printed.insert(job.input.name).inserted {
      let all = images[job.input.name] ?? []
      let made = all.compactMap(\.self)
      guard made.count == all.count else { continue }
      Console.print(ResponsiveImage(made, in: verb.batch.outDir).lines)
    }
  }

  /// The journal of `--resume`, which a run that writes nothing only reads.
  private func resumption() throws(Failure) -> Resumption? {
    guard let path = verb.batch.resume else { return nil }
    let key = OptionsKey(arguments, inputs: verb.inputPaths).value
    guard !verb.listsOutputs, !verb.writesNothing else {
      return try Resumption(reading: path, optionsKey: key)
    }
    try BatchProcessor<Verb>.createFolder(of: path)
    return try Resumption(journal: path, optionsKey: key)
  }

  /// Bytes of memory that a job needs, by estimate; the live budget is the limit in any case.
  ///
  /// Images are read only if they could need more than the share of a thread, at an eighth of a bit per
  /// pixel: flat images have less, and are underestimated.
  private func cost(of job: BatchJob) -> Int {
    guard let output = try? job.output.get() else { return Self.bytesPerFile }
    let bytesPerPixel = verb.bytesPerPixel(of: output)
    func cost(_ pixels: Int) -> Int {
      let bytes = pixels.multipliedReportingOverflow(by: bytesPerPixel)
      let sum = bytes.partialValue.addingReportingOverflow(Self.bytesPerFile)
      return bytes.overflow || sum.overflow ? Int.max : sum.partialValue
    }
    let execution = Execution.current
    if job.extent == nil, let size = FileIdentity(job.input.path)?.size {
      let most = cost(64 * Int(clamping: min(size, 1 << 50)))
      if most <= execution.budget.memory / execution.threads { return most }
    }
    let extent = try? job.extent ?? ImageExtent(path: job.input.path)
    return extent.map { cost($0.mostPixels) } ?? Self.bytesPerFile
  }

  private static func wait(milliseconds: Int) {
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(milliseconds))
  }
}
