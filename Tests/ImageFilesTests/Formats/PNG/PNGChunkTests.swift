// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("PNG chunks") struct PNGChunkTests {
  static let bt2020 = ColorPrimaries(
    red: Chromaticity(x: 0.708, y: 0.292), green: Chromaticity(x: 0.170, y: 0.797),
    blue: Chromaticity(x: 0.131, y: 0.046), white: .d65)
  static let p3 = ColorPrimaries(
    red: Chromaticity(x: 0.680, y: 0.320), green: Chromaticity(x: 0.265, y: 0.690),
    blue: Chromaticity(x: 0.150, y: 0.060), white: .d65)

  static func mastering(_ primaries: ColorPrimaries, _ max: Double, _ min: Double) -> PNGChunk {
    PNGChunk(
      PNGMasteringDisplay(
        LightMetadata.MasteringDisplay(
          primaries: primaries, maximumLuminance: max, minimumLuminance: min)))
  }

  static func level(_ maximum: Double, _ average: Double) -> PNGChunk {
    PNGChunk(
      PNGContentLightLevel(
        LightMetadata.ContentLightLevel(maximum: maximum, maximumAverage: average)))
  }

  /// Chunks with CRCs computed by an independent program; layouts from PNG Third Edition.
  static let vectors: [(PNGChunk, String)] = [
    (
      PNGChunk(PNGCodePoints(CICP(primaries: .bt2020, transfer: .pq))),
      "00000004 63494350 09100001 4D2323FE"
    ),
    (
      PNGChunk(PNGCodePoints(CICP(primaries: .bt2020, transfer: .hlg))),
      "00000004 63494350 09120001 4EA7F790"
    ),
    (
      PNGChunk(PNGCodePoints(CICP(primaries: .displayP3, transfer: .pq))),
      "00000004 63494350 0C100001 7AFDD3CC"
    ),
    (
      mastering(bt2020, 1000, 0.0005),
      "00000018 6D444356 8A483908 21349BAA 199608FC 3D134042 00989680 00000005 9831A5C7"
    ),
    (
      mastering(bt2020, 1000, 0.005),
      "00000018 6D444356 8A483908 21349BAA 199608FC 3D134042 00989680 00000032 208C00C8"
    ),
    (
      mastering(bt2020, 4000, 0.0005),
      "00000018 6D444356 8A483908 21349BAA 199608FC 3D134042 02625A00 00000005 CDD6A970"
    ),
    (
      mastering(p3, 1000, 0.0005),
      "00000018 6D444356 84D03E80 33C286C4 1D4C0BB8 3D134042 00989680 00000005 4A71FEFF"
    ),
    (level(1000, 250), "00000008 634C4C49 00989680 002625A0 AAE79507"),
    (level(1000, 203), "00000008 634C4C49 00989680 001EF9B0 B0A5BB58"),
    (PNGChunk(PNGSignificantBits(bits: [10, 10, 10])), "00000003 73424954 0A0A0A 045D9820"),
    (PNGChunk(PNGSignificantBits(bits: [12, 12, 12])), "00000003 73424954 0C0C0C BFE9E621"),
    (PNGChunk(PNGSignificantBits(bits: [16, 16, 16])), "00000003 73424954 101010 58A3BD27"),
    (
      PNGChunk(PNGSignificantBits(bits: [10, 10, 10, 16])),
      "00000004 73424954 0A0A0A10 F4DF82B9"
    ),
    (
      PNGChunk(PNGChromaticities(bt2020)),
      """
      00000020 6348524D 00007A26 00008084 00011490 00007210 00004268 00013754 0000332C 000011F8
      10B0F8A4
      """
    ),
    (PNGChunk(PNGGamma(scaled: 15000)), "00000004 67414D41 00003A98 5058A542"),
  ]

  @Test(arguments: vectors.indices) func bytesOfChunk(index: Int) throws {
    let (chunk, bytes) = Self.vectors[index]
    var file = PNGFile(header: PNGHeader(width: 1, height: 1, bitDepth: 16, colorType: .rgb))
    file.set(chunk)
    guard case .bytes(let data) = chunk.content else {
      throw ImageError(ErrorCode("test", .malformed, "the chunk's bytes are not in memory"))
    }
    #expect(chunk.serialized(data) == hex(bytes))
  }

  @Test func meaningSurvivesTheRoundTrip() throws {
    var file = PNGFile(header: PNGHeader(width: 1, height: 1, bitDepth: 16, colorType: .rgb))
    for (chunk, _) in Self.vectors { file.set(chunk) }
    #expect(
      try file.content(PNGCodePoints.self)?.cicp == CICP(primaries: .displayP3, transfer: .pq))
    let display = try #require(try file.content(PNGMasteringDisplay.self)?.display)
    #expect(display.maximumLuminance == 1000 && display.minimumLuminance == 0.0005)
    #expect(abs(display.primaries.green.x - 0.265) < 1e-12)
    let level = LightMetadata.ContentLightLevel(maximum: 1000, maximumAverage: 203)
    #expect(try file.content(PNGContentLightLevel.self)?.level == level)
    #expect(try file.content(PNGSignificantBits.self)?.bits == [10, 10, 10, 16])
    let primaries = try #require(try file.content(PNGChromaticities.self)?.primaries)
    #expect(abs(primaries.red.x - 0.708) < 1e-12 && abs(primaries.white.y - 0.329) < 1e-12)
    #expect(try file.content(PNGGamma.self)?.exponent == 0.15)
  }

  /// Light levels are rounded up: 0.12341 cd/m² to 0.1235; 0.1234 is exact.
  @Test(arguments: [(0.12341, 1235), (0.1234, 1234), (1e9, UInt32.max), (-1, 0), (.nan, 0)])
  func lightLevelsRoundUp(level: Double, expected: UInt32) {
    #expect(FixedPoint.upperBound(level, unit: 1e-4) == expected)
  }

  @Test(arguments: [
    ("mDCv", PNGChunk.ChunkType.masteringDisplay), ("cLLi", .contentLightLevel),
    ("cLLI", .contentLightLevel),
  ])
  func draftNames(name: String, type: PNGChunk.ChunkType) {
    let raw = name.utf8.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    #expect(PNGChunk.ChunkType(rawValue: raw).modernized == type)
  }

  @Test func letterCasesTellWhatToDo() {
    #expect(PNGChunk.ChunkType.imageData.isCritical && !PNGChunk.ChunkType.codePoints.isCritical)
    #expect(!PNGChunk.ChunkType(rawValue: 0x6349_4300).isValid)
    #expect(PNGChunk.ChunkType.codePoints.description == "cICP")
  }
}
