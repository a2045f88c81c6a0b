// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("JPEG XL gain map box") struct JPEGXLGainMapBoxTests {
  private func parse(_ bytes: [UInt8]) throws(ImageError) -> JPEGXLGainMapBox {
    try JPEGXLGainMapBox(parsing: SourceBytes(bytes))
  }

  /// The layout of libjxl's golden file: lengths 88, 3 and 16.
  private let golden =
    hex("00 0058") + [UInt8](repeating: 1, count: 88) + hex("03 50B400 00000010")
    + [UInt8](repeating: 2, count: 16) + Array("codestream".utf8)

  @Test func fields() throws {
    let box = try parse(golden)
    #expect(box.version == 0)
    #expect(box.metadata == [UInt8](repeating: 1, count: 88))
    #expect(try box.compressedProfile.bytes() == [UInt8](repeating: 2, count: 16))
    #expect(try box.codestream.bytes() == Array("codestream".utf8))
    #expect(box.codestream.offset == golden.count - 10)
    #expect(throws: ImageError.self) { try box.imageHeader() }
  }

  /// Linear transfer function with sRGB primaries, as in libjxl's test.
  @Test func colorEncoding() throws {
    let color = try JPEGXLColorEncoding(parsing: try parse(golden).colorEncoding)
    #expect(color.cicp == CICP(primaries: .bt709, transfer: .linear, matrix: .identity))
    #expect(try JPEGXLColorEncoding(parsing: [1]).cicp?.transfer == .srgb)
    #expect(throws: ImageError.self) { try JPEGXLColorEncoding(parsing: []) }
    #expect(throws: ImageError.self) { try JPEGXLColorEncoding(parsing: [0x50]) }
  }

  @Test func lengthsAreChecked() throws {
    for length in 0..<golden.count - 10 {
      #expect(throws: ImageError.self) { try parse(Array(golden.prefix(length))) }
    }
    #expect(try parse(Array(golden.dropLast(10))).codestream.isEmpty)
  }
}
