// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

#if JPEGXL
/// Streams of libbrotlienc 1.0.9.
@Suite("Brotli") struct BrotliTests {
  /// `<x:xmpmeta xmlns:x="adobe:ns:meta/"/>`.
  static let packet = hex(
    "0b12803c783a786d706d65746120786d6c6e733a783d2261646f62653a6e733a6d6574612f222f3e03")
  /// 0, the offset of Exif, and a big-endian TIFF header with an empty directory.
  static let exif = hex("1b1100f8a7019a5410c64081c0508e01")
  /// 70 MiB of zeros in 119 bytes.
  static let bomb = hex(
    """
    cbffff3ff82700e2b14020f7fe8fffff7ff04f00c4611180eefd1fffffffe09f0088c30200ddfb3ffeffffc13f01\
    10870500baf77ffcffff837f02200e0b0074effff8ffff07ff04401c1600e8defff1ffff0ffe0980382c00d0bdff\
    e3ffff1ffc1300715800a07bff97ffff5ff82700e2b00040f7fe0b
    """)

  @Test func decompression() throws {
    #expect(
      try Brotli.decompress(Self.packet) == Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"/>".utf8))
    for length in 0..<Self.packet.count - 1 {
      #expect(throws: ImageError.self) { try Brotli.decompress(Array(Self.packet[..<length])) }
    }
    #expect(throws: ImageError.self) { try Brotli.decompress([0xFF, 0xFF, 0xFF]) }
  }

  @Test func limits() throws {
    let error = #expect(throws: ImageError.self) { try Brotli.decompress(Self.bomb) }
    #expect(error?.category == .limitExceeded)
    let small = Execution(budget: Execution.Budget(memory: 1 << 20))
    let debited = #expect(throws: ImageError.self) {
      try small.perform { try Brotli.decompress(Self.bomb, limit: .max) }
    }
    #expect(debited?.category == .limitExceeded)
    #expect(small.budget.peakMemory <= 1 << 20)
    let map = try JPEGXLFileTests.parse(
      JPEGXLFileTests.box("jxlc", JPEGXLFileTests.codestream),
      JPEGXLFileTests.box("brob", Array("jhgm".utf8) + Self.bomb))
    let box = #expect(throws: ImageError.self) {
      try small.perform { try map.gainMapBox(map.boxes("jhgm")[0]) }
    }
    #expect(box?.category == .limitExceeded)
  }

  @Test func boxes() throws {
    let file = try JPEGXLFileTests.parse(
      JPEGXLFileTests.box("brob", Array("xml ".utf8) + Self.packet),
      JPEGXLFileTests.box("brob", Array("Exif".utf8) + Self.exif),
      JPEGXLFileTests.box("jxlc", JPEGXLFileTests.codestream))
    #expect(try file.xmp() == Brotli.decompress(Self.packet))
    #expect(try file.exif() == hex("4D4D 002A 00000008 0000 00000000"))
  }
}
#endif
