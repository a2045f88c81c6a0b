// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import Synchronization

extension Execution {
  /// Memory and steps of work for a whole job.
  ///
  /// Everything that a file can request is debited before it is allocated or executed. The memory
  /// of samples, of encoded blocks and of codec libraries is debited while it is in use; that of
  /// parsed structures and inflated bytes as long as their file exists. Steps of work only grow:
  /// XML elements and attributes, boxes, items, properties, directory entries, segments, chunks,
  /// scans and tiles; parsing, planning, converting and editing a file have their own.
  /// `ImageLimits` bounds one image or one file at a time. All threads of a job share one budget.
  public final class Budget: Sendable {
    /// Limit of memory in use at one time, in bytes.
    public let memory: Int
    /// Limit of steps of work for each operation on a file, of the order of a microsecond each.
    public let steps: Int
    /// Time for one file; `nil` without a limit.
    public let timeLimit: Duration?
    private let deadline: ContinuousClock.Instant?
    private let bytes = Atomic(0)
    private let mostBytes = Atomic(0)
    private let allSteps = Atomic(0)
    /// Steps outside of the work on a file.
    private let alone = Atomic(0)
    /// The budget of the whole job, from which all memory is debited as well.
    private let whole: Budget?

    /// Half of the memory that this process may use: the smallest of physical memory, the limit of
    /// its control group, and its limits of addresses and data.
    public static let defaultMemory = MachineMemory.available / 2

    /// 2^27 steps of work for one file: some minutes, a hundred times as many as cameras' files
    /// need.
    public static let defaultSteps = 1 << 27

    /// Makes an unused budget.
    ///
    /// - Parameters:
    ///   - memory: Limit of memory in bytes, not below 0.
    ///   - steps: Steps of work for each operation on a file; for other work, such as reading rows of a
    ///     `SourceImage`, in all.
    ///   - timeLimit: Time from now; for a job of several files, from the beginning of each. Work
    ///     that debits steps, and work in bands and tiles, ends soon after it.
    public init(
      memory: Int = Budget.defaultMemory, steps: Int = Budget.defaultSteps,
      timeLimit: Duration? = nil
    ) {
      self.memory = max(memory, 0)
      self.steps = max(steps, 0)
      self.timeLimit = timeLimit
      deadline = timeLimit.map { .now + $0 }
      whole = nil
    }

    /// Makes the budget of one of several files that are processed concurrently.
    ///
    /// Memory is debited from both budgets, so that all files together stay within the whole.
    ///
    /// - Parameter whole: The budget of the job.
    package init(within whole: Budget) {
      memory = whole.memory
      steps = whole.steps
      timeLimit = whole.timeLimit
      deadline = timeLimit.map { .now + $0 }
      self.whole = whole
    }

    /// Bytes in use.
    public var usedMemory: Int { bytes.load(ordering: .relaxed) }

    /// The largest number of bytes in use at one time.
    public var peakMemory: Int { mostBytes.load(ordering: .relaxed) }

    /// Steps debited so far, by all operations on all files.
    public var spentSteps: Int { allSteps.load(ordering: .relaxed) }

    /// Debits bytes before they are allocated, as long as the `HeldMemory` exists that the operation
    /// keeps its structures in; without one, as long as the budget exists.
    ///
    /// - Parameters:
    ///   - count: Number of bytes, not below 0.
    ///   - element: Purpose, for the message.
    ///   - location: Location in the file.
    /// - Throws: `.limitExceeded` if the budget does not suffice, in which case nothing is debited.
    package func debit(
      memory count: Int, for element: String, at location: ImageError.Location = .init()
    ) throws(ImageError) {
      try take(count, for: element, at: location)
      Execution.currentHeldMemory?.keep(count, of: self)
    }

    /// Debits bytes before they are allocated, as long as the reservation exists.
    ///
    /// - Parameters:
    ///   - count: Number of bytes, not below 0.
    ///   - element: Purpose, for the message.
    ///   - location: Location in the file.
    /// - Returns: The reservation, to be kept with the memory.
    /// - Throws: As `debit(memory:for:at:)`.
    package func reserve(
      memory count: Int, for element: String, at location: ImageError.Location = .init()
    ) throws(ImageError) -> Reservation {
      try take(count, for: element, at: location)
      return Reservation(self, count)
    }

    /// Runs `body` while bytes are debited.
    ///
    /// - Throws: As `debit(memory:for:at:)`; errors of `body`.
    package func reserving<Result>(
      memory count: Int, for element: String, _ body: () throws(ImageError) -> Result
    ) throws(ImageError) -> Result {
      try take(count, for: element, at: .init())
      defer { release(count) }
      return try body()
    }

    /// Fails unless bytes that are about to be allocated and debited are available.
    ///
    /// - Throws: As `debit(memory:for:at:)`.
    package func require(memory count: Int, for element: String) throws(ImageError) {
      guard count <= memory - usedMemory else { throw exceeded(count, element) }
      try whole?.require(memory: count, for: element)
    }

    /// Debits steps before they are executed.
    ///
    /// - Parameters:
    ///   - count: Number of steps, not below 0.
    ///   - element: Purpose, for the message.
    ///   - location: Location in the file.
    /// - Throws: `.limitExceeded` if the budget does not suffice, in which case nothing is debited.
    package func debit(
      steps count: Int = 1, for element: String, at location: ImageError.Location = .init()
    ) throws(ImageError) {
      let isWithinLimit =
        if let file = Execution.currentHeldMemory?.work { file.spend(count, limit: steps) } else {
          Self.add(count, to: alone, limit: steps)
        }
      guard isWithinLimit else {
        throw ImageError(.workBudgetExceeded, ["element": element, "limit": steps], at: location)
      }
      allSteps.wrappingAdd(count, ordering: .relaxed)
      try requireTime()
    }

    /// Whether the time for the file has passed.
    var isOverdue: Bool { deadline.map { $0 < .now } ?? false }

    /// Fails after the time for the file.
    func requireTime() throws(ImageError) {
      guard isOverdue, let timeLimit else { return }
      throw ImageError(.timeLimitExceeded, ["limit": timeLimit / .seconds(1)])
    }

    /// Debits elements of a structure before they are parsed: a step and the memory of each.
    ///
    /// - Parameters:
    ///   - count: Number of elements, not below 0.
    ///   - element: Purpose, for the message.
    ///   - location: Location in the file.
    /// - Throws: As `debit(memory:for:at:)`.
    package func debit(
      elements count: Int = 1, of element: String, at location: ImageError.Location = .init()
    ) throws(ImageError) {
      try debit(steps: count, for: element, at: location)
      try debit(memory: Self.elementSize * count, for: element, at: location)
    }

    /// Bytes of an element of a structure, such as an item, a chunk or a directory entry.
    private static let elementSize = 192

    /// Debits bytes that are already allocated; beyond the limit, `requireRest()` fails.
    func occupy(_ count: Int) {
      note(bytes.wrappingAdd(count, ordering: .relaxed).newValue)
      whole?.occupy(count)
    }

    fileprivate func release(_ count: Int) {
      bytes.wrappingSubtract(count, ordering: .relaxed)
      whole?.release(count)
    }

    /// Releases bytes that `occupy(_:)` debited.
    func vacate(_ count: Int) { release(count) }

    /// Fails if more bytes are in use than the limit allows.
    func requireRest() throws(ImageError) {
      guard usedMemory <= memory else { throw exceeded(usedMemory, "samples") }
      try whole?.requireRest()
    }

    /// Whether idle memory must be freed for the limit to hold.
    func isNearLimit(keeping idle: Int) -> Bool {
      usedMemory > memory - idle || whole?.isNearLimit(keeping: idle) == true
    }

    private func take(
      _ count: Int, for element: String, at location: ImageError.Location
    ) throws(ImageError) {
      guard Self.add(count, to: bytes, limit: memory) else {
        var error = exceeded(count, element)
        error.location = location
        throw error
      }
      do throws(ImageError) { try whole?.take(count, for: element, at: location) } catch {
        bytes.wrappingSubtract(count, ordering: .relaxed)
        throw error
      }
      note(usedMemory)
    }

    private func note(_ used: Int) {
      mostBytes.max(used, ordering: .relaxed)
      freeIdleSampleMemory(near: self)
    }

    private func exceeded(_ count: Int, _ element: String) -> ImageError {
      ImageError(.memoryBudgetExceeded, ["element": element, "size": count, "limit": memory])
    }

    static func add(_ amount: Int, to used: borrowing Atomic<Int>, limit: Int) -> Bool {
      var before = used.load(ordering: .relaxed)
      while amount <= limit - before {
        let result = used.compareExchange(
          expected: before, desired: before + amount, ordering: .relaxed)
        if result.exchanged { return true }
        before = result.original
      }
      return false
    }
  }

  /// Memory of parsed structures, debited as long as this value exists.
  ///
  /// Operations of one file may have several budgets.
  package final class HeldMemory: Sendable {
    private let debits = Mutex<[(budget: Budget, count: Int)]>([])
    /// Shared with the work that this file is a part of.
    let work: FileWork

    package init() { work = Execution.currentHeldMemory?.work ?? FileWork() }

    deinit {
      for debit in debits.withLock({ $0 }) { debit.budget.release(debit.count) }
    }

    /// Runs `body`, and keeps what it debits for structures.
    package func hold<Result, Failure: Error>(
      _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
      var execution = Execution.current
      execution.heldMemory = self
      return try execution.perform(body)
    }

    fileprivate func keep(_ count: Int, of budget: Budget) {
      debits.withLock { debits in
        if debits.last?.budget === budget {
          debits[debits.count - 1].count += count
        } else {
          debits.append((budget, count))
        }
      }
    }
  }

  /// Bytes of a budget that are in use as long as this value exists.
  package final class Reservation: Sendable {
    private let budget: Budget
    private let count: Int

    fileprivate init(_ budget: Budget, _ count: Int) {
      self.budget = budget
      self.count = count
    }

    deinit { budget.release(count) }
  }
}

/// Memory of the machine that this process may use.
enum MachineMemory {
  /// Physical memory, or a smaller limit of the control group or of the process, in bytes.
  static var available: Int {
    let physical = Int(clamping: ProcessInfo.processInfo.physicalMemory)
    let limits = ProcessLimits()
    return (ControlGroup.current.memoryLimits + [limits.addresses, limits.data].compactMap(\.self))
      .filter { $0 > 0 }.reduce(physical, min)
  }
}

/// The control groups of Linux that contain this process, of both versions.
///
/// Source: cgroups(7); Linux, Control Group v2, cpu.max and memory.max.
struct ControlGroup {
  /// The lines of /proc/self/cgroup: "0::/path" in version 2; "9:memory:/path" in version 1.
  let membership: String
  /// The folder where the file systems of control groups are mounted.
  let root: String

  /// The groups of this process.
  static var current: ControlGroup {
    ControlGroup(membership: text("/proc/self/cgroup"), root: "/sys/fs/cgroup")
  }

  /// Limits of memory in bytes.
  var memoryLimits: [Int] {
    folders(of: "memory").flatMap { folder in
      ["memory.max", "memory.limit_in_bytes"].compactMap { file in
        Self.words(in: "\(folder)/\(file)").first.flatMap { Int($0) }
      }
    }
  }

  /// Limits of processor time, in processors, rounded up.
  var processorLimits: [Int] {
    folders(of: "cpu").compactMap { folder in
      var words = Self.words(in: "\(folder)/cpu.max")
      if words.isEmpty {
        words = ["cpu.cfs_quota_us", "cpu.cfs_period_us"].flatMap { file in
          Self.words(in: "\(folder)/\(file)")
        }
      }
      // A quota of "max" or -1 is none.
      guard words.count == 2, let quota = Double(words[0]), let period = Double(words[1]),
        quota > 0, period > 0
      else { return nil }
      return Int(exactly: (quota / period).rounded(.up))
    }
  }

  /// Folders of the groups that control a resource, the innermost first.
  ///
  /// A container sees its own group as the root.
  private func folders(of controller: String) -> [String] {
    membership.split(separator: "\n").flatMap { line -> [String] in
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { return [] }
      let mount = fields[1].isEmpty ? root : "\(root)/\(controller)"
      guard fields[1].isEmpty || fields[1].split(separator: ",").contains(controller[...]) else {
        return []
      }
      var path = fields[2].split(separator: "/").map(String.init)
      var folders: [String] = []
      while true {
        folders.append(([mount] + path).joined(separator: "/"))
        guard path.popLast() != nil else { return folders }
      }
    }
  }

  private static func words(in path: String) -> [String] {
    text(path).split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// The text of a file; empty if it cannot be read.
  static func text(_ path: String) -> String {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
