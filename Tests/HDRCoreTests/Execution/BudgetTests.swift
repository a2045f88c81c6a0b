import HDRCore
import Testing

@Suite("Budget") struct BudgetTests {
  @Test func whatIsLeftCanBeSpent() throws {
    let budget = Execution.Budget(memory: 100, steps: 3)
    try budget.debit(memory: 60, for: "samples")
    let error = #expect(throws: ImageError.self) {
      try budget.debit(memory: 41, for: "samples", at: .init(path: ["meta"], offset: 7))
    }
    #expect(error?.code.id == "budget/memory-exceeded")
    #expect(error?.category == .limitExceeded && error?.location.offset == 7)
    #expect(error?.parameters["limit"] == .integer(100))
    #expect(error?.parameters["size"] == .integer(41))
    // The rejected amount is not debited.
    try budget.debit(memory: 40, for: "samples")
    #expect(budget.spentMemory == 100)
    #expect(throws: ImageError.self) { try budget.debit(memory: .max, for: "samples") }
    try budget.debit(steps: 3, for: "boxes")
    let second = #expect(throws: ImageError.self) { try budget.debit(for: "boxes") }
    #expect(second?.code.id == "budget/work-exceeded" && budget.spentSteps == 3)
  }

  /// All threads of a job and all copies of its execution share one budget.
  @Test func threadsShare() throws {
    let execution = Execution(threads: 4, budget: Execution.Budget(steps: 500))
    let copy = execution
    let results = try execution { () throws(ImageError) in
      try concurrentMap(1000) { _ in
        (try? Execution.current.budget.debit(for: "steps")) != nil
      }
    }
    #expect(results.count { $0 } == 500 && copy.budget.spentSteps == 500)
  }

  @Test func samplesAreDebited() throws {
    let layout = ImageLayout(
      width: 100, height: 10, components: .rgb, samples: .integer(bits: 10))
    let execution = Execution(budget: Execution.Budget(memory: 10_000))
    let error = #expect(throws: ImageError.self) {
      try execution { () throws(ImageError) in
        try ImageLimits().checkMemory(of: layout)
        try ImageLimits().checkMemory(of: layout)
      }
    }
    #expect(error?.parameters["element"] == .text("samples"))
    #expect(execution.budget.spentMemory == 6000)
  }
}
