// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("PNG files") struct PNGFileTests {
  /// A file with one black pixel.
  static func pixel(_ chunks: PNGChunk..., late: [PNGChunk] = []) throws -> [UInt8] {
    var file = PNGFile(header: PNGHeader(width: 1, height: 1, bitDepth: 8, colorType: .gray))
    file.chunks.insert(contentsOf: chunks, at: 1)
    file.insert(PNGChunk(.imageData, try Zlib.deflate([0, 0])))
    file.chunks.insert(contentsOf: late, at: file.chunks.count - 1)
    return try file.serialized().allBytes()
  }

  static func parse(_ bytes: [UInt8]) throws(ImageError) -> PNGFile {
    try PNGFile(parsing: ByteSource(bytes))
  }

  static let pq = PNGChunk(PNGCodePoints(CICP(primaries: .bt2020, transfer: .pq)))

  @Test func writesBackWhatItRead() throws {
    let bytes = try Self.pixel(Self.pq, PNGChunk(.init("prVt"), [1, 2, 3])) + [9, 9]
    let file = try Self.parse(bytes)
    #expect(try file.serialized().allBytes() == bytes)
    #expect(file.trailer == bytes.count - 2..<bytes.count)
    #expect(file.notices.map(\.category) == [.irregular])
    let samples = try #require(file.chunk(.imageData))
    #expect(try Zlib.inflate(file.data(of: samples), limit: 10) == [0, 0])
  }

  @Test func ordersNewChunks() throws {
    var file = try Self.parse(try Self.pixel(late: [PNGChunk(.init("tIME"), [])]))
    file.set(PNGChunk(.pixelSize, []))
    file.set(PNGChunk(.exif, []))
    file.set(Self.pq)
    file.setXMP(Array("<x/>".utf8))
    let types = file.chunks.map(\.type.description)
    #expect(types == ["IHDR", "pHYs", "eXIf", "cICP", "iTXt", "IDAT", "tIME", "IEND"])
  }

  @Test func colorGoesBeforeThePalette() throws {
    var file = PNGFile(header: PNGHeader(width: 1, height: 1, bitDepth: 8, colorType: .palette))
    file.set(PNGPalette(colors: [SIMD3(1, 2, 3)]))
    file.set(PNGTransparency(bytes: [7]))
    file.set(Self.pq)
    file.setXMP([])
    #expect(
      file.chunks.map(\.type.description) == ["IHDR", "cICP", "PLTE", "tRNS", "iTXt", "IEND"])
  }

  @Test func replacesInPlaceAndDraftNames() throws {
    let old = PNGChunk(PNGChunk.ChunkType("cLLi"), hex("00989680 002625A0"))
    var file = try Self.parse(try Self.pixel(old, Self.pq))
    #expect(try file.content(PNGContentLightLevel.self)?.level.maximum == 1000)
    file.set(PNGContentLightLevel(LightMetadata.ContentLightLevel(maximum: 5, maximumAverage: 2)))
    #expect(file.chunks.map(\.type.description) == ["IHDR", "cLLI", "cICP", "IDAT", "IEND"])
  }

  @Test func ignoresWhatComesTooLate() throws {
    let file = try Self.parse(try Self.pixel(late: [Self.pq]))
    #expect(try file.content(PNGCodePoints.self) == nil)
    #expect(file.notices.map(\.location.path) == [["cICP"]])
    var edited = file
    edited.set(Self.pq)
    #expect(edited.chunks.map(\.type.description) == ["IHDR", "cICP", "IDAT", "IEND"])
  }

  @Test func duplicatesAreReportedOnce() throws {
    let file = try Self.parse(try Self.pixel(Self.pq, Self.pq, Self.pq, Self.pq))
    #expect(file.notices.map(\.code.id) == ["png/chunk-duplicate"])
    let late = try Self.parse(try Self.pixel(late: [Self.pq, Self.pq]))
    #expect(late.notices.count == 1)
  }

  @Test func checksumsMatter() throws {
    var bytes = try Self.pixel(Self.pq)
    bytes[8 + 25 + 8] ^= 1  // In cICP, which is ancillary.
    let file = try Self.parse(bytes)
    #expect(file.chunk(.codePoints) == nil)
    #expect(try file.serialized().allBytes() == bytes)
    #expect(file.notices.first?.code.english == "wrong checksum: chunk ignored")
    bytes[8 + 8] ^= 1  // In IHDR.
    #expect(throws: ImageError.self) { try Self.parse(bytes) }

    var samples = try Self.pixel()
    samples[8 + 25 + 10] ^= 1  // In IDAT, which is read on demand.
    let late = try Self.parse(samples)
    let chunk = try #require(late.chunk(.imageData))
    #expect(throws: ImageError.self) { try late.data(of: chunk) }
  }

  @Test func refusesWhatNoDecoderCouldRead() throws {
    let palette = PNGHeader(width: 1, height: 1, bitDepth: 8, colorType: .palette)
    let cases: [([PNGChunk], ImageError.Category)] = [
      ([PNGChunk(.end, [])], .malformed),
      ([PNGChunk(palette), PNGChunk(.imageData, []), PNGChunk(.end, [])], .malformed),
      ([PNGChunk(palette), PNGChunk(.end, [])], .malformed),
      ([PNGChunk(palette), PNGChunk(palette), PNGChunk(.end, [])], .malformed),
      ([PNGChunk(palette), PNGChunk(.init("NEWc"), []), PNGChunk(.end, [])], .unsupported),
      ([PNGChunk(.imageHeader, [0, 0, 0, 1]), PNGChunk(.end, [])], .truncated),
      ([PNGChunk(.imageHeader, hex("00000001 00000000 08 00 00 00 00"))], .malformed),
      ([PNGChunk(.imageHeader, hex("00000001 00000001 03 02 00 00 00"))], .malformed),
      ([PNGChunk(.imageHeader, hex("00000001 00000001 08 02 00 00 02"))], .unsupported),
      ([PNGChunk(.imageHeader, hex("00000001 00000001 08 02 00 00 00"))], .truncated),
    ]
    for (chunks, code) in cases {
      var bytes = PNGFile.signature
      for chunk in chunks {
        if case .bytes(let data) = chunk.content { bytes += chunk.serialized(data) }
      }
      #expect { try Self.parse(bytes) } throws: { ($0 as? ImageError)?.category == code }
    }
    #expect(throws: ImageError.self) { try Self.parse(Array("GIF89a".utf8)) }
  }

  @Test func limitsTheNumberOfChunks() throws {
    let bytes = try Self.pixel(Self.pq, Self.pq, Self.pq)
    let limits = ImageLimits(items: 4)
    #expect { try PNGFile(parsing: ByteSource(bytes), limits: limits) } throws: {
      ($0 as? ImageError)?.category == .limitExceeded
    }
  }

  @Test func survivesDamage() throws {
    let bytes = try Self.pixel(Self.pq, PNGChunk(.exif, ExifBlock.minimal(orientation: .flipped)))
    // Only IEND may be missing.
    for broken in Damage.truncations(of: bytes) where broken.count < bytes.count - 12 {
      #expect(throws: ImageError.self) { try Self.parse(broken) }
    }
    for broken in Damage.mutations(of: bytes) {
      guard let file = try? Self.parse(broken) else { continue }
      var notices: [Notice] = []
      _ = try file.lightMetadata(notices: &notices)
      _ = try? file.exif()
      #expect((try? Self.parse(file.serialized().allBytes())) != nil)
    }
  }

  /// libpng and Pillow show such files; those whose samples are incomplete are truncated.
  @Test func withoutEnd() throws {
    let samples = try Zlib.deflate([0, 1, 2, 3])
    let header = PNGHeader(width: 1, height: 1, bitDepth: 8, colorType: .rgb)
    func file(_ parts: [[UInt8]]) throws -> [UInt8] {
      var file = PNGFile(header: header)
      for part in parts { file.insert(PNGChunk(.imageData, part)) }
      return try file.serialized().allBytes()
    }
    let whole = try file([Array(samples.prefix(3)), Array(samples.dropFirst(3))])
    for missing in 1...12 {
      let short = try Self.parse(Array(whole.dropLast(missing)))
      #expect(short.notices.map(\.code.id) == ["png/end-missing"])
      #expect(try short.serialized().allBytes() == whole)
      #expect(try short.structure().map(\.name).last == "IDAT")
    }
    let cut = try file([Array(samples.dropLast(2))]).dropLast(12)
    #expect(throws: ImageError.self) { try Self.parse(Array(cut)) }
  }

  @Test(.enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
  func corpusIsWrittenBackUnchanged() throws {
    let files = Corpus.files(in: ["png-hdr", "peer-made"]).filter { $0.hasSuffix(".png") }
    #expect(files.count >= 10)
    for name in files {
      let bytes = try Corpus.bytes(name)
      let file = try Self.parse(bytes)
      #expect(try file.serialized().allBytes() == bytes, "\(name)")
      let again = try Self.parse(try file.serialized().allBytes())
      #expect(again.chunks == file.chunks, "\(name)")
    }
  }

  /// Malformed files throw an error or can be serialized and parsed again; they do not crash.
  @Test(.enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
  func malformedCorpus() throws {
    var refused = 0
    for name in Corpus.files(in: ["malformed-png", "malformed-any"]) {
      do throws(ImageError) {
        let file = try PNGFile(parsing: Corpus.source(name))
        var notices: [Notice] = []
        _ = try file.lightMetadata(notices: &notices)
        _ = try? file.profile()
        _ = try? file.exif()
        _ = try Self.parse(try file.serialized().allBytes())
      } catch {
        #expect(!error.code.id.isEmpty)
        refused += 1
      }
    }
    #expect(refused > 20)
  }
}
