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

  @Test("maps of large images may be reduced, unless an option determines their quality")
  func settings() {
    var options = GainMapEncoder.Options(format: .jpeg, encoder: EncoderOptions(quality: 90))
    let (small, large) = (
      GainMapTrialSettings(options, pixelCount: 3_000_000),
      GainMapTrialSettings(options, pixelCount: 12_000_000)
    )
    #expect(small.scale == 1 && small.mapQuality == 90)
    #expect(large.scale == 2 && large.mapQuality == 70)
    #expect(!options.mayReduceMap(pixelCount: 3_000_000))
    #expect(options.mayReduceMap(pixelCount: 12_000_000))
    options.targetError = 3
    #expect(!options.mayReduceMap(pixelCount: 12_000_000))
    options.targetError = nil
    options.map.quality = 80
    #expect(!options.mayReduceMap(pixelCount: 12_000_000))
  }

  /// Source: Decision 36.
  @Test(
    "size and quality of maps of SDR images, by format and quality",
    arguments: [
      (FileFormat.jpeg, 90, 1, 90), (.jpeg, 49, 2, 49), (.avif, 40, 1, 25), (.avif, 10, 1, 0),
      (.heif, 75, 1, 60), (.avif, 90, 1, 80), (.heif, 100, 1, 100),
    ])
  func usual(format: FileFormat, quality: Int, scale: Int, mapQuality: Int) {
    var options = GainMapEncoder.Options(format: format, encoder: EncoderOptions(quality: quality))
    let settings = GainMapTrialSettings(options, pixelCount: 1_000_000)
    #expect(settings.scale == scale && settings.mapQuality == mapQuality)
    options.baseIsHDR = true
    let besideHDR = GainMapTrialSettings(options, pixelCount: 1_000_000)
    #expect(besideHDR.scale == (quality < 50 ? 2 : 1) && besideHDR.mapQuality == quality)
  }

  /// At quality 98 the map takes 28 % of the file, at 83 it takes 7 %.
  @Test("a map above a fifth of the file is reduced while the error hardly grows")
  func reduction() throws {
    var options = GainMapEncoder.Options(format: .jpeg, encoder: EncoderOptions(quality: 85))
    options.flavors = [.iso]
    // Only maps of large images are reduced.
    options.geometry.size = .longSide(2460)
    func trial(reduces: Bool) throws -> GainMapTrial {
      var options = options
      options.map.quality = reduces ? nil : 98
      let hdr = try SourceImage(decoding: ByteSource(path: Self.scene), options: OpeningOptions())
      let pair = try ImagePair(hdr: hdr, sdr: nil, options: options, progress: nil)
      var trials = GainMapTrialEncoder(
        pair: pair, parameters: try GainMapEncodingParameters(options), options: options)
      #expect(options.mayReduceMap(pixelCount: trials.pixelCount) == reduces)
      var settings = GainMapTrialSettings(options, pixelCount: trials.pixelCount)
      (settings.scale, settings.mapQuality) = (4, 98)
      return try trials.make(settings)
    }
    let (whole, reduced) = try (trial(reduces: false), trial(reduces: true))
    #expect(5 * whole.mapByteCount > whole.bytes.count && whole.settings.mapQuality == 98)
    #expect(5 * reduced.mapByteCount <= reduced.bytes.count && reduced.settings.mapQuality == 83)
    #expect(reduced.baseByteCount == whole.baseByteCount)
    #expect(reduced.quality.deltaE99 <= 1.1 * whole.quality.deltaE99)
  }
}
#endif
