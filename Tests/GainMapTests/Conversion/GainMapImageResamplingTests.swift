// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

@Suite("Gain maps of cropped and resized images") struct GainMapImageResamplingTests {
  /// A gain map of one component whose log gain is a ramp over the image, in stops.
  private static func ramp(
    _ width: Int, _ height: Int, of image: (Int, Int), bits: Int, metadata: GainMapMetadata
  ) -> GainMapImage {
    let largest = Double(1 << bits - 1)
    let plane = Plane<UInt16>(width: width, height: height) { output in
      for y in 0..<height {
        for x in 0..<width {
          let sample = metadata.channels[0].sample(
            ofLogGain: gain(
              (Double(x) + 0.5) * Double(image.0) / Double(width),
              (Double(y) + 0.5) * Double(image.1) / Double(height), of: image))
          output.append(UInt16(clamping: (sample * largest).rounded()))
        }
      }
    }
    let format = ImageLayout(
      width: width, height: height, components: .gray, samples: .integer(bits: bits))
    return GainMapImage(
      ImagePlanes(layout: format, planes: .integer([plane])), metadata: metadata)
  }

  /// From 0.5 stops at the top left to 2.5 stops at the bottom right.
  private static func gain(_ x: Double, _ y: Double, of image: (Int, Int)) -> Double {
    0.5 + x / Double(image.0) + y / Double(image.1)
  }

  /// For any crop, the gain at each position of the image is kept to 0.01 stops.
  @Test(
    arguments: [
      PixelRectangle(x: 0, y: 0, width: 400, height: 300),
      PixelRectangle(x: 41, y: 33, width: 201, height: 155),
      PixelRectangle(x: 1, y: 2, width: 397, height: 111),
    ], [1.0, 0.5, 0.37])
  func gainStaysInPlace(part: PixelRectangle, scale: Double) throws {
    let image = (400, 300)
    let metadata = try metadata(minimum: 0, maximum: 3, gamma: 0.6)
    let map = Self.ramp(100, 75, of: image, bits: 10, metadata: metadata)
    let size = (
      width: Int(clamping: (Double(part.width) * scale).rounded()),
      height: Int(clamping: (Double(part.height) * scale).rounded())
    )
    let resampling = Resampling(part: part, width: size.width, height: size.height)
      .following(image: image, companion: (100, 75))
    let result = try map.resampled(resampling)
    #expect(result.metadata == map.metadata)
    #expect(result.image.layout.samples == .integer(bits: 10))
    let sampler = GainMapSampler(result, width: size.width, height: size.height)
    // Beyond its outermost samples a bilinear map is constant, as is the original ramp.
    let margin = Int(clamping: 8 * scale) + 2
    for y in margin..<size.height - margin {
      for x in margin..<size.width - margin {
        let place = (
          Double(part.x) + (Double(x) + 0.5) * Double(part.width) / Double(size.width),
          Double(part.y) + (Double(y) + 0.5) * Double(part.height) / Double(size.height)
        )
        let expected = Self.gain(place.0, place.1, of: image)
        #expect(abs(sampler.logGain(x: x, y: y, component: 0) - expected) <= 0.01)
      }
    }
  }

  @Test func identityKeepsCodes() throws {
    let map = Self.ramp(40, 30, of: (80, 60), bits: 8, metadata: try metadata())
    let whole = Resampling(
      part: PixelRectangle(x: 0, y: 0, width: 80, height: 60), width: 80, height: 60)
    let same = try map.resampled(
      whole.following(image: (80, 60), companion: (40, 30)))
    #expect(codes(same) == codes(map))
  }

  /// All code values of any bit depth are preserved by a crop at sample boundaries.
  @Test func partsKeepCodes() throws {
    let map = Self.ramp(40, 30, of: (80, 60), bits: 8, metadata: try metadata(gamma: 2.2))
    let part = Resampling(
      part: PixelRectangle(x: 8, y: 4, width: 20, height: 30), width: 20, height: 30)
    let cut = try map.resampled(
      part.following(image: (80, 60), companion: (40, 30)))
    let (before, after) = (codes(map), codes(cut))
    #expect(cut.image.layout.width == 10 && cut.image.layout.height == 15)
    for y in 0..<15 {
      for x in 0..<10 { #expect(after[y * 10 + x] == before[(y + 2) * 40 + x + 4]) }
    }
  }

  private func codes(_ map: GainMapImage) -> [UInt16] {
    guard case .integer(let planes) = map.planes.planes else {
      Issue.record("samples are not integers")
      return []
    }
    let plane = planes[0]
    return (0..<plane.width * plane.height).map { plane.span[$0] }
  }
}
