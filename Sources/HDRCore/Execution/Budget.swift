internal import Synchronization

extension Execution {
  /// Memory and steps of work that a whole job may cost.
  ///
  /// Everything that a file can ask for is debited before it is done: samples and inflated bytes as
  /// memory; XML elements, boxes, properties, directory entries, segments and chunks as steps. The sums
  /// only grow: they bound what a job does from its first file to its last. `ImageLimits` bounds what
  /// one image or one file may ask for at a time. All threads of a job share one budget.
  public final class Budget: Sendable {
    /// Bytes.
    public let memory: Int
    /// Steps of work, of the order of a microsecond each.
    public let steps: Int
    private let usedMemory = Atomic(0)
    private let usedSteps = Atomic(0)

    /// A budget of which nothing is used.
    ///
    /// - Parameters:
    ///   - memory: Bytes; the default of 1 TiB is more than a hundred times the default limit of one
    ///     image.
    ///   - steps: Steps of work.
    public init(memory: Int = 1 << 40, steps: Int = 1 << 32) {
      self.memory = memory
      self.steps = steps
    }

    /// Bytes that were debited so far.
    public var spentMemory: Int { usedMemory.load(ordering: .relaxed) }

    /// Steps that were debited so far.
    public var spentSteps: Int { usedSteps.load(ordering: .relaxed) }

    /// Debits bytes before they are allocated.
    ///
    /// - Parameters:
    ///   - bytes: Number of bytes, not below 0.
    ///   - element: Purpose, for the message.
    ///   - location: Where the file asks for them.
    /// - Throws: `.limitExceeded` if the budget does not suffice; nothing is debited then.
    package func debit(
      memory bytes: Int, for element: String, at location: ImageError.Location = .init()
    ) throws(ImageError) {
      guard Self.debit(bytes, from: usedMemory, limit: memory) else {
        throw ImageError(
          .memoryBudgetExceeded, ["element": element, "size": bytes, "limit": memory],
          at: location)
      }
    }

    /// Debits steps before they are done.
    ///
    /// - Parameters:
    ///   - count: Number of steps, not below 0.
    ///   - element: Purpose, for the message.
    ///   - location: Where the file asks for them.
    /// - Throws: `.limitExceeded` if the budget does not suffice; nothing is debited then.
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
