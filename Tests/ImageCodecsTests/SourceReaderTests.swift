// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
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

  @Test(
    "small pieces are those of the file, in any order",
    arguments: [[0, 7, 16_380, 16_384, 39_990], [39_990, 30_000, 23_000, 9, 0, 16_383]])
  func pieces(offsets: [Int]) {
    let bytes = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    let reader = SourceReader(ByteSource(bytes))
    for offset in offsets {
      for count in [1, 10, 20_000] where offset + count <= bytes.count {
        #expect(reader.bytes(at: UInt64(offset), count: count) == bytes[offset..<offset + count])
      }
    }
    #expect(reader.bytes(at: 39_999, count: 2) == nil)
    #expect(reader.failure?.category == .truncated)
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
