// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("PNG metadata") struct PNGMetadataTests {
  static let empty = PNGFile(
    header: PNGHeader(width: 1, height: 1, bitDepth: 16, colorType: .rgb))

  @Test func lightMetadataRoundTrip() throws {
    let hdr = LightMetadata(
      diffuseWhite: 160.25,
      masteringDisplay: LightMetadata.MasteringDisplay(
        primaries: PNGChunkTests.bt2020, maximumLuminance: 1000, minimumLuminance: 0.0005),
      contentLightLevel: LightMetadata.ContentLightLevel(maximum: 987.6543, maximumAverage: 12.5))
    var file = Self.empty
    try file.setLightMetadata(hdr)
    var notices: [Notice] = []
    let read = try file.lightMetadata(notices: &notices)
    #expect(notices == [])
    #expect(read.diffuseWhite == 160.25)
    #expect(read.contentLightLevel == hdr.contentLightLevel)
    #expect(read.masteringDisplay?.maximumLuminance == 1000)

    try file.setLightMetadata(LightMetadata())
    #expect(file.chunks.map(\.type.description) == ["IHDR", "iTXt", "IEND"])
    #expect(try file.lightMetadata(notices: &notices) == LightMetadata())
  }

  @Test func xmpOfOthersIsKept() throws {
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
       xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
       xmlns:dc="http://purl.org/dc/elements/1.1/" dc:format='image/png'/></rdf:RDF></x:xmpmeta>
      """
    var file = Self.empty
    file.setXMP(Array(packet.utf8))
    try file.setLightMetadata(LightMetadata(diffuseWhite: 203))
    let expected = packet.replacing(
      "'image/png'",
      with: "'image/png' xmlns:hdrc=\"urn:x-hdrconvert:xmp:1.0/\" hdrc:DiffuseWhite=\"203\"")
    #expect(String(decoding: try #require(try file.xmp()), as: UTF8.self) == expected)
  }

  @Test func matrixOfCodePointsIsIdentity() throws {
    var file = Self.empty
    file.set(PNGChunk(.codePoints, [9, 16, 9, 1]))
    var notices: [Notice] = []
    #expect(try file.codePoints(notices: &notices) == CICP(primaries: .bt2020, transfer: .pq))
    #expect(notices.map(\.category) == [.irregular])
  }

  @Test func brokenChunksAreIgnoredWithANotice() throws {
    var file = Self.empty
    file.set(PNGChunk(.masteringDisplay, [1, 2, 3]))
    file.set(PNGChunk(.contentLightLevel, [UInt8](repeating: 0, count: 9)))
    file.set(PNGChunk(.codePoints, [9, 16, 0, 2]))
    var notices: [Notice] = []
    #expect(try file.lightMetadata(notices: &notices) == LightMetadata())
    #expect(try file.codePoints(notices: &notices) == nil)
    #expect(notices.map(\.location.path) == [["mDCV"], ["cLLI"], ["cICP"]])
  }

  @Test func profileRoundTrip() throws {
    var file = Self.empty
    let profile = (0..<5000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }
    try file.setProfile(profile, name: "Größe")
    let read = try #require(try file.profile())
    #expect(read.name == "Größe" && read.bytes == profile)
    try file.setProfile(nil)
    #expect(try file.profile() == nil)
    #expect(throws: ImageError.self) { try file.setProfile(profile, name: "") }
    #expect(throws: ImageError.self) { try file.setProfile(profile, name: "\u{1F600}") }
  }

  @Test func deflatedBombsAreRefused() throws {
    let bomb = try Zlib.deflate([UInt8](repeating: 0, count: PNGText.inflationLimit + 1))
    #expect(bomb.count < 100_000)
    var file = Self.empty
    file.set(PNGChunk(.profile, Array("x".utf8) + [0, 0] + bomb))
    #expect { try file.profile() } throws: { ($0 as? ImageError)?.category == .limitExceeded }
    file.insert(PNGChunk(.compressedText, Array("Raw profile type exif".utf8) + [0, 0] + bomb))
    #expect(try file.exif() == nil)
  }

  @Test func brokenStreamsAreTypedErrors() throws {
    let stream = try Zlib.deflate(Array("some text, some text".utf8))
    #expect(try Zlib.inflate(stream + [1, 2], limit: 100) == Array("some text, some text".utf8))
    #expect { try Zlib.inflate(Array(stream.dropLast(5)), limit: 100) } throws: {
      ($0 as? ImageError)?.category == .truncated
    }
    #expect { try Zlib.inflate([1, 2, 3], limit: 100) } throws: {
      ($0 as? ImageError)?.category == .malformed
    }
    #expect { try Zlib.inflate([], limit: 100) } throws: {
      ($0 as? ImageError)?.category == .truncated
    }
  }

  /// Check value of the CRC catalogue for CRC-32/ISO-HDLC.
  @Test func checksum() {
    #expect(Zlib.crc32(Array("123456789".utf8)) == 0xCBF4_3926)
  }

  @Test func exifInEveryForm() throws {
    let exif = ExifBlock.minimal(orientation: .rotated90)
    var file = Self.empty
    file.setExif(Array("Exif\0\0".utf8) + exif)
    #expect(try file.exif() == exif)
    file.setExif(nil)
    #expect(try file.exif() == nil)

    let digits = (Array("Exif\0\0".utf8) + exif).map {
      String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
    }.joined()
    let text = "\nexif\n      \(exif.count + 6)\n\(digits.prefix(36))\n\(digits.dropFirst(36))\n"
    let legacy =
      Array("Raw profile type exif".utf8) + [0, 0] + (try Zlib.deflate(Array(text.utf8)))
    file.insert(PNGChunk(.compressedText, legacy))
    #expect(try file.exif() == exif)
    file.setExif(exif)
    #expect(file.chunks.map(\.type.description) == ["IHDR", "eXIf", "IEND"])
  }

  @Test func compressedXMPIsRead() throws {
    let packet = Array("<a>some text, some text, some text</a>".utf8)
    var file = Self.empty
    file.insert(
      PNGChunk(
        .internationalText,
        Array("XML:com.adobe.xmp".utf8) + [0, 1, 0] + Array("de".utf8) + [0, 0]
          + (try Zlib.deflate(packet))))
    #expect(try file.xmp() == packet)
    file.setXMP(nil)
    #expect(try file.xmp() == nil)
  }

  @Test func textBeyondTheBudgetIsAnError() throws {
    let packet = [UInt8](repeating: 32, count: 2 << 20)
    var file = Self.empty
    file.setXMP(packet)
    #expect(try file.xmp() == packet)
    let small = Execution(budget: Execution.Budget(memory: 1 << 20))
    let error = #expect(throws: ImageError.self) { try small.perform { try file.xmp() } }
    #expect(error?.code == .memoryBudgetExceeded)
  }

  /// Texts after the result are not inflated, and texts without a result share one size limit.
  @Test func textsThatDoNotCountCostNothing() throws {
    let head = Array("XML:com.adobe.xmp".utf8) + [0, 1, 0, 0, 0]
    let bomb = PNGChunk(
      .internationalText, head + (try Zlib.deflate([UInt8](repeating: 32, count: 32 << 20))))
    let packet = Array("<a/>".utf8)
    var file = Self.empty
    file.insert(PNGChunk(.internationalText, head + (try Zlib.deflate(packet))))
    for _ in 0..<200 { file.insert(bomb) }
    let start = ContinuousClock.now
    #expect(try file.xmp() == packet)
    #expect(ContinuousClock.now - start < .seconds(1))
    // None of these is a profile; at most three are inflated.
    var searched = 0
    let found = try file.firstText(["XML:com.adobe.xmp"]) { _ -> Int? in
      searched += 1
      return nil
    }
    #expect(found == nil && searched <= 3)
  }

  @Test func transparentSamples() {
    let gray = PNGTransparency(bytes: [0x12, 0x34])
    #expect(gray.transparentSamples(for: .gray) == [0x1234])
    #expect(gray.transparentSamples(for: .rgb) == nil)
    #expect(PNGTransparency(bytes: [0, 1, 0, 2, 0, 3]).transparentSamples(for: .rgb) == [1, 2, 3])
  }

  /// Values of MANIFEST.json.
  @Test(.enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
  func corpusMatchesTheManifest() throws {
    var notices: [Notice] = []
    let pq = try PNGFileTests.parse(Corpus.bytes("png-hdr/ffmpeg-pq16-720p.png"))
    #expect(try pq.codePoints(notices: &notices) == CICP(primaries: .bt2020, transfer: .pq))
    #expect(pq.header.width == 1280 && pq.header.height == 720 && pq.header.bitDepth == 16)
    let named = try PNGFileTests.parse(Corpus.bytes("png-hdr/ktx-icc-2100pq-full.png"))
    #expect(try named.codePoints(notices: &notices) == CICP(primaries: .bt2020, transfer: .pq))
    let palette = try PNGFileTests.parse(Corpus.bytes("png-hdr/libpng-cicp-p3-palette.png"))
    #expect(try palette.codePoints(notices: &notices)?.primaries == .displayP3)
    #expect(palette.header.colorType == .palette)
  }
}
