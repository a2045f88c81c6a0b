// SPDX-License-Identifier: Apache-2.0
#if JPEGXL
@testable import HDRConversion
import HDRCore
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

/// JPEG XL images as tiles; see `Vectors/README.md` for their samples.
@Suite("JPEG XL tiles") struct JPEGXLTileTests {
  private static func file(
    _ name: String, planes: Int, bits: Int, width: Int = 8, height: Int = 6
  ) throws -> SyntheticDNG {
    var file = SyntheticDNG(
      width: width, height: height, planes: planes, bits: bits, version: [1, 7, 1, 0])
    file.main.entries[259] = .longs([52_546])
    file.main.entries[322] = .longs([8])
    file.main.entries[323] = .longs([6])
    let tile = try Vectors.bytes("jpeg-xl/\(name).jxl")
    file.main.chunks = Array(repeating: tile, count: (width + 7) / 8 * ((height + 5) / 6))
    return file
  }

  private static func samples(planes: Int, modulus: Int) -> [Int] {
    (0..<6 * 8 * planes).map { place in
      let (pixel, component) = (place / planes, place % planes)
      return (73 * (pixel % 8) + 151 * (pixel / 8) + 311 * component) % modulus
    }
  }

  private static func decode(_ file: SyntheticDNG) throws -> RawSamples {
    try SyntheticDNG.parsed(file).decodeRaw()
  }

  /// Source: DNG 1.7.1 as Adobe's SDK reads it: 1 of 10 bits is 64, 1023 is 65535.
  @Test("integers of more than 8 bits are scaled to 16 bits, with white at 65535")
  func integers() throws {
    let gray = try Self.file("gray10", planes: 1, bits: 10)
    let stretched = Self.samples(planes: 1, modulus: 1024).map {
      UInt16(clamping: (Double($0) * 65_535 / 1023).rounded())
    }
    #expect(try Self.decode(gray).integers == stretched)
    let parsed = try SyntheticDNG.parsed(gray)
    let layout = try RawLayout(of: parsed.raw, version: parsed.version, limits: ImageLimits())
    #expect(try RawLevels(of: parsed.raw, layout).white == [65_535])
    #expect(
      try Self.decode(Self.file("rgb16", planes: 3, bits: 16)).integers
        == Self.samples(planes: 3, modulus: 1024).map { UInt16(64 * $0) })
    #expect(
      try Self.decode(Self.file("rgb8", planes: 3, bits: 8)).integers
        == Self.samples(planes: 3, modulus: 256).map { UInt16($0) })
  }

  @Test("floating point of 16 and 32 bits")
  func floats() throws {
    var file = try Self.file("rgb-half", planes: 3, bits: 16)
    file.main.entries[339] = .shorts([3, 3, 3])
    #expect(
      try Self.decode(file).floats
        == Self.samples(planes: 3, modulus: 1024).map { Float($0) / 256 })
    file = try Self.file("gray-float", planes: 1, bits: 32)
    file.main.entries[339] = .shorts([3])
    #expect(
      try Self.decode(file).floats
        == Self.samples(planes: 1, modulus: 1024).map { Float($0) / 768 })
  }

  @Test("interleaved fields are restored")
  func interleaved() throws {
    var file = try Self.file("gray10", planes: 1, bits: 10, width: 16, height: 12)
    file.main.entries[50_975] = .shorts([2])
    file.main.entries[52_547] = .shorts([2])
    let decoded = try Self.decode(file).integers
    let tile = try Self.decode(Self.file("gray10", planes: 1, bits: 10)).integers
    // Each of the four tiles is a field of the mosaic.
    for y in 0..<12 {
      for x in 0..<16 { #expect(decoded[16 * y + x] == tile[y / 2 * 8 + x / 2]) }
    }
  }

  @Test("tiles that are not padded", arguments: [(8, 8), (16, 6), (16, 16)])
  func unpadded(width: Int, height: Int) throws {
    let expected = try Self.decode(Self.file("gray10", planes: 1, bits: 10)).integers
    var file = try Self.file("gray10", planes: 1, bits: 10)
    (file.main.entries[322], file.main.entries[323]) = (.longs([width]), .longs([height]))
    var dng = try SyntheticDNG.parsed(file)
    dng.decodingNotices = DecodingNotices()
    #expect(try dng.decodeRaw().integers == expected)
    #expect(dng.decodingNotices.all.map(\.code.id) == ["raw/chunk-unpadded"])
    var half = try Self.file("rgb-half", planes: 3, bits: 16)
    half.main.entries[339] = .shorts([3, 3, 3])
    let floats = try Self.decode(half).floats
    (half.main.entries[322], half.main.entries[323]) = (.longs([width]), .longs([height]))
    #expect(try Self.decode(half).floats == floats)
  }

  @Test("tiles of another shape and damaged tiles are errors with their location")
  func refusals() throws {
    func error(_ file: SyntheticDNG) -> ImageError? {
      do {
        _ = try Self.decode(file)
        return nil
      } catch { return error as? ImageError }
    }
    let wide = error(try Self.file("rgb8", planes: 1, bits: 8))
    #expect(wide?.category == .malformed && wide?.location.path == ["IFD0", "tile 0"])
    #expect(error(try Self.file("rgb16", planes: 3, bits: 8))?.category == .malformed)
    #expect(error(try Self.file("rgb-half", planes: 3, bits: 16))?.category == .malformed)
    var cut = try Self.file("rgb16", planes: 3, bits: 16)
    cut.main.chunks[0].removeLast(100)
    #expect(error(cut)?.category == .truncated)
    cut.main.chunks[0].replaceSubrange(2..<8, with: [9, 9, 9, 9, 9, 9])
    #expect(error(cut) != nil)
  }
}
#endif
