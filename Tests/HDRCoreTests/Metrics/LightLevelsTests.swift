// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import TestSupport
import Testing

@Suite("Light levels") struct LightLevelsTests {
  private static let width = 211

  private func image(
    _ colors: [SIMD3<Float>], primaries: ColorPrimaries = .bt2020, referenceWhite: Double = 203
  ) -> LinearImage {
    let width = colors.count % Self.width == 0 ? Self.width : colors.count
    return LinearImage(
      red: plane(colors.map(\.x), width: width), green: plane(colors.map(\.y), width: width),
      blue: plane(colors.map(\.z), width: width), primaries: primaries,
      referenceWhite: referenceWhite)
  }

  /// Random values of many magnitudes, compared with sums in double precision.
  @Test(arguments: [0.2, 1, 80, 203, 10_000]) func againstDefinition(referenceWhite: Double) throws
  {
    var random = SplitMix(seed: 9)
    let peak = 10_000 / referenceWhite
    let colors = (0..<Self.width * 101).map { _ in
      let size = Float(exp2(Double.random(in: -20...0, using: &random)) * peak)
      return SIMD3<Float>.random(in: 0...1, using: &random) * size
    }
    let found = try image(colors, referenceWhite: referenceWhite).lightLevels()
    let weights = ColorPrimaries.bt2020.luminanceWeights
    let maxima = colors.map { Double($0.max()) * referenceWhite }.sorted()
    let luminances = colors.map { (SIMD3<Double>($0) * weights).sum() * referenceWhite }
    let count = Double(colors.count)
    #expect(found.pixelCount == colors.count)
    #expect(isClose(found.maximum, maxima.last ?? 0, relative: 1e-5))
    #expect(isClose(found.maximumLuminance, luminances.max() ?? 0, relative: 1e-5))
    #expect(isClose(found.minimumLuminance, luminances.min() ?? 0, relative: 1e-5))
    // Sums count steps of about a millionth of reference white.
    let step = referenceWhite * 1e-6
    #expect(isClose(found.average, maxima.reduce(0, +) / count, relative: 1e-5, absolute: step))
    #expect(
      isClose(
        found.averageLuminance, luminances.reduce(0, +) / count, relative: 1e-5, absolute: step))
    #expect(found.contentLightLevel.maximum == found.maximum)
    #expect(found.contentLightLevel.maximumAverage == found.average)
    for share in [0.01, 0.25, 0.5, 0.9, 0.99, 0.9999, 1] {
      let expected = maxima[Int(clamping: (share * count).rounded(.up)) - 1]
      let level = found.percentile(share)
      #expect(level >= expected * (1 - 1e-5) && level <= expected * 1.016, "share \(share)")
    }
    #expect(found.percentile(1) == found.maximum)
    let headroom = maxima[Int(clamping: (0.9999 * count).rounded(.up)) - 1] / referenceWhite
    #expect(found.contentHeadroom.ratio >= max(headroom, 1) * (1 - 1e-5))
    #expect(found.contentHeadroom.ratio <= max(headroom, 1) * 1.016)
    let logarithms = maxima.enumerated().map { place, level in
      let share = min(Double(place) + 1, 0.85 * count) - max(Double(place), 0.65 * count)
      return max(share, 0) * log2(max(level / referenceWhite, 1e-6))
    }
    let key = exp2(logarithms.reduce(0, +) / (0.2 * count))
    #expect(isClose(found.key, key, relative: 8e-3, absolute: 1e-5))
  }

  /// Negative components count as 0, and values out of range of displays do not overflow.
  @Test func extremes() throws {
    let found = try image([
      SIMD3(-1, -2, -3), SIMD3(.nan, .nan, .nan), SIMD3(repeating: .infinity),
      SIMD3(repeating: 0), SIMD3(repeating: 0x1p-149), SIMD3(repeating: -.infinity),
    ]).lightLevels()
    #expect(found.maximum > 1e30 && found.maximum.isFinite)
    #expect(found.minimumLuminance == 0)
    #expect(found.average.isFinite && found.averageLuminance > 0)
    #expect(found.percentile(0.5) < 1e-4)
  }

  /// Infinite values do not count for the headroom.
  @Test func infiniteLightHasNoHeadroom() throws {
    var colors = [SIMD3<Float>](repeating: SIMD3(repeating: 3), count: Self.width * 4)
    colors[5] = SIMD3(.infinity, 1, 1)
    colors[6] = SIMD3(repeating: 1e9)
    let found = try image(colors).lightLevels()
    #expect(found.contentHeadroom.ratio >= 3 && found.contentHeadroom.ratio < 3 * 1.016)
    #expect(found.maximum > 1e30)
  }

  /// The levels of a constant image are those of its color.
  @Test func constantImage() throws {
    let found = try image([SIMD3<Float>](repeating: SIMD3(1, 1, 1), count: Self.width * 40))
      .lightLevels()
    #expect(found.maximum == 203 && found.maximumLuminance == 203 && found.minimumLuminance == 203)
    #expect(abs(found.average - 203) < 1e-3 && abs(found.averageLuminance - 203) < 1e-3)
    #expect(found.contentHeadroom == .standard)
  }

  @Test func usedPrimaries() throws {
    /// Colors at the primaries of `primaries`, in linear BT.2020.
    func levels(_ primaries: ColorPrimaries, outliers: Int) throws -> LightLevels {
      let matrix = primaries.conversion(to: .bt2020)
      var random = SplitMix(seed: 2)
      let count = 20_000
      let colors = (0..<count).map { index in
        var color = SIMD3<Double>.random(in: 0...5, using: &random)
        color[index % 3] = 0
        let wide = index < outliers
        return SIMD3<Float>(wide ? SIMD3(0, 1, 0) : matrix * color)
      }
      return try image(colors).lightLevels()
    }
    #expect(try levels(.bt709, outliers: 0).usedPrimaries == .bt709)
    #expect(try levels(.bt709, outliers: 2).usedPrimaries == .bt709)
    #expect(try levels(.bt709, outliers: 3).usedPrimaries == .bt2020)
    #expect(try levels(.displayP3, outliers: 2).usedPrimaries == .displayP3)
    #expect(try levels(.bt2020, outliers: 0).usedPrimaries == .bt2020)
    let volume = try levels(.displayP3, outliers: 0).contentColorVolume
    #expect(volume.primaries == .displayP3)
  }

  /// The result is measured: after exposure, primaries, limits and the shoulder.
  @Test func measuresTheTarget() throws {
    let source = image([SIMD3(100, 0, 0), SIMD3(1, 1, 1), SIMD3(0, 0, 4)], primaries: .displayP3)
    let format = ImageLayout(width: 3, height: 1, components: .rgb, samples: .integer(bits: 10))
    let pq = try source.stored(
      as: .init(layout: format, color: ColorEncoding(primaries: .bt2020, transfer: .pq)))
    #expect(pq.lightLevels.maximum == 10_000)
    let shoulder = try RationalShoulder(
      content: Headroom(ratio: 100), display: Headroom(ratio: 1000 / 203.0))
    let hlg = try source.stored(
      as: .init(layout: format, color: ColorEncoding(primaries: .bt2020, transfer: .hlg)),
      rendition: Rendition(ToneMap(shoulder), gamutMapping: .clip))
    #expect(hlg.lightLevels.maximum <= 1000 && hlg.lightLevels.maximum > 900)
  }
}
