// SPDX-License-Identifier: Apache-2.0
import HDRCore
import ImageFiles
import Testing

/// Work that parsers debit from the budget of a job.
@Suite("Budget of parsers") struct BudgetTests {
  private static let packet = Array(
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
     xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
     xmlns:dc="http://purl.org/dc/elements/1.1/" dc:format="image/avif"/></rdf:RDF></x:xmpmeta>
    """.utf8)

  @Test func xmlElements() throws {
    let enough = Execution(budget: Execution.Budget(steps: 100))
    _ = try enough.run { () throws(ImageError) in try XMPPacket(parsing: Self.packet) }
    // Three elements with five attributes, and three times 64 bytes.
    #expect(enough.budget.spentSteps == 11)
    let less = Execution(budget: Execution.Budget(steps: 10))
    let error = #expect(throws: ImageError.self) {
      try less.run { () throws(ImageError) in try XMPPacket(parsing: Self.packet) }
    }
    #expect(error?.category == .limitExceeded && error?.location.path.first == "XMP")
  }

  @Test func inflatedBytes() throws {
    let deflated = try Zlib.deflate([UInt8](repeating: 0, count: 1 << 20))
    let less = Execution(budget: Execution.Budget(memory: 1 << 19))
    let error = #expect(throws: ImageError.self) {
      try less.run { () throws(ImageError) in try Zlib.inflate(deflated, limit: 1 << 21) }
    }
    #expect(error?.code.id == "budget/memory-exceeded")
    let enough = Execution(budget: Execution.Budget(memory: 1 << 20))
    let inflated = try enough.run { () throws(ImageError) in
      try Zlib.inflate(deflated, limit: 1 << 21)
    }
    #expect(inflated.count == 1 << 20 && enough.budget.usedMemory == 1 << 20)
  }
}
