// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
import ImageContainers
import Testing

@testable import ImageCodecs
@testable import ImageFiles

@Suite("Source reader") struct SourceReaderTests {
  private let bytes: [UInt8] = [1, 2, 3, 4, 5]

  @Test func readsWhereItIsAsked() {
    let reader = SourceReader(ByteSource(bytes))
    #expect(reader.bytes(at: 3, count: 2) == [4, 5])
    #expect(reader.bytes(at: 0, count: 1) == [1])
    #expect(reader.bytes(at: 5, count: 0) == [])
    #expect(reader.failure == nil)
    #expect(reader.lastOffset == 5)
  }

  /// Offsets and counts come from the file and must not cause a trap.
  @Test(
    arguments: [
      (6, 0, .malformed), (.max, 1, .malformed), (2, -1, .malformed), (2, .min, .malformed),
      (1, .max, .malformed), (4, 2, .truncated), (0, .max, .truncated),
    ] as [(UInt64, Int, ImageError.Category)])
  func refuses(offset: UInt64, count: Int, code: ImageError.Category) {
    let reader = SourceReader(ByteSource(bytes))
    #expect(reader.bytes(at: offset, count: count) == nil)
    #expect(reader.failure?.category == code)
  }

  @Test func keepsTheFirstFailure() {
    let reader = SourceReader(ByteSource(bytes))
    _ = reader.bytes(at: 4, count: 2)
    _ = reader.bytes(at: 9, count: 1)
    #expect(reader.failure?.category == .truncated)
  }
}
