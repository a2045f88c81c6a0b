// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

/// Partial measurements yield the same numbers as complete ones.
@Suite("Extents of measurement") struct MeasurementTests {
  /// Noise in all codes, for encodings with one curve, three curves, or a gain for each pixel.
  private static func image(
    _ components: ImageLayout.Components, bits: Int = 10, height: Int = 45
  ) -> ImagePlanes {
    let format = ImageLayout(
      width: 67, height: height, components: components, samples: .integer(bits: bits))
    var random = SplitMix(seed: 41)
    let planes = (0..<format.componentCount).map { index in
      let size = format.planeSize(index)
      return Plane<UInt16>(width: size.width, height: size.height) { samples in
        for _ in 0..<size.width * size.height {
          samples.append(UInt16.random(in: 0..<1 << UInt16(bits), using: &random))
        }
      }
    }
    return ImagePlanes(layout: format, planes: .integer(planes))
  }

  private static func toLight(
    _ image: ImagePlanes, _ encoding: ColorEncoding, primaries: ColorPrimaries = .bt2020
  ) -> ImageTransform {
    var format = image.layout
    (format.components, format.samples) = (.rgb, .float)
    return ImageTransform(
      from: .init(layout: image.layout, color: encoding),
      to: .init(layout: format, color: ColorEncoding(primaries: primaries, transfer: .linear)))
  }

  @Test(
    arguments: [
      ImageLayout.Components.gray, .rgb, .ycbcr(.yuv420), .ycbcr(.yuv444),
    ], [TransferFunction.pq, .hlg, .srgb])
  func headroom(components: ImageLayout.Components, transfer: TransferFunction) throws {
    var encoding = ColorEncoding(primaries: .bt2020, transfer: transfer)
    if case .ycbcr = components { encoding.matrix = .bt2020NonConstant }
    for isFullRange in [true, false] {
      encoding.isFullRange = isFullRange
      let image = Self.image(components)
      for primaries in [ColorPrimaries.bt2020, .displayP3] {
        let conversion = Self.toLight(image, encoding, primaries: primaries)
        let headroom = try conversion.contentHeadroom(PlanesReader(image))
        #expect(try headroom == conversion.measure(image).contentHeadroom)
      }
    }
  }

  /// The headroom is at least the sufficient one, or that of the whole image.
  @Test(arguments: [-1.0, 0.5, 1, 2, 4, 6]) func enoughHeadroom(stops: Double) throws {
    let image = Self.image(.rgb, height: 520)
    let conversion = Self.toLight(image, ColorEncoding(primaries: .bt2020, transfer: .pq))
    let reader = PlanesReader(image)
    let enough = Headroom(stops: stops)
    let all = try conversion.contentHeadroom(reader)
    let found = try conversion.contentHeadroom(reader, enough: enough)
    #expect(found == all || found.stops >= enough.stops && all.stops >= enough.stops)
  }

  @Test func levelsWithoutPercentiles() throws {
    let image = Self.image(.rgb)
    var conversion = Self.toLight(image, ColorEncoding(primaries: .bt2020, transfer: .pq))
    let all = try conversion.run(image).lightLevels
    conversion.measurement = .levels
    let levels = try conversion.run(image).lightLevels
    #expect(levels.contentLightLevel == all.contentLightLevel)
    #expect(levels.contentColorVolume == all.contentColorVolume)
    #expect(levels.pixelCount == all.pixelCount)
    #expect(all.percentile(0.5) < all.maximum && levels.percentile(0.5) == levels.maximum)
    #expect(try conversion.measure(image).percentile(0.5) == all.percentile(0.5))
  }

  @Test func nothing() throws {
    let image = Self.image(.rgb)
    var conversion = Self.toLight(image, ColorEncoding(primaries: .bt2020, transfer: .pq))
    let measured = try conversion.run(image)
    conversion.measurement = .nothing
    let result = try conversion.run(image)
    #expect(result.lightLevels.pixelCount == 0 && result.lightLevels.maximum == 0)
    #expect(result.lightLevels.averageLuminance == 0 && result.lightLevels.percentile(1) == 0)
    #expect(result.clipping == measured.clipping)
    guard case .float(let planes) = result.image.planes,
      case .float(let expected) = measured.image.planes
    else {
      Issue.record("no light")
      return
    }
    for (plane, other) in zip(planes, expected) { #expect(samples(plane) == samples(other)) }
  }
}
