// SPDX-License-Identifier: Apache-2.0
#if JPEGXR
import HDRConversion
import HDRCore
import ImageCodecs
import ImageFiles
import TestSupport
import Testing

/// Samples of jxrlib's encoder; `Vectors/JPEGXR/README.md` defines them.
///
/// Damaged codestreams are not decoded here, since jxrlib may end the process: `checks_jpegxr.py` decodes
/// them by the command, in confined processes.
@Suite("JPEG XR samples") struct JPEGXRTests {
  private static func value(_ x: Int, _ y: Int, _ component: Int) -> Int {
    97 * x + 31 * y + 211 * component
  }

  /// The samples of a pixel by its coordinates, for all pixels.
  private static func expect(
    _ name: String, samples: ImageLayout.Samples, _ expected: (Int, Int) -> [Float]
  ) throws {
    let image = try Vectors.open("JPEGXR/\(name).jxr").image
    #expect(image.layout.samples == samples)
    let planes = try image.decode()
    for y in 0..<3 {
      for x in 0..<5 { #expect(planes.pixel(x, y) == expected(x, y), "\(x), \(y)") }
    }
  }

  @Test(arguments: [("bgr101010", 10), ("bgr555", 5)])
  func packedIntegers(name: String, bits: Int) throws {
    try Self.expect(name, samples: .integer(bits: bits)) { x, y in
      (0..<3).map { Float(Self.value(x, y, $0) & (1 << bits - 1)) }
    }
  }

  /// Bits are replicated to 8, so that the largest value stays the largest.
  @Test func packedGreenOfSixBits() throws {
    try Self.expect("bgr565", samples: .integer(bits: 8)) { x, y in
      [5, 6, 5].enumerated().map { component, bits in
        let code = Self.value(x, y, component) & (1 << bits - 1)
        return Float(code << (8 - bits) | code >> (2 * bits - 8))
      }
    }
  }

  @Test func blackAndWhite() throws {
    try Self.expect("black-white", samples: .integer(bits: 1)) { x, y in
      [Float((97 * x + 31 * y) >> 4 & 1)]
    }
  }

  @Test(arguments: ["half-planar", "half-interleaved"])
  func halfFloats(name: String) throws {
    let document = try Vectors.open("JPEGXR/\(name).jxr")
    let image = document.image
    #expect(image.layout.hasAlpha && !image.layout.isAlphaPremultiplied)
    #expect(image.color.transfer == .linear && image.color.primaries == .bt709)
    #expect(image.color.referenceWhite == 80)
    #expect(document.notices.isEmpty)
    let planes = try image.decode()
    for y in 0..<3 {
      for x in 0..<5 {
        let expected = (0..<3).map { Float(Self.value(x, y, $0) - 200) / 64 } + [Float(x + y) / 8]
        #expect(planes.pixel(x, y) == expected)
      }
    }
  }

  /// Rows before those that were read last restart the decoder.
  @Test func rowsInAnyOrder() throws {
    let image = try Vectors.open("JPEGXR/half-planar.jxr").image
    let whole = try image.decode()
    let reader = try image.makeReader()
    for rows in [2..<3, 0..<1, 1..<3, 0..<3] {
      let strip = try reader.read(rows: rows)
      for y in rows { #expect(strip.pixel(1, y - rows.lowerBound) == whole.pixel(1, y)) }
    }
  }

  /// The header of an image of 16x16 pixels, without samples.
  @Test func missingSamplesAreAnError() throws {
    let file = SyntheticJPEGXR(0x0D, SyntheticJPEGXR.header(depth: 1))
    let image = try SourceImage(decoding: ByteSource(file.bytes)).image
    #expect(throws: ImageError.self) { try image.makeReader().read(rows: 0..<16) }
  }

  /// 65536 x 65536 pixels, of which only the memory that rows need may be requested.
  @Test func sizesAreLimited() throws {
    var header = SyntheticJPEGXR.header(depth: 1)
    header.replaceSubrange(12..<16, with: [0xFF, 0xFF, 0xFF, 0xFF])
    var file = SyntheticJPEGXR(0x0D, header)
    file.set(0xBC80, 65_536)
    file.set(0xBC81, 65_536)
    #expect(throws: ImageError.self) { try SourceImage(decoding: ByteSource(file.bytes)) }
  }

  /// The luminance of scRGB is absolute: the choice of reference white does not scale it.
  @Test(arguments: [nil, 100, 480] as [Double?])
  func luminanceIsAbsolute(white: Double?) throws {
    let bytes = try Vectors.bytes("JPEGXR/half-planar.jxr")
    var request = ConversionRequest(format: .png)
    request.color.referenceWhite = white
    let file = try ImageFile(parsing: ByteSource(bytes))
    let output = try SourceImage(decoding: ByteSource(file.converted(request).bytes)).image
    #expect(output.color.transfer == .pq && output.color.referenceWhite == white ?? 203)
    // The last pixel of the first row, in cd/m²; red of BT.2020 by the matrix of BT.2087.
    let light = (0..<3).map { Double(Self.value(4, 0, $0) - 200) / 64 * 80 }
    let red = 0.6274 * light[0] + 0.3293 * light[1] + 0.0433 * light[2]
    let code = PQ.inverseEOTF(red) * 65_535
    let stored = Double(try output.decode().pixel(4, 0)[0])
    #expect(abs(stored - code) < 12)
  }
}
#endif
