// SPDX-License-Identifier: Apache-2.0
#if JPEG
import Foundation
import GainMap
@testable import HDRConversion
import HDRCore
import ImageContainers
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

@Suite("Size of gain maps") struct GainMapSizeTests {
  /// Gradients up to 800 cd/m² with noise and a lamp, as PQ.
  private static func scene() -> SourceImage {
    let (width, height) = (320, 240)
    var random = SplitMix(seed: 4)
    let planes = (0..<3).map { color in
      Plane<UInt16>(width: width, height: height) { samples in
        for y in 0..<height {
          for x in 0..<width {
            let isLamp = (x - 200) * (x - 200) + (y - 90) * (y - 90) < 900
            let light = isLamp ? 800.0 : 2 + Double(x) / 2 + Double(y * (color + 1)) / 8
            let noise = Double.random(in: 0.94...1.06, using: &random)
            samples.append(UInt16(PQ.inverseEOTF(light * noise) * 65_535))
          }
        }
      }
    }
    let layout = ImageLayout(
      width: width, height: height, components: .rgb, samples: .integer(bits: 16))
    let image = ImagePlanes(layout: layout, planes: .integer(planes))
    return SourceImage(
      format: .png, image: Image(image, ColorEncoding(primaries: .bt2020, transfer: .pq)))
  }

  @Test("maps of large images may be reduced, unless an option determines their quality")
  func settings() {
    var options = GainMapEncoder.Options(format: .jpeg, encoder: EncoderOptions(quality: 90))
    let (small, large) = (
      GainMapTrialSettings(options, pixelCount: 3_000_000),
      GainMapTrialSettings(options, pixelCount: 12_000_000)
    )
    #expect(!small.mayReduceMap && small.scale == 1 && small.mapQuality == 90)
    #expect(large.mayReduceMap && large.scale == 2 && large.mapQuality == 70)
    options.targetError = 3
    #expect(!GainMapTrialSettings(options, pixelCount: 12_000_000).mayReduceMap)
    options.targetError = nil
    options.map.quality = 80
    #expect(!GainMapTrialSettings(options, pixelCount: 12_000_000).mayReduceMap)
  }

  @Test("a map above a fifth of the file is reduced while the error hardly grows")
  func reduction() throws {
    let options = GainMapEncoder.Options(format: .jpeg, encoder: EncoderOptions(quality: 90))
    func trial(reduces: Bool) throws -> GainMapTrial {
      let pair = try ImagePair(hdr: Self.scene(), sdr: nil, options: options, progress: nil)
      var trials = try GainMapTrialEncoder(
        pair: pair, parameters: try GainMapEncodingParameters(options), options: options)
      var settings = GainMapTrialSettings(options, pixelCount: 12_000_000)
      settings.mayReduceMap = reduces
      return try trials.make(settings)
    }
    let (whole, reduced) = try (trial(reduces: false), trial(reduces: true))
    let share = Double(reduced.mapByteCount) / Double(reduced.bytes.count)
    #expect(reduced.settings.mapQuality < whole.settings.mapQuality)
    #expect(reduced.mapByteCount < whole.mapByteCount)
    #expect(reduced.baseByteCount == whole.baseByteCount)
    #expect(reduced.quality.deltaE99 <= 1.1 * whole.quality.deltaE99)
    #expect(share < 0.2 || reduced.quality.deltaE99 > whole.quality.deltaE99, "\(share)")
  }
}
#endif
