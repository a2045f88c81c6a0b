// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("Needed parts of JPEG") struct NeededJPEGPartsTests {
  private func markers(_ digits: String) throws -> (kept: [String], unneeded: Int) {
    let image = try JPEGImage(parsing: ByteSource(hex(digits)))
    let needed = NeededJPEGParts(of: image)
    let kept = needed.parts.compactMap { part in
      if case .segment(let segment) = part { "\(segment.marker)" } else { nil as String? }
    }
    return (kept, needed.unneeded.count + needed.scans.reduce(0) { $0 + $1.count })
  }

  private let huffman = " 01 000000000000000000000000000000 05"

  /// Of two tables with one number before a scan, the first is not used; the second is in the same segment
  /// as one that is.
  @Test func tables() throws {
    let (kept, unneeded) = try markers(
      """
      FFD8 FFC4 0014 00 \(huffman) FFC4 0026 00 \(huffman) 11 \(huffman)
      FFC0 000B 08 0008 0008 01 01 11 00 FFDA 0008 01 01 00 00 3F 00 12 FFD9
      """)
    #expect(kept == ["DHT", "SOF0", "SOS"])
    #expect(unneeded == 2 * 18)
  }

  /// Conditions of arithmetic coding are only needed by it.
  @Test(arguments: ["C0", "C9"]) func conditions(frame: String) throws {
    let (kept, unneeded) = try markers(
      """
      FFD8 FFCC 0004 00 10 FF\(frame) 000B 08 0008 0008 01 01 11 00
      FFDA 0008 01 01 00 00 3F 00 12 FFD9
      """)
    #expect(kept == (frame == "C0" ? ["SOF0", "SOS"] : ["DAC", "SOF9", "SOS"]))
    #expect(unneeded == (frame == "C0" ? 2 : 0))
  }

  /// Bytes after tables that no scan refers to go with them.
  @Test func bytesAfterTables() throws {
    let (kept, unneeded) = try markers(
      """
      FFD8 FFC4 0016 03 \(huffman) ABCD FFC0 000B 08 0008 0008 01 01 11 00
      FFDA 0008 01 01 00 00 3F 00 12 FFD9
      """)
    #expect(kept == ["SOF0", "SOS"] && unneeded == 18 + 2)
  }

  /// Scans of a progressive image stay, also one of coefficients that are complete: decoders use the last.
  @Test func progressiveScans() throws {
    let (kept, unneeded) = try markers(
      """
      FFD8 FFC2 000B 08 0008 0008 01 01 11 00
      FFDA 0008 01 01 00 00 00 01 12 FFDA 0008 01 01 00 01 3F 00 12 FFDA 0008 01 01 00 00 00 10 12
      FFC2 000B 08 0008 0008 01 01 11 00
      FFDA 0008 01 01 00 01 05 00 123456 FFD9
      """)
    #expect(kept == ["SOF2", "SOS", "SOS", "SOS", "SOS"])
    #expect(unneeded == 9)
  }

  /// A scan after one of all components, and one of another component.
  @Test func sequentialScans() throws {
    let (kept, unneeded) = try markers(
      """
      FFD8 FFC0 000B 08 0008 0008 01 01 11 00
      FFDA 0008 01 01 00 00 3F 00 12 FFDA 0008 01 01 00 00 3F 00 123456 FFD9
      """)
    #expect(kept == ["SOF0", "SOS"] && unneeded == 6 + 3)
    let separate = try markers(
      """
      FFD8 FFC0 000E 08 0008 0008 02 01 11 00 02 11 00
      FFDA 0008 01 01 00 00 3F 00 12 FFDA 0008 01 02 00 00 3F 00 12
      FFDA 0008 01 01 00 00 3F 00 12 FFD9
      """)
    #expect(separate.kept == ["SOF0", "SOS", "SOS", "SOS"] && separate.unneeded == 0)
    // Of scans that begin with one of a component, decoders use the last.
    let mixed = try markers(
      """
      FFD8 FFC0 000E 08 0008 0008 02 01 11 00 02 11 00
      FFDA 0008 01 01 00 00 3F 00 12 FFDA 000A 02 01 00 02 00 00 3F 00 12
      FFDA 0008 01 01 00 00 3F 00 12 FFD9
      """)
    #expect(mixed.kept == ["SOF0", "SOS", "SOS", "SOS"] && mixed.unneeded == 0)
  }

  /// Components with the same identifier cannot be told apart.
  @Test func sameIdentifiers() throws {
    let (kept, unneeded) = try markers(
      """
      FFD8 FFC0 000E 08 0008 0008 02 01 11 00 01 11 00
      FFDA 0008 01 01 00 00 3F 00 12 FFDA 0008 01 01 00 00 3F 00 12 FFD9
      """)
    #expect(kept == ["SOF0", "SOS", "SOS"] && unneeded == 0)
    let image = try JPEGImage(
      parsing: ByteSource(
        hex(
          """
          FFD8 FFC4 0014 00 \(code) FFC4 0014 10 \(code) FFC0 000E 08 0008 0010 02 01 11 00 01 22 00
          FFDA 000A 02 01 00 01 00 00 3F 00 0000 FFD9
          """)))
    #expect(try image.scanEnds().isEmpty)
  }

  /// Bytes that belong to no segment are not coded data, also in an image that was copied from a file.
  @Test func strayBytes() throws {
    var image = JPEGFixtures.image()
    image.insert(contentsOf: [1, 2, 3], at: 2)
    let file = try JPEGFile(parsing: ByteSource(image))
    var copy = file
    copy.replaceImage(0, with: try file.images[0].detached())
    let (old, new) = (try file.codedPayloads()[0], try copy.codedPayloads()[0])
    #expect(try old.hasSameBytes(as: new) && old.count > 0)
  }

  /// No difference has 64 bits.
  @Test func invalidSize() throws {
    let image = try JPEGImage(
      parsing: ByteSource(
        hex(
          """
          FFD8 FFC4 0014 00 01 000000000000000000000000000000 40 FFC4 0014 10 \(code)
          FFC0 000B 08 0008 0008 01 01 11 00 FFDA 0008 01 01 00 00 3F 00
          01020304 05060708 090A0B0C 0D0E0F10 FFD9
          """)))
    #expect(try image.scanEnds().isEmpty)
  }

  /// Any byte after the last block is removed, except padding.
  @Test(arguments: [("3F 58", "3F"), ("3F 00 FF", "3F 00 FF"), ("3F FFD0 01", "3F")])
  func bytesAfterTheLastBlock(scan: String, kept: String) throws {
    let tables = "FFC4 0014 00 \(code) FFC4 0014 10 \(code)"
    let frame = "FFC0 000B 08 0008 0008 01 01 11 00"
    let header = "FFDA 0008 01 01 00 00 3F 00"
    var image = try JPEGImage(
      parsing: ByteSource(hex("FFD8 \(tables) \(frame) \(header) \(scan) FFD9")))
    try image.cutScans { _ in true }
    let expected = hex("FFD8 \(tables) \(frame) \(header) \(kept) FFD9")
    #expect(try image.serialized().allBytes() == expected)
  }

  /// A code of one bit for the value 0: no difference, or the end of a block.
  private let code = "01 000000000000000000000000000000 00"
}
