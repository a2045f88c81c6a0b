// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("TIFF structure") struct TIFFFileTests {
  static func parse(_ digits: String, items: Int = 1000) throws(ImageError) -> TIFFFile {
    try TIFFFile(parsing: ByteSource(hex(digits)), limits: ImageLimits(items: items))
  }

  @Test func bigTIFF() throws {
    let file = try Self.parse(
      """
      4949 2B00 0800 0000 1000000000000000
      0200000000000000
      0001 0400 0200000000000000 0700000009000000
      0E01 0200 0900000000000000 4800000000000000
      0000000000000000
      4142432044450020 00
      """)
    #expect(file.isBig && file.byteOrder == .littleEndian)
    let entries = try #require(file.directories.first).entries
    #expect(try file.unsigned(entries[0]) == [7, 9])
    #expect(try file.text(entries[1]) == "ABC DE")
  }

  @Test func numbersOfEveryType() throws {
    let file = try Self.parse(
      """
      4D4D002A 00000008 0007
      0001 0005 00000001 00000062
      0002 000A 00000001 0000006A
      0003 000B 00000001 3FC00000
      0004 000C 00000001 00000072
      0005 0006 00000002 FF800000
      0006 0008 00000002 FFFF8000
      0007 0009 00000001 FFFFFFFE
      00000000
      00000003 00000002
      FFFFFFFD 00000002
      4004000000000000
      """)
    let values = try file.directories[0].entries.map { try file.numbers($0) }
    #expect(values == [[1.5], [-1.5], [1.5], [2.5], [-1, -128], [-1, -32768], [-2]])
  }

  @Test func makerNoteDirectory() throws {
    // As written by Apple: no header, offsets relative to the start of the maker note.
    let bytes = hex("00000000 0001 0021 000A 00000001 00000016 00000000 0001418D 0000D3B2")
    let file = try TIFFFile(
      parsing: ByteSource(bytes), byteOrder: .bigEndian, firstDirectoryAt: 4)
    let entry = try #require(file.directories[0][TIFFTag(rawValue: 33)])
    let numbers = try file.numbers(entry)
    #expect(abs(try #require(numbers.first) - 1.518932) < 1e-6)
  }

  @Test func loopsEnd() throws {
    let file = try Self.parse("4D4D002A 00000008 0000 00000008")
    #expect(file.directories.count == 1)
    #expect(file.notices.count == 1)
  }

  @Test func brokenFilesAreTypedErrors() {
    let cases: [(String, ImageError.Category)] = [
      ("", .malformed), ("4D4D", .truncated), ("4D4D002A 00000000", .truncated),
      ("4D4D0029 00000008", .malformed), ("4949 2B00 0400 0000 1000000000000000", .unsupported),
      ("4D4D002A FFFFFFFF", .truncated), ("4D4D002A 00000008 FFFF", .truncated),
      ("4D4D002A 00000008 00", .truncated),
    ]
    for (digits, code) in cases {
      #expect("\(digits)") { try Self.parse(digits) } throws: {
        ($0 as? ImageError)?.category == code
      }
    }
    #expect { try Self.parse("4D4D002A 00000008 0000 00000000", items: 0) } throws: {
      ($0 as? ImageError)?.category == .limitExceeded
    }
  }

  @Test func valuesBeyondTheEndAreTypedErrors() throws {
    let file = try Self.parse(
      """
      4D4D002A 00000008 0003
      0001 0004 FFFFFFFF 0000000C
      0002 0063 00000001 00000000
      0003 0002 00000006 FFFFFFFF
      """)
    let entries = file.directories[0].entries
    #expect(throws: ImageError.self) { try file.unsigned(entries[0]) }
    #expect(throws: ImageError.self) { try file.numbers(entries[1]) }
    #expect(try file.text(entries[2]) == nil)
    #expect(try file.subdirectories(entries[0]) == [])
  }

  @Test(.enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
  func malformedCorpus() throws {
    for name in Corpus.files(in: ["malformed-any", "malformed-dng", "tiff-hdr"]) {
      guard let file = try? TIFFFile(parsing: Corpus.source(name))
      else { continue }
      for entry in file.directories.flatMap(\.entries) {
        _ = try? file.numbers(entry)
        _ = try file.text(entry)
      }
    }
  }
}
