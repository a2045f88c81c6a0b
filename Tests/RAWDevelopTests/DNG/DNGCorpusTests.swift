// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import HDRConversion
import HDRCore
import ImageCodecs
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("DNG files of the corpus", .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
struct DNGCorpusTests {
  /// Samples of an image that Adobe's SDK wrote as TIFF: `[pixel * planes + plane]`.
  private static func reference(_ name: String) throws -> (planes: Int, samples: [Double]) {
    let source = try SourceImage.open(
      Corpus.source("dng-reference/\(name).tif"), options: OpeningOptions()
    ).image
    let image = try source.makeReader().read(rows: 0..<source.layout.height)
    func interleaved<Sample>(_ planes: [Plane<Sample>], _ value: (Sample) -> Double) -> [Double] {
      let flat = planes.map { Array($0.span) }
      return flat[0].indices.flatMap { place in flat.map { value($0[place]) } }
    }
    switch image.planes {
    case .integer(let planes): return (planes.count, interleaved(planes) { Double($0) })
    case .float(let planes): return (planes.count, interleaved(planes) { Double($0) })
    case .half: return (0, [])
    }
  }

  private static func linear(_ dng: DNGFile) throws -> [Double] {
    let layout = try RawLayout(of: dng.raw, version: dng.version, limits: ImageLimits())
    let reference = LinearReference(
      try dng.decodeRaw(), try RawLevels(of: dng.raw, layout),
      list: try OpcodeList(dng.raw.directory, list: 2))
    var row = [Float](repeating: 0, count: reference.area.width)
    var values: [Double] = []
    for y in 0..<reference.area.height {
      let planes = (0..<reference.planes).map { plane in
        reference.read(
          row: y, columns: 0..<reference.area.width, plane: plane, into: &row, at: 0)
        return row
      }
      for x in row.indices { for plane in planes { values.append(Double(plane[x])) } }
    }
    return values
  }

  @Test(
    "stages 1 and 2 agree with Adobe's SDK",
    arguments: [
      "bmpcc-bayer12-ljpeg", "adobe-05-pgtm2-u8", "adobe-08-pgtm-f32", "adobe-14-hdr-sdr-profiles",
    ])
  func stages(name: String) throws {
    let dng = try Corpus.dng("dng/\(name).dng")
    let raw = try dng.decodeRaw()
    let stored = try Self.reference("\(name).stage1")
    #expect(raw.planeCount == stored.planes)
    let samples =
      raw.floats.isEmpty ? raw.integers.map(Double.init) : raw.floats.map(Double.init)
    #expect(samples == stored.samples)

    let expected = try Self.reference("\(name).stage2").samples
    let code = raw.floats.isEmpty ? 65_535.0 : 1
    let errors = zip(try Self.linear(dng), expected).map { abs(max($0, 0) * code - $1) }
    #expect(errors.count == expected.count)
    #expect((errors.max() ?? .infinity) <= (code == 1 ? 1e-6 : 1))
  }

  /// Samples in lossy JPEG, which opcodes of list 2 make linear; the SDK also decodes with libjpeg.
  @Test func lossyJPEG() throws {
    let dng = try Corpus.dng("dng/adobe-lossy-linear-eos6d.dng")
    let raw = try dng.decodeRaw()
    let stored = try Self.reference("adobe-lossy-linear-eos6d.stage1").samples
    #expect(raw.integers.map(Double.init) == stored)
    let expected = try Self.reference("adobe-lossy-linear-eos6d.stage2").samples
    let errors = zip(try Self.linear(dng), expected).map { abs(max($0, 0) * 65_535 - $1) }
    #expect(errors.count == expected.count && (errors.max() ?? .infinity) <= 1)
  }

  @Test(
    "files that Adobe's SDK compressed decode to the same samples",
    arguments: ["bmpcc-bayer12-ljpeg", "adobe-05-pgtm2-u8", "adobe-08-pgtm-f32"])
  func derived(name: String) throws {
    let original = try Corpus.dng("dng/\(name).dng").decodeRaw()
    let derived = try Corpus.dng("dng-derived/\(name).sdk.dng")
    #expect(derived.raw.directoryPath.contains("SubIFD"))
    #expect(try derived.decodeRaw().integers == original.integers)
  }

  #if JPEGXL
  @Test(
    "files that Adobe's SDK wrote as JPEG XL decode to the same samples",
    arguments: ["bmpcc-bayer12-ljpeg", "adobe-05-pgtm2-u8", "adobe-08-pgtm-f32"])
  func derivedJPEGXL(name: String) throws {
    let original = try Corpus.dng("dng/\(name).dng").decodeRaw()
    let derived = try Corpus.dng("dng-derived/\(name).jxl.dng")
    #expect(try derived.decodeRaw().integers == original.integers)
  }

  /// A mosaic in lossy JPEG XL, made linear by an opcode of list 2.
  @Test func lossyJPEGXL() throws {
    let light = try Self.linear(Corpus.dng("dng-derived/bmpcc.lossy-mosaic-jxl.dng"))
    let expected = try Self.reference("bmpcc-bayer12-ljpeg.stage2").samples
    #expect(light.count == expected.count)
    let squares = zip(light, expected).map { ($0 - $1 / 65_535) * ($0 - $1 / 65_535) }
    let noise = (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    #expect(noise < 0.003, "\(noise)")
  }
  #endif

  /// CRC-32 of `raw_image` of rawpy 0.28 (LibRaw 0.22.2), which applies the linearization table;
  /// of its four planes of linear files the first three.
  @Test(
    "raw samples equal rawpy's",
    arguments: [
      ("dng/bmpcc-bayer12-ljpeg.dng", 0x79E0_24C8), ("dng/oiio-valid-32x32.dng", 0x5FD_00CE),
      ("dng/adobe-05-pgtm2-u8.dng", 0x6B6D_8663),
      ("dng-derived/adobe-08-pgtm-f32.sdk.dng", 0x6B6D_8663),
    ] as [(String, UInt32)])
  func rawpy(path: String, checksum: UInt32) throws {
    let dng = try Corpus.dng(path)
    let layout = try RawLayout(of: dng.raw, version: dng.version, limits: ImageLimits())
    let table = try RawLevels(of: dng.raw, layout).linearization
    let samples = try dng.decodeRaw().integers.map { sample in
      table.map { UInt16(clamping: $0[min(Int(sample), $0.count - 1)]) } ?? sample
    }
    let bytes = samples.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    #expect(Zlib.crc32(bytes) == checksum)
  }

  @Test("the header of an Apple ProRAW file without samples is readable")
  func proRAW() throws {
    let dng = try Corpus.dng("dng/apple-proraw-header-only.dng")
    #expect(dng.rawType == .proRAW && dng.raw.directoryPath == "IFD0/SubIFD 0")
    #expect(dng.images.map(\.role) == [.reduced, .raw, .semanticMask])
    let error = #expect(throws: ImageError.self) { try dng.decodeRaw() }
    #expect(error?.category == .truncated)
    #expect(error?.location.path.last?.hasPrefix("tile") == true)
  }

  @Test(
    "broken and unsupported files give typed errors",
    arguments: [
      ("dng-broken/oiio-bomb-32000.dng", ImageError.Category.limitExceeded),
      ("dng-broken/oiio-truncated.dng", .truncated), ("dng/gopro-fusion-vc5.gpr", .unsupported),
    ])
  func broken(path: String, code: ImageError.Category) throws {
    let error = #expect(throws: ImageError.self) { try Corpus.dng(path).decodeRaw() }
    #expect(error?.category == code)
    #expect(error?.location.path.isEmpty == false && error?.location.offset != nil)
  }

  @Test("development of real files", arguments: ["dng/adobe-05-pgtm2-u8.dng"])
  func developed(path: String) throws {
    let document = try SourceImage.open(
      Corpus.source(path), options: OpeningOptions(), developing: .sceneLinear)
    let light = try document.light()
    for plane in light { #expect(plane.joined().allSatisfy { abs($0 - 8000 / 65_535) < 3e-5 }) }
  }

  @Test("a mosaic without a color matrix is developed with assumed primaries, and a notice")
  func assumedMatrix() throws {
    let document = try SourceImage.open(
      Corpus.source("dng/oiio-valid-32x32.dng"), options: OpeningOptions(),
      developing: .sceneLinear)
    #expect(document.notices.contains { $0.code.id == "raw/matrix-assumed" })
    let light = try document.light()
    #expect(light.count == 3 && light.allSatisfy { $0.joined().allSatisfy(\.isFinite) })
  }
}
