// SPDX-License-Identifier: Apache-2.0
import Foundation
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
    #expect(budget.usedMemory == 100 && budget.peakMemory == 100)
    #expect(throws: ImageError.self) { try budget.debit(memory: .max, for: "samples") }
    try budget.debit(steps: 3, for: "boxes")
    let second = #expect(throws: ImageError.self) { try budget.debit(for: "boxes") }
    #expect(second?.code.id == "budget/work-exceeded" && budget.spentSteps == 3)
  }

  /// All threads of a job and all copies of its execution share one budget.
  @Test func threadsShare() throws {
    let execution = Execution(threads: 4, budget: Execution.Budget(steps: 500))
    let copy = execution
    let results = try execution.run { () throws(ImageError) in
      try concurrentMap(1000) { _ in
        (try? Execution.current.budget.debit(for: "steps")) != nil
      }
    }
    #expect(results.count { $0 } == 500 && copy.budget.spentSteps == 500)
  }

  /// Planes are debited while they exist, and copies that share their memory once.
  @Test func samplesAreDebited() throws {
    let execution = Execution(budget: Execution.Budget(memory: 10_000))
    try execution.run { () throws(ImageError) in
      do {
        let plane = Plane<UInt16>(width: 100, height: 10, filledWith: 0)
        let copy = plane
        #expect(execution.budget.usedMemory == 2000 && copy == plane)
      }
      #expect(execution.budget.usedMemory == 0 && execution.budget.peakMemory == 2000)
    }
  }

  /// Files that are processed concurrently stay within one limit; each releases its own structures.
  @Test func budgetsOfFiles() throws {
    let whole = Execution.Budget(memory: 100)
    let (first, second) = (Execution.Budget(within: whole), Execution.Budget(within: whole))
    var file: Execution.HeldMemory? = Execution.HeldMemory()
    try file?.hold { () throws(ImageError) in try first.debit(memory: 60, for: "items") }
    #expect(throws: ImageError.self) { try second.debit(memory: 50, for: "items") }
    #expect(throws: ImageError.self) { try second.require(memory: 50, for: "items") }
    try second.debit(memory: 30, for: "items")
    #expect(whole.usedMemory == 90 && first.usedMemory == 60 && second.usedMemory == 30)
    file = nil
    #expect(whole.usedMemory == 30 && first.usedMemory == 0)
    do {
      let reservation = try second.reserve(memory: 70, for: "samples")
      #expect(whole.usedMemory == 100)
      _ = reservation
    }
    #expect(whole.usedMemory == 30 && whole.peakMemory == 100)
    #expect(first.peakMemory == 60 && second.peakMemory == 100)
    #expect(whole.spentSteps == 0)
  }

  /// Each file has its own steps, which files that are opened during the work on it share.
  @Test func stepsOfFiles() throws {
    let execution = Execution(budget: Execution.Budget(steps: 3))
    func spend(_ count: Int) throws(ImageError) {
      try Execution.current.budget.debit(steps: count, for: "boxes")
    }
    for _ in 0..<5 {
      let file = Execution.HeldMemory()
      try execution.run { () throws(ImageError) in
        try file.hold { () throws(ImageError) in try spend(3) }
      }
    }
    #expect(execution.budget.spentSteps == 15)
    let error = #expect(throws: ImageError.self) {
      try execution.run { () throws(ImageError) in
        try Execution.HeldMemory().hold { () throws(ImageError) in
          try spend(2)
          try Execution.HeldMemory().hold { () throws(ImageError) in try spend(2) }
        }
      }
    }
    #expect(error?.code.id == "budget/work-exceeded")
  }

  @Test func bytesAreParsedOnce() throws {
    var count = 0
    func parse(_ bytes: [UInt8]) throws(ImageError) -> Int {
      try Execution.parsing(bytes) { () throws(ImageError) in
        count += 1
        guard !bytes.isEmpty else { throw ImageError(.cancelled) }
        return bytes.count
      }
    }
    #expect(try parse([1]) == 1 && parse([1]) == 1 && count == 2)
    try Execution.HeldMemory().hold { () throws in
      for _ in 0..<3 { #expect(try parse([1]) == 1 && parse([2, 3]) == 2) }
      #expect(count == 4)
      for _ in 0..<2 { #expect(throws: ImageError.self) { try parse([]) } }
      #expect(count == 6)
      // A megabyte is known.
      let large = [UInt8](repeating: 0, count: 1 << 20)
      #expect(try parse(large) == 1 << 20 && parse(large) == 1 << 20 && count == 7)
      #expect(try parse([1]) == 1 && count == 8)
    }
  }

  /// An image that does not fit is refused before its samples are allocated.
  @Test func imagesBeyondTheBudget() throws {
    let layout = ImageLayout(
      width: 100, height: 10, components: .rgb, samples: .integer(bits: 10))
    #expect(layout.byteCount == 6000)
    let execution = Execution(budget: Execution.Budget(memory: 5999))
    let error = #expect(throws: ImageError.self) {
      try execution.run { () throws(ImageError) in try layout.requireMemory() }
    }
    #expect(error?.code.id == "budget/memory-exceeded")
    #expect(error?.parameters["element"] == .text("samples"))
  }

  /// Samples beyond the limit end the operation at its next band.
  @Test func samplesBeyondTheBudget() throws {
    let execution = Execution(budget: Execution.Budget(memory: 1999))
    let error = #expect(throws: ImageError.self) {
      try execution.run { () throws(ImageError) in
        let plane = Plane<UInt16>(width: 100, height: 10, filledWith: 0)
        defer { withExtendedLifetime(plane) {} }
        try forEachBand(of: 0..<10) { _ in }
      }
    }
    #expect(error?.code.id == "budget/memory-exceeded")
  }

  @Test func reservations() throws {
    let budget = Execution.Budget(memory: 100)
    var reservation: Execution.Reservation? = try budget.reserve(memory: 60, for: "chunks")
    #expect(budget.usedMemory == 60 && reservation != nil)
    #expect(throws: ImageError.self) { try budget.reserve(memory: 41, for: "chunks") }
    reservation = nil
    #expect(budget.usedMemory == 0)
    let used = try budget.reserving(memory: 100, for: "chunks") { () throws(ImageError) in
      budget.usedMemory
    }
    #expect(used == 100 && budget.usedMemory == 0)
    // Memory of parsed structures is released with their holder.
    try Execution.HeldMemory().hold { () throws(ImageError) in
      try budget.debit(memory: 70, for: "boxes")
      try budget.debit(memory: 20, for: "boxes")
      #expect(budget.usedMemory == 90)
    }
    #expect(budget.usedMemory == 0 && budget.peakMemory == 100)
  }

  /// The default leaves half of the machine to others.
  @Test func defaultMemory() {
    let limit = Execution.Budget().memory
    #expect(limit > 0 && limit <= Int(clamping: ProcessInfo.processInfo.physicalMemory) / 2)
  }
}
