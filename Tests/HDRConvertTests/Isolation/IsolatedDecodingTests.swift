#if HEIF && AVIF && PNG && JPEG && TIFF && EXR && RAW
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
  private static let corpus = [
    "avif", "heic", "heif", "hif", "jpg", "png", "tif", "tiff", "exr", "dng", "cr2", "raf", "bin",
  ]

  /// The samples of an image and its gain map, or the error.
  private func decode(_ source: ByteSource) throws(ImageError) -> [ImagePlanes] {
    let opened = try SourceImage.open(source)
    var planes = [try opened.image.planes()]
    if let map = try opened.decodeGainMap() { planes.append(try map.image.planes()) }
    for auxiliary in opened.auxiliaries { planes.append(try auxiliary.image.planes()) }
    return planes
  }

  private func compare(_ source: ByteSource, _ name: String) {
    let budget = Execution.Budget()
    let direct = Execution(threads: 2, budget: budget)
    let isolated = DecoderProcessTests.execution(memory: budget.memory, threads: 2)
    var (first, second): ([ImagePlanes], [ImagePlanes]) = ([], [])
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

  private func picture(_ samples: ImageLayout.Samples) -> OutputImage {
    let layout = ImageLayout(width: 150, height: 90, components: .rgb, samples: samples)
    var random = SplitMix(seed: 5)
    if case .integer(let bits) = samples {
      let planes = (0..<3).map { _ in
        Plane(width: 150, height: 90) { plane in
          for _ in 0..<150 * 90 { plane.append(UInt16.random(in: 0..<1 << bits, using: &random)) }
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

  @Test(arguments: [FileFormat.png, .tiff, .heif, .avif]) func integers(format: FileFormat) throws {
    let bits = format == .png || format == .tiff ? 16 : 10
    let file = try picture(.integer(bits: bits)).encoded(as: format, options: EncoderOptions())
    compare(ByteSource(file), "\(format)")
    compare(ByteSource(Array(file.prefix(file.count * 2 / 3))), "\(format), truncated")
  }

  @Test func floats() throws {
    let file = try picture(.float).encoded(as: .exr, options: EncoderOptions())
    compare(ByteSource(file), "OpenEXR")
    compare(ByteSource(Array(file.prefix(file.count * 2 / 3))), "OpenEXR, truncated")
  }

  @Test(.enabled(if: Corpus.isPresent)) func malformed() throws {
    for name in Corpus.files(in: ["malformed-png"]) { compare(try Corpus.source(name), name) }
  }
}
#endif
