// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Synchronization
import Testing

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

  /// A file that counts how often it is read.
  private final class CountingFile: ByteProvider {
    private let contents: [UInt8]
    let reads = Mutex(0)
    var count: Int { contents.count }

    init(_ contents: [UInt8]) { self.contents = contents }

    func bytes(in range: Range<Int>) throws(ImageError) -> [UInt8] {
      reads.withLock { $0 += 1 }
      return Array(contents[range])
    }
  }

  /// Coded data that an edited file keeps are equal without being read; others are compared.
  @Test func keptDataAreNotRead() throws {
    let file = CountingFile(Array(0..<100))
    let origin = SourceBytes.Origin(ByteSource(file))
    func payload(_ origin: SourceBytes.Origin, _ ranges: Range<Int>...) -> CodedPayload {
      CodedPayload("", ranges.map { SourceBytes(origin, $0) })
    }
    let original = payload(origin, 10..<40, 60..<90)
    var spliced = SplicedBytes(source: origin.source)
    spliced.append([1, 2, 3])
    spliced.append(10..<40)
    spliced.append(60..<90)
    // An edit of the edited file.
    var again = SplicedBytes(source: ByteSource(spliced))
    again.append(1..<63)
    let edited = SourceBytes.Origin(ByteSource(again))
    #expect(try original.hasSameBytes(as: payload(edited, 2..<62)))
    #expect(try original.hasSameBytes(as: payload(edited, 2..<20, 20..<62)))
    #expect(file.reads.withLock { $0 } == 0)
    #expect(try !original.hasSameBytes(as: payload(edited, 1..<61)))
    #expect(file.reads.withLock { $0 } > 0)
    // Equal bytes that the edit inserted.
    var inserted = SplicedBytes(source: origin.source)
    inserted.append(10..<40)
    inserted.append(Array(60..<80))
    inserted.append(80..<90)
    let other = SourceBytes.Origin(ByteSource(inserted))
    #expect(try original.hasSameBytes(as: payload(other, 0..<60)))
    inserted = SplicedBytes(source: origin.source)
    inserted.append(10..<40)
    inserted.append(Array(60..<79) + [0])
    inserted.append(80..<90)
    let changed = SourceBytes.Origin(ByteSource(inserted))
    #expect(try !original.hasSameBytes(as: payload(changed, 0..<60)))
  }

  /// Edits of edits do not nest, which ended a program whose stack was too small.
  @Test func manyEdits() throws {
    var source = ByteSource([UInt8](repeating: 7, count: 100))
    for edit in 0..<50_000 {
      var spliced = SplicedBytes(source: source)
      spliced.append(0..<50)
      spliced.append([UInt8(edit & 255)])
      spliced.append(51..<100)
      source = ByteSource(spliced)
    }
    let bytes = try source.bytes(in: 0..<100)
    #expect(bytes == [UInt8](repeating: 7, count: 50) + [UInt8(49_999 & 255)] + bytes[51...])
    #expect(bytes[51...].allSatisfy { $0 == 7 })
  }
}
