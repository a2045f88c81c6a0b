// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

@testable import ImageFiles

@Suite("Known coded data") struct KnownPayloadsTests {
  private func payload(_ bytes: [UInt8]...) -> CodedPayload {
    CodedPayload("", bytes.map { SourceBytes($0) })
  }

  @Test func bytesAreFoundHoweverTheyAreSplit() throws {
    var known = KnownPayloads([
      payload([1, 2, 3]), payload([4, 5]), payload([6], [7]), payload([8, 9]),
    ])
    #expect(try known.contains(payload([1], [2, 3])))
    #expect(try known.contains(payload([6, 7])))
    #expect(try known.contains(payload([8, 9])))
    #expect(try !known.contains(payload([1, 2, 4])))
    #expect(try !known.contains(payload([4, 6])))
    #expect(try !known.contains(payload([1])))
  }
}
