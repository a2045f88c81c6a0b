// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

@testable import ImageContainers
@testable import ImageFiles

@Suite("Edited files as sources") struct SplicedBytesTests {
  /// Compares every range of a spliced file with the contiguous bytes.
  @Test func everyRange() throws {
    var spliced = SplicedBytes(source: ByteSource([10, 11, 12, 13, 14, 15]))
    spliced.append(4..<6)
    spliced.append([1, 2, 3])
    spliced.append(0..<2)
    spliced.append([4])
    let whole = try spliced.allBytes()
    #expect(whole == [14, 15, 1, 2, 3, 10, 11, 4])
    let source = ByteSource(spliced)
    #expect(source.count == whole.count)
    for start in 0...whole.count {
      for end in start...whole.count {
        #expect(try source.bytes(in: start..<end) == Array(whole[start..<end]))
      }
    }
    #expect(throws: ImageError.self) { try source.bytes(in: 0..<9) }
  }
}
