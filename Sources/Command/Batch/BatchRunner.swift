// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Dispatch
internal import HDRConversion
internal import Platform
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
          let next = process(index, threads: execution.threads, memory: execution.budget.memory)
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

/// Runs jobs concurrently, as many as threads and memory allow.
///
/// Jobs start in their order. As long as enough of them wait, each has one thread, since whole images
/// scale better than bands; the last ones, and images that need most of the memory, share the
/// remaining threads.
struct BatchScheduler {
  let threads: Int
  /// Bytes.
  let memory: Int

  private struct State {
    var next = 0
    var running = 0
    var freeThreads: Int
    var freeMemory: Int
    var isStopped = false
    var isFilling = false
    var mustFillAgain = false
  }

  /// Runs all jobs and waits for them.
  ///
  /// - Parameters:
  ///   - count: Number of jobs.
  ///   - cost: Bytes that a job needs, by estimate; called once before it starts.
  ///   - body: Runs a job with a number of threads and bytes of memory; `false` starts no further job.
  func run(
    _ count: Int, cost: @escaping @Sendable (Int) -> Int,
    _ body: @escaping @Sendable (_ index: Int, _ threads: Int, _ memory: Int) -> Bool
  ) {
    let run = Run(self, count, cost, body)
    run.fill()
    run.group.wait()
  }

  /// The number of threads for a job that starts.
  ///
  /// - Parameters:
  ///   - free: Threads that no job has.
  ///   - waiting: Jobs that have not started, this one included.
  ///   - fitting: Jobs of this size that fit into the free memory, at least 1.
  /// - Returns: A number in 1...free.
  static func share(free: Int, waiting: Int, fitting: Int) -> Int {
    max(free / max(min(waiting, fitting, free), 1), 1)
  }

  private final class Run: Sendable {
    let group = DispatchGroup()
    private let scheduler: BatchScheduler
    private let count: Int
    private let cost: @Sendable (Int) -> Int
    private let body: @Sendable (Int, Int, Int) -> Bool
    private let state: Mutex<State>

    init(
      _ scheduler: BatchScheduler, _ count: Int, _ cost: @escaping @Sendable (Int) -> Int,
      _ body: @escaping @Sendable (Int, Int, Int) -> Bool
    ) {
      (self.scheduler, self.count, self.cost, self.body) = (scheduler, count, cost, body)
      state = Mutex(State(freeThreads: scheduler.threads, freeMemory: scheduler.memory))
    }

    /// Starts as many jobs as fit; only one thread does so at a time.
    func fill() {
      let mayFill = state.withLock { state in
        state.mustFillAgain = state.isFilling
        defer { state.isFilling = true }
        return !state.isFilling
      }
      guard mayFill else { return }
      var waitingCost: Int?
      while true {
        let next = state.withLock { state -> Int? in
          guard state.next < count, !state.isStopped, state.freeThreads > 0 else { return nil }
          return state.next
        }
        var isStarted = false
        if let next {
          let need = min(waitingCost ?? cost(next), scheduler.memory)
          isStarted = start(next, need)
          waitingCost = isStarted ? nil : need
        }
        if isStarted { continue }
        let isDone = state.withLock { state in
          defer { state.mustFillAgain = false }
          if !state.mustFillAgain { state.isFilling = false }
          return !state.mustFillAgain
        }
        if isDone { return }
      }
    }

    /// Starts a job if its memory is free.
    private func start(_ index: Int, _ need: Int) -> Bool {
      let share = state.withLock { state -> (threads: Int, memory: Int)? in
        guard need <= state.freeMemory || state.running == 0 else { return nil }
        let threads = BatchScheduler.share(
          free: state.freeThreads, waiting: count - index,
          fitting: need > 0 ? max(state.freeMemory / need, 1) : Int.max)
        // What the estimate leaves is divided as the threads are.
        let part = Double(threads) / Double(state.freeThreads)
        let memory = min(
          max(need, Int(clamping: Double(state.freeMemory) * part)), state.freeMemory)
        state.next += 1
        state.running += 1
        state.freeThreads -= threads
        state.freeMemory -= memory
        return (threads, memory)
      }
      guard let (threads, memory) = share else { return false }
      DispatchQueue.global().async(group: group) { [self] in
        let continues = body(index, threads, memory)
        state.withLock { state in
          state.running -= 1
          state.freeThreads += threads
          state.freeMemory += memory
          if !continues { state.isStopped = true }
        }
        fill()
      }
      return true
    }
  }
}

/// The HTML element for the outputs of a web set, of which browsers choose one.
struct ResponsiveImage {
  /// An output with its size in pixels.
  struct Image {
    let path: String
    let format: FileFormat
    let width: Int
    let height: Int
    /// Whether it is too dark or flat without a display for HDR.
    var isHDR = false
  }

  /// The images, the smallest of each format first.
  private let images: [Image]
  /// The folder of the page, to which addresses are relative.
  private let folder: String?

  init(_ images: [Image], in folder: String?) {
    self.images = images.sorted { $0.width < $1.width }
    self.folder = folder
  }

  private func rank(of format: FileFormat) -> Int {
    let traits = format.traits
    let preferred = ["image/avif", "image/jxl"]
    return preferred.firstIndex { $0 == traits.mediaType }
      ?? (traits.isLimitedTo8Bits ? preferred.count + 1 : preferred.count)
  }

  /// The element in lines of HTML.
  var lines: [String] {
    // Browsers take the first that they read; the last is that of `<img>`.
    let formats = Set(images.map(\.format)).sorted { rank(of: $0) < rank(of: $1) }
    guard let last = formats.last, let largest = images.last(where: { $0.format == last }) else {
      return []
    }
    let sources = formats.dropLast().map { format in
      let isForHDR = isHDR(format) && !isHDR(last)
      return #"  <source type="\#(format.traits.mediaType ?? "")""#
        + (isForHDR ? #" media="(dynamic-range: high)""# : "")
        + #" srcset="\#(sourceSet(of: format))" sizes="100vw">"#
    }
    let image =
      #"  <img src="\#(address(of: largest))" srcset="\#(sourceSet(of: last))" sizes="100vw" "#
      + #"width="\#(largest.width)" height="\#(largest.height)" alt="">"#
    return ["<picture>"] + sources + [image, "</picture>"]
  }

  private func isHDR(_ format: FileFormat) -> Bool {
    images.contains { $0.format == format && $0.isHDR }
  }

  private func sourceSet(of format: FileFormat) -> String {
    images.filter { $0.format == format }.map { "\(address(of: $0)) \($0.width)w" }
      .joined(separator: ", ")
  }

  /// The relative address, with the characters escaped that separate addresses or end the attribute.
  private func address(of image: Image) -> String {
    let prefix = folder.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? ""
    let path = image.path.hasPrefix(prefix) ? image.path.dropFirst(prefix.count) : image.path[...]
    return path.utf8.map { byte in
      let character = Character(UnicodeScalar(byte))
      let isPlain =
        character.isASCII
        && (character.isLetter || character.isNumber || "/-_.~".contains(character))
      return isPlain
        ? String(character) : "%" + String(0x100 + Int(byte), radix: 16).dropFirst().uppercased()
    }.joined()
  }
}
