// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

/// Bands compared with the double-precision definitions, pixel by pixel.
@Suite("Gain maps in bands") struct GainMapStageTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var components = ImageLayout.Components.gray
    var matrix = CICP.Matrix.identity
    var bits = 8
    var size = (33, 21)
    var base = ColorEncoding(primaries: .displayP3, transfer: .srgb)
    var baseBits = 8
    var metadata: @Sendable () throws -> GainMapMetadata = { try TestSupport.metadata() }
    var apple: GainMapMetadata?
    var display = Headroom(stops: 9)
    var target = ColorEncoding(primaries: .bt2020, transfer: .pq)

    var testDescription: String { name }

    func resolvedMetadata() throws -> GainMapMetadata { try apple ?? metadata() }
  }

  static let baseSize = (66, 75)

  static let cases: [Case] = [
    Case(name: "gray, half size"),
    Case(name: "gray, same size", size: baseSize),
    Case(name: "gray, larger", size: (200, 140)),
    Case(name: "one sample", size: (1, 1)),
    Case(name: "one column", size: (1, 40)),
    Case(name: "one row", size: (40, 1)),
    Case(name: "RGB, 10 bit", components: .rgb, bits: 10),
    Case(name: "RGB, 12 bit, same size", components: .rgb, bits: 12, size: baseSize),
    Case(
      name: "Y'CbCr", components: .ycbcr(.yuv444), matrix: .bt601,
      metadata: { try metadata(minimum: -0.5, maximum: 3, gamma: 0.4) }),
    Case(
      name: "Y'CbCr, 10 bit, same size, large gamma", components: .ycbcr(.yuv444), matrix: .bt709,
      bits: 10, size: baseSize, metadata: { try metadata(minimum: -1, maximum: 4, gamma: 2.5) }),
    Case(
      name: "three channels on gray", size: (17, 19),
      metadata: {
        let one = try metadata().channels[0]
        var other = one
        other.maximum = SignedRational(3)
        var third = one
        third.gamma = try #require(UnsignedRational(1, 2))
        third.minimum = SignedRational(-1)
        return try GainMapMetadata(
          channels: .three(red: one, green: other, blue: third),
          baseHeadroom: UnsignedRational(0), alternateHeadroom: UnsignedRational(3),
          usesBaseColorSpace: true)
      }),
    Case(
      name: "in the alternate's primaries", components: .rgb,
      metadata: { try metadata(usesBaseColorSpace: false) }),
    Case(
      name: "in the alternate's primaries, one gain",
      metadata: { try metadata(usesBaseColorSpace: false) }),
    Case(
      name: "large and different offsets", components: .rgb,
      metadata: { try metadata(baseOffset: 6.7, alternateOffset: 6.65) }),
    Case(
      name: "negative offsets",
      metadata: { try metadata(baseOffset: -0.01, alternateOffset: -0.01) }
    ),
    Case(
      name: "HDR base", components: .rgb, base: ColorEncoding(primaries: .bt709, transfer: .pq),
      baseBits: 10,
      metadata: { try metadata(minimum: -0.3, maximum: 4, baseHeadroom: 4, alternateHeadroom: 0) },
      display: Headroom(stops: 1)),
    Case(
      name: "HDR base with another white",
      base: ColorEncoding(primaries: .bt2020, transfer: .pq, referenceWhite: 100), baseBits: 12,
      metadata: { try metadata(minimum: -0.3, maximum: 4, baseHeadroom: 4, alternateHeadroom: 0) },
      display: .standard,
      target: ColorEncoding(
        primaries: .bt2020, transfer: .pq, referenceWhite: 100)),
    Case(name: "Apple, sRGB", apple: try? GainMapMetadata(appleHeadroom: Headroom(ratio: 4.88))),
    Case(
      name: "Apple, BT.709, in part",
      apple: try? GainMapMetadata(appleHeadroom: Headroom(ratio: 8), curve: .bt709),
      display: Headroom(stops: 1.3)),
    Case(
      name: "sixteen stops", components: .rgb,
      metadata: { try metadata(maximum: 16, alternateHeadroom: 16) }, display: Headroom(stops: 5)),
  ]

  @Test(arguments: cases)
  func againstTheDefinition(_ test: Case) throws {
    let (width, height) = Self.baseSize
    let image = SampleImages.random(
      width: width, height: height, components: .rgb, bits: test.baseBits, seed: 1)
    var color = ColorEncoding.data
    color.matrix = test.matrix
    let map = GainMapImage(
      SampleImages.random(
        width: test.size.0, height: test.size.1, components: test.components, bits: test.bits,
        seed: 2),
      color: color, metadata: try test.resolvedMetadata(), alternatePrimaries: .bt2020)
    var format = image.layout
    format.samples = .integer(bits: 12)
    let result = try ImageTransform(
      from: .init(layout: image.layout, color: test.base),
      to: .init(layout: format, color: test.target)
    ).applying(map, for: test.display).run(image).image
    let reference = Reference(test: test, map: map, image: image)
    var worst = 0
    for y in 0..<height {
      for x in 0..<width {
        let expected = reference.codes(x: x, y: y)
        for component in 0..<3 {
          let code = Int(SampleImages.code(result, component, x: x, y: y))
          worst = max(worst, abs(code - expected[component]))
        }
      }
    }
    #expect(worst <= 1)
  }

  /// The expected result, computed from the definitions only.
  struct Reference {
    let test: Case
    let map: GainMapImage
    let image: ImagePlanes
    let sampler: GainMapSampler
    let weight: Double

    init(test: Case, map: GainMapImage, image: ImagePlanes) {
      self.test = test
      self.map = map
      self.image = image
      sampler = GainMapSampler(map, width: image.layout.width, height: image.layout.height)
      weight = map.metadata.weight(for: test.display)
    }

    func codes(x: Int, y: Int) -> [Int] {
      let levels = Quantization(bits: test.baseBits, isFullRange: true)
      // Gain map units are 203 cd/m², regardless of the reference white of the encoding.
      let white = test.base.transfer == .pq ? 203 : test.base.referenceWhite
      var light = SIMD3<Double>()
      for component in 0..<3 {
        let signal = levels.signal(ofCode: SampleImages.code(image, component, x: x, y: y))
        light[component] = test.base.transfer.linearValue(ofSignal: signal, referenceWhite: white)
      }
      let usesBase = map.metadata.usesBaseColorSpace
      let primaries = usesBase ? test.base.primaries : .bt2020
      light = test.base.primaries.conversion(to: primaries) * light
      for component in 0..<3 {
        light[component] = map.metadata.applied(
          to: light[component], logGain: sampler.logGain(x: x, y: y, component: component),
          weight: weight, component: component)
      }
      light = primaries.conversion(to: test.target.primaries) * light
      let quantization = Quantization(bits: 12, isFullRange: true)
      return (0..<3).map { component in
        let bounded = min(max(light[component], 0), PQ.peakLuminance / 203)
        guard bounded > 0 else { return 0 }
        return Int(
          quantization.code(
            ofSignal: test.target.transfer.signal(ofLinear: bounded, referenceWhite: white)))
      }
    }
  }

  /// The bytes do not depend on the number of threads or on strips, Y'CbCr baseline images
  /// included.
  @Test func independentOfThreads() throws {
    let image = SampleImages.random(
      width: 131, height: 211, components: .ycbcr(.yuv420), bits: 8, seed: 3)
    var color = ColorEncoding.data
    (color.matrix, color.chromaLocation) = (.bt601, .center)
    let map = GainMapImage(
      SampleImages.random(width: 66, height: 106, components: .ycbcr(.yuv420), bits: 8, seed: 4),
      color: color, metadata: try metadata(gamma: 0.7))
    var format = image.layout
    format.components = .rgb
    format.samples = .integer(bits: 16)
    let base = ColorEncoding(
      primaries: .displayP3, transfer: .srgb, matrix: .bt601, chromaLocation: .center)
    let conversion = ImageTransform(
      from: .init(layout: image.layout, color: base),
      to: .init(layout: format, color: ColorEncoding(primaries: .bt2020, transfer: .pq))
    ).applying(map, for: Headroom(stops: 1.5))
    let one = try Execution(threads: 1).perform { try conversion.run(image) }
    guard case .integer(let planes) = one.image.planes else {
      Issue.record("not what the test is about"); return
    }
    for threads in [2, 3, 7] {
      let other = try Execution(threads: threads).perform {
        try conversion.run(PlanesReader(image))
      }
      guard case .integer(let found) = other.image.planes else {
        Issue.record("not what the test is about"); return
      }
      #expect(found == planes)
      #expect(other.lightLevels.contentLightLevel == one.lightLevels.contentLightLevel)
    }
    let measured = try conversion.measure(image)
    #expect(measured.contentLightLevel == one.lightLevels.contentLightLevel)
  }

  /// At the headroom of the baseline image, samples are unchanged; alpha is unchanged at any
  /// headroom.
  @Test func withoutWeightNothingChanges() throws {
    let image = SampleImages.random(
      width: 40, height: 40, components: .rgb, bits: 8, seed: 5, hasAlpha: true)
    let map = GainMapImage(
      SampleImages.random(width: 20, height: 20, components: .gray, bits: 8, seed: 6),
      metadata: try metadata(baseOffset: 0.1, alternateOffset: 0.2))
    let coding = ImageDescription(
      layout: image.layout, color: ColorEncoding(primaries: .bt709, transfer: .srgb))
    let plain = ImageTransform(from: coding, to: coding)
    let unchanged = try plain.applying(map, for: .standard).run(image).image
    let changed = try plain.applying(map, for: Headroom(stops: 1)).run(image).image
    guard case .integer(let before) = image.planes, case .integer(let same) = unchanged.planes,
      case .integer(let after) = changed.planes
    else { Issue.record("not what the test is about"); return }
    #expect(same == before)
    #expect(after[3] == before[3])
    #expect(after[0] != before[0])
  }

  /// If all gains are positive, linear values do not decrease with headroom.
  @Test func monotonicInHeadroom() throws {
    let image = SampleImages.random(width: 48, height: 32, components: .rgb, bits: 8, seed: 7)
    let map = GainMapImage(
      SampleImages.random(width: 24, height: 16, components: .rgb, bits: 8, seed: 8),
      metadata: try metadata())
    var format = image.layout
    format.samples = .integer(bits: 12)
    let conversion = ImageTransform(
      from: .init(
        layout: image.layout, color: ColorEncoding(primaries: .bt2020, transfer: .srgb)),
      to: .init(layout: format, color: ColorEncoding(primaries: .bt2020, transfer: .pq)))
    var previous: [Plane<UInt16>]?
    for stops in stride(from: 0, through: 2.25, by: 0.25) {
      let result = try conversion.applying(map, for: Headroom(stops: stops)).run(image)
      guard case .integer(let planes) = result.image.planes else {
        Issue.record("not what the test is about"); return
      }
      for (plane, old) in zip(planes, previous ?? []) {
        let falls = plane.span.indices.contains { plane.span[$0] < old.span[$0] }
        #expect(!falls, "at \(stops) stops")
      }
      previous = planes
    }
  }
}
