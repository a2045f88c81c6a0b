// SPDX-License-Identifier: Apache-2.0
#if JPEG && EXR
import Foundation
import GainMap
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

@Suite("Size of gain maps") struct GainMapSizeTests {
  private static let scene = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("reference-images/photo.exr").path

  @Test(
    "maps may be reduced, unless an option determines their quality or the image is for editing")
  func settings() {
    var options = GainMapEncoder.Options(format: .jpeg, encoder: EncoderOptions(quality: 90))
    #expect(options.mayReduceMap)
    options.targetError = 3
    #expect(!options.mayReduceMap)
    options.targetError = nil
    options.map.quality = 80
    #expect(!options.mayReduceMap)
    options.map.quality = nil
    options.encoder.quality = 95
    #expect(!options.mayReduceMap)
    // An image of more pixels is rarely shown pixel by pixel.
    #expect(GainMapTrialSettings(options, pixelCount: 3_000_000).scale == 1)
    #expect(GainMapTrialSettings(options, pixelCount: 12_000_000).scale == 2)
  }

  /// Source: Decision 36.
  @Test(
    "size and quality of maps, by format and quality",
    arguments: [
      (FileFormat.jpeg, 90, 2, 70), (.jpeg, 49, 2, 32), (.jpeg, 95, 1, 95), (.avif, 40, 2, 25),
      (.avif, 10, 2, 0), (.heif, 50, 2, 35), (.avif, 90, 2, 80), (.heif, 100, 1, 100),
    ])
  func usual(format: FileFormat, quality: Int, scale: Int, mapQuality: Int) {
    let options = GainMapEncoder.Options(format: format, encoder: EncoderOptions(quality: quality))
    let settings = GainMapTrialSettings(options, pixelCount: 1_000_000)
    #expect(settings.scale == scale && settings.mapQuality == mapQuality)
  }

  @Test("chroma of JPEG is subsampled unless edges of saturated colors would blur")
  func chroma() throws {
    func layout(_ isText: Bool) throws -> ImageLayout {
      let (width, height) = (64, 64)
      let layout = ImageLayout(width: width, height: height, components: .rgb, samples: .float)
      // Red lines of a pixel on blue, or a smooth ramp; the first rows are brighter than white.
      var planes = [[Float]](repeating: [], count: 3)
      for y in 0..<height {
        for x in 0..<width {
          let share = isText ? (x % 8 == 0 ? 1 : 0) : Float(x) / Float(width)
          let light: Float = y < 8 ? 4 : 1
          for (index, value) in [share, 0.05, 1 - share].enumerated() {
            planes[index].append(light * value)
          }
        }
      }
      let samples = ImagePlanes(
        layout: layout,
        planes: .float(try planes.map { try Plane(width: width, height: height, samples: $0) }))
      let image = Image(
        ImageDescription(
          layout: layout, color: ColorEncoding(primaries: .bt709, transfer: .linear)), samples)
      return try GainMapEncoder(GainMapEncoder.Options(format: .jpeg)).run(hdr: SourceImage(image))
        .baseLayout
    }
    #expect(try layout(true).components == .ycbcr(.yuv444))
    #expect(try layout(false).components == .ycbcr(.yuv420))
  }

  /// A map of an enlarged scene, first with this quality.
  private func trial(_ quality: Int, isFixed: Bool) throws -> GainMapTrial {
    var options = GainMapEncoder.Options(format: .jpeg, encoder: EncoderOptions(quality: 85))
    (options.flavors, options.chroma) = ([.iso], .yuv444)
    options.geometry.size = .longSide(2460)
    options.map.quality = isFixed ? quality : nil
    let hdr = try SourceImage(decoding: ByteSource(path: Self.scene), options: OpeningOptions())
    let pair = try ImagePair(hdr: hdr, sdr: nil, options: options)
    var trials = GainMapTrialEncoder(
      pair: pair, parameters: try GainMapEncodingParameters(options), options: options)
    var settings = GainMapTrialSettings(options, pixelCount: trials.pixelCount)
    (settings.scale, settings.mapQuality) = (4, quality)
    return try trials.make(settings)
  }

  /// At quality 98 the map takes 28 % of the file, at 83 it takes 7 %.
  @Test("a map above a quarter of the file is reduced, whatever the error")
  func reduction() throws {
    let (whole, reduced) = try (trial(98, isFixed: true), trial(98, isFixed: false))
    #expect(4 * whole.mapByteCount > whole.bytes.count && whole.settings.mapQuality == 98)
    #expect(5 * reduced.mapByteCount <= reduced.bytes.count && reduced.settings.mapQuality == 83)
    #expect(reduced.baseByteCount == whole.baseByteCount)
  }

  @Test(
    "a map between a fifth and a quarter of the file is reduced only while the error hardly grows")
  func tolerance() throws {
    let whole = try #require(
      try (90...98).reversed().map { try trial($0, isFixed: true) }
        .first { 4 * $0.mapByteCount <= $0.bytes.count })
    #expect(5 * whole.mapByteCount > whole.bytes.count)
    let reduced = try trial(whole.settings.mapQuality, isFixed: false)
    #expect(reduced.quality.deltaE99 <= 1.1 * whole.quality.deltaE99)
    #expect(reduced.settings.mapQuality <= whole.settings.mapQuality)
  }

  /// The input has a gain map of a quarter of its size, 192x128.
  @Test(
    "maps of reduced images have half their size, as far as the input has the samples",
    arguments: [(384, 192, 128), (576, 192, 128), (96, 48, 32)])
  func reducedImages(side: Int, width: Int, height: Int) throws {
    var options = GainMapEncoder.Options(format: .jpeg, encoder: EncoderOptions(quality: 85))
    options.map.scale = 4
    let hdr = try SourceImage(decoding: ByteSource(path: Self.scene), options: OpeningOptions())
    let whole = try ImageFile(
      parsing: ByteSource(GainMapEncoder(options).run(hdr: hdr).bytes))
    var request = ConversionRequest(format: .jpeg)
    request.geometry.longSide = side
    let reduced = try ImageFile(parsing: ByteSource(whole.converted(request).bytes))
    let map = try #require(try SourceImage(decoding: reduced).decodeGainMap())
    #expect((map.image.layout.width, map.image.layout.height) == (width, height))
  }
}
#endif
