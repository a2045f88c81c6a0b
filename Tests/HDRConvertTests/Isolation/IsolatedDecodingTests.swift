// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF && PNG && JPEG && JPEGXL && TIFF && EXR && RAW
import HDRConversion
import HDRCore
import ImageCodecs
import ImageContainers
import ImageFiles
import RAWDevelop
import TestSupport
import Testing

/// Images decoded in separate processes have the same samples, notices and errors.
@Suite("Isolated decoding") struct IsolatedDecodingTests {
  /// The samples of an image and its gain map, or the error.
  private func decode(_ source: ByteSource) throws(ImageError) -> [[UInt32]] {
    let opened = try SourceImage.open(source)
    var planes = values(try opened.image.planes())
    if let map = try opened.decodeGainMap() { planes += values(try map.image.planes()) }
    for auxiliary in opened.auxiliaries { planes += values(try auxiliary.image.planes()) }
    return planes
  }

  /// The bit patterns of all samples.
  private func values(_ planes: ImagePlanes) -> [[UInt32]] {
    func values<Sample: BitwiseCopyable & Sendable>(
      _ plane: Plane<Sample>, _ bits: (Sample) -> UInt32
    ) -> [UInt32] {
      (0..<plane.height).flatMap { y in
        let row = plane.row(y)
        return row.indices.map { bits(row[$0]) }
      }
    }
    return switch planes.planes {
    case .integer(let planes), .half(let planes): planes.map { values($0) { UInt32($0) } }
    case .float(let planes): planes.map { values($0, \.bitPattern) }
    }
  }

  private func compare(_ source: ByteSource, _ name: String) {
    let budget = Execution.Budget()
    let direct = Execution(threads: 2, budget: budget)
    let isolated = DecoderProcessTests.execution(memory: budget.memory, threads: 2)
    var (first, second): ([[UInt32]], [[UInt32]]) = ([], [])
    var (firstError, secondError): (ImageError?, ImageError?)
    do throws(ImageError) {
      first = try direct { () throws(ImageError) in try decode(source) }
    } catch { firstError = error }
    do throws(ImageError) {
      second = try isolated { () throws(ImageError) in try decode(source) }
    } catch { secondError = error }
    #expect(first == second, "\(name)")
    #expect(
      firstError?.description == secondError?.description, "\(name)")
  }

  private func output(_ samples: ImageLayout.Samples) -> OutputImage {
    let layout = ImageLayout(width: 150, height: 90, components: .rgb, samples: samples)
    var random = SplitMix(seed: 5)
    if case .integer(let bits) = samples {
      let planes = (0..<3).map { _ in
        Plane(width: 150, height: 90) { plane in
          for _ in 0..<150 * 90 {
            plane.append(UInt16.random(in: 0...UInt16((1 << bits) - 1), using: &random))
          }
        }
      }
      return OutputImage(
        Image(
          ImagePlanes(layout: layout, planes: .integer(planes)),
          CICP(primaries: .bt2020, transfer: .pq)))
    }
    let planes = (0..<3).map { _ in
      Plane(width: 150, height: 90) { plane in
        for _ in 0..<150 * 90 { plane.append(Float.random(in: 0..<2, using: &random)) }
      }
    }
    return OutputImage(
      Image(
        ImageDescription(
          layout: layout, color: ColorEncoding(primaries: .bt2020, transfer: .linear)),
        ImagePlanes(layout: layout, planes: .float(planes))))
  }

  @Test(arguments: [FileFormat.png, .tiff, .heif, .avif, .jxl]) func integers(format: FileFormat)
    throws
  {
    let bits = format == .png || format == .tiff ? 16 : 10
    let file = try output(.integer(bits: bits)).encoded(as: format, options: EncoderOptions())
    compare(ByteSource(file), "\(format)")
    compare(ByteSource(Array(file.prefix(file.count * 2 / 3))), "\(format), truncated")
  }

  @Test(arguments: [FileFormat.exr, .jxl]) func floats(format: FileFormat) throws {
    let file = try output(.float).encoded(as: format, options: EncoderOptions())
    compare(ByteSource(file), "\(format)")
    compare(ByteSource(Array(file.prefix(file.count * 2 / 3))), "\(format), truncated")
  }

  /// Floating point with alpha, a profile, and a gain map in its box.
  @Test(.enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)")) func jpegXL() throws {
    for name in ["kde-testcard-fp16", "sdwebimage-pq2100"] {
      compare(try Corpus.source("jxl-hdr/\(name).jxl"), name)
    }
    let jpeg = try ImageFile(parsing: Corpus.source("jpeg-uhdr/libavif-paris-icc.jpg"))
    let isolated = DecoderProcessTests.execution()
    let file = try isolated { () throws(ImageError) in
      try JPEGTranscoder(speed: 10).transcoded(jpeg, to: .jxl).file
    }
    #expect(try file.gainMaps().applicable != nil)
    compare(file.source, "gain map")
  }

  @Test(.enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)")) func transcoding() throws {
    let jpeg = try Corpus.bytes("jpeg-uhdr/libavif-paris-icc.jpg")
    let isolated = DecoderProcessTests.execution()
    let jpegXL = try JPEGXLTranscoding.encoded(jpeg, speed: 10)
    let transcoded = try isolated { () throws(ImageError) in
      try JPEGXLTranscoding.encoded(jpeg, speed: 10)
    }
    #expect(transcoded == jpegXL)
    for limit in [jpeg.count, jpeg.count - 1] {
      let (direct, other) = (
        Result { try JPEGXLTranscoding.reconstructed(jpegXL, limit: limit) },
        Result {
          try isolated { () throws(ImageError) in
            try JPEGXLTranscoding.reconstructed(jpegXL, limit: limit)
          }
        }
      )
      #expect((try? direct.get()) == (limit == jpeg.count ? jpeg : nil))
      #expect("\(direct)" == "\(other)")
    }
  }

  /// Warnings of the libraries, each once.
  private func warnings(_ source: ByteSource) throws(ImageError) -> [Notice] {
    let opened = try SourceImage.open(source)
    _ = try opened.image.planes()
    var notices: [Notice] = opened.notices
    if let file = opened.file { notices += file.decodingNotices.all }
    return notices.filter { $0.code.id == "library-warned" }
  }

  @Test(arguments: [false, true]) func warnings(isInterlaced: Bool) throws {
    var header = PNGHeader(width: 4, height: 4, bitDepth: 8, colorType: .gray)
    header.isInterlaced = isInterlaced
    var png = PNGFile(header: header)
    // More rows than the image has.
    png.appendImageData(try Zlib.deflate([UInt8](repeating: 0, count: 60)))
    for source in [ByteSource(png.serialized()), ByteSource(PanasonicRaw.noise)] {
      let direct = try warnings(source)
      #expect(direct.count == 1)
      let isolated = try DecoderProcessTests.execution()({ () throws(ImageError) in
        try warnings(source)
      })
      #expect(isolated == direct)
    }
  }

  @Test(.enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)")) func malformed() throws {
    for name in Corpus.files(in: ["malformed-png"]) { compare(try Corpus.source(name), name) }
  }
}
#endif
