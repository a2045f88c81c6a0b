// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

@Suite("Associated alpha") struct AssociatedAlphaTests {
  /// Premultiplied linear values, RGB and alpha: an opaque pixel, a flame, a glow above any signal,
  /// and a half-transparent pixel.
  private let associated: [[Float]] = [
    [1, 2, 0.5, 0.5], [1, 4, 0, 0.5], [1, 8, 0.25, 0.5], [1, 0, 1e-3, 0.5],
  ]

  private func associatedFormat(_ samples: ImageLayout.Samples, _ isAssociated: Bool)
    -> ImageLayout
  {
    ImageLayout(
      width: 4, height: 1, components: .rgb, samples: samples, hasAlpha: true,
      isAlphaPremultiplied: isAssociated)
  }

  /// Premultiplied values are not divided if they stay premultiplied, for any primaries.
  @Test func associatedAlphaStays() throws {
    let format = associatedFormat(.float, true)
    let image = ImagePlanes(
      layout: format, planes: .float(associated.map { plane($0, width: 4) }))
    func converted(to primaries: ColorPrimaries) throws -> [[Float]] {
      let result = try ImageTransform(
        from: .init(layout: format, color: .init(primaries: .bt2020, transfer: .linear)),
        to: .init(layout: format, color: .init(primaries: primaries, transfer: .linear))
      ).run(image)
      #expect(result.clipping == .init(pixelCount: 4))
      guard case .float(let planes) = result.image.planes else { return [] }
      return planes.map(samples)
    }
    #expect(try converted(to: .bt2020) == associated)
    let matrix = ColorPrimaries.bt2020.conversion(to: .displayP3)
    let rotated = try converted(to: .displayP3)
    for x in 0..<4 {
      let light =
        matrix
        * SIMD3(
          Double(associated[0][x]), Double(associated[1][x]), Double(associated[2][x]))
      for component in 0..<3 {
        #expect(abs(Double(rotated[component][x]) - light[component]) < 1e-5)
      }
      #expect(rotated[3][x] == associated[3][x])
    }
  }

  /// Straight alpha cannot store emissive pixels at alpha 0, or far above a small alpha: they are
  /// counted, and light levels are those of the composited image.
  @Test(arguments: [TransferFunction.pq, .hlg])
  func glowIsCounted(transfer: TransferFunction) throws {
    let source = associatedFormat(.float, true)
    let result = try ImageTransform(
      from: .init(layout: source, color: .init(primaries: .bt2020, transfer: .linear)),
      to: .init(
        layout: associatedFormat(.integer(bits: 16), false),
        color: .init(primaries: .bt2020, transfer: transfer))
    ).run(
      ImagePlanes(layout: source, planes: .float(associated.map { plane($0, width: 4) })))
    #expect(result.clipping.emissive == 2)
    // The opaque pixel; the flame has alpha 0, and the glow nearly 0.
    #expect(abs(result.lightLevels.maximum - 203) < 1)
  }

  /// Alpha times the signal of the straight color, and 1 - alpha times that of what exceeds the peak.
  @Test(arguments: [ImageLayout.Components.rgb, .ycbcr(.yuv444)])
  func glowStaysInPremultipliedPQ(components: ImageLayout.Components) throws {
    let linear = ImageDescription(
      layout: associatedFormat(.float, true),
      color: .init(primaries: .bt2020, transfer: .linear))
    var layout = associatedFormat(.integer(bits: 16), true)
    layout.components = components
    var color = ColorEncoding(primaries: .bt2020, transfer: .pq)
    if components != .rgb { color.matrix = .bt2020NonConstant }
    let signal = ImageDescription(layout: layout, color: color)
    let stored = try ImageTransform(from: linear, to: signal).run(
      ImagePlanes(
        layout: linear.layout, planes: .float(associated.map { plane($0, width: 4) })))
    #expect(stored.clipping == .init(pixelCount: 4))
    #expect(abs(stored.lightLevels.maximum - 8 * 203) < 1)
    if components == .rgb, case .integer(let planes) = stored.image.planes {
      for component in 0..<3 {
        for x in 0..<4 {
          let (light, alpha) = (
            203 * Double(associated[component][x]), Double(associated[3][x])
          )
          let covered = alpha > 0 ? min(light / alpha, 10_000) : 0
          let expected =
            alpha * PQ.inverseEOTF(covered)
            + (1 - alpha) * PQ.inverseEOTF(light - alpha * covered)
          #expect(abs(Double(samples(planes[component])[x]) - 65_535 * expected) < 1)
        }
      }
    }
    let back = try ImageTransform(from: signal, to: linear).run(stored.image)
    guard case .float(let planes) = back.image.planes else {
      Issue.record("not floating point")
      return
    }
    for (found, expected) in zip(planes.map(samples).joined(), associated.joined()) {
      #expect(abs(found - expected) < 2e-3 * max(expected, 0.1))
    }
  }

  /// Without an alpha channel in the target, values are composited on black, including emissive
  /// pixels.
  @Test func glowStaysOnBlack() throws {
    let source = associatedFormat(.float, true)
    let result = try ImageTransform(
      from: .init(layout: source, color: .init(primaries: .bt2020, transfer: .linear)),
      to: .init(
        layout: ImageLayout(width: 4, height: 1, components: .rgb, samples: .float),
        color: .init(primaries: .bt2020, transfer: .linear))
    ).run(
      ImagePlanes(layout: source, planes: .float(associated.map { plane($0, width: 4) })))
    #expect(result.clipping == .init(pixelCount: 4))
    guard case .float(let planes) = result.image.planes else {
      Issue.record("not floating point")
      return
    }
    #expect(planes.map(samples) == Array(associated.prefix(3)))
    #expect(abs(result.lightLevels.maximum - 8 * 203) < 1)
  }
}
