internal import Synchronization

extension Execution {
  /// Limits of memory and steps of work for a whole job.
  ///
  /// All work that a file can cause is debited in advance: samples and inflated bytes as memory;
  /// XML elements, boxes, properties, directory entries, segments and chunks as steps. The sums
  /// only grow, so they bound a job from its first file to its last. `ImageLimits` bounds one image
  /// or one file at a time. All threads of a job share one budget.
  public final class Budget: Sendable {
    /// Limit of memory, in bytes.
    public let memory: Int
    /// Limit of steps of work, of the order of a microsecond each.
    public let steps: Int
    private let usedMemory = Atomic(0)
    private let usedSteps = Atomic(0)

    /// Makes an unused budget.
    ///
    /// - Parameters:
    ///   - memory: Bytes; the default of 1 TiB is more than a hundred times the default limit of one
    ///     image.
    ///   - steps: Steps of work.
    public init(memory: Int = 1 << 40, steps: Int = 1 << 32) {
      self.memory = memory
      self.steps = steps
    }

    /// Bytes debited so far.
    public var spentMemory: Int { usedMemory.load(ordering: .relaxed) }

    /// Steps debited so far.
    public var spentSteps: Int { usedSteps.load(ordering: .relaxed) }

    /// Debits bytes before they are allocated.
    ///
    /// - Parameters:
    ///   - bytes: Number of bytes, not below 0.
    ///   - element: Purpose, for the message.
    ///   - location: Location in the file.
    /// - Throws: `.limitExceeded` if the budget does not suffice, in which case nothing is debited.
    package func debit(
      memory bytes: Int, for element: String, at location: ImageError.Location = .init()
    ) throws(ImageError) {
      guard Self.debit(bytes, from: usedMemory, limit: memory) else {
        throw ImageError(
          .memoryBudgetExceeded, ["element": element, "size": bytes, "limit": memory],
          at: location)
      }
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
      guard Self.debit(count, from: usedSteps, limit: steps) else {
        throw ImageError(.workBudgetExceeded, ["element": element, "limit": steps], at: location)
      }
    }

    private static func debit(
      _ amount: Int, from used: borrowing Atomic<Int>, limit: Int
    ) -> Bool {
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
}
