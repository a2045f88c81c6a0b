// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

@Suite("Creation of gain maps") struct GainMapCreationTests {
  static let base = ColorEncoding(primaries: .displayP3, transfer: .srgb)
  static let light = ColorEncoding(primaries: .displayP3, transfer: .linear)

  /// An image of linear values, from a function of the position.
  static func image(
    _ width: Int, _ height: Int, _ color: (Int, Int) -> SIMD3<Double>
  ) -> ImagePlanes {
    let format = ImageLayout(width: width, height: height, components: .rgb, samples: .float)
    let planes = (0..<3).map { component in
      Plane<Float>(width: width, height: height) { samples in
        for y in 0..<height {
          for x in 0..<width { samples.append(Float(color(x, y)[component])) }
        }
      }
    }
    return ImagePlanes(layout: format, planes: .float(planes))
  }

  /// A landscape in linear values: a bright sky, a sun, a dark ground, saturated spots.
  static func scene(_ width: Int, _ height: Int) -> ImagePlanes {
    image(width, height) { x, y in
      let (u, v) = (Double(x) / Double(width), Double(y) / Double(height))
      let sky = exp2(3.2 * (1 - v)) * 0.35
      let distance = ((u - 0.7) * (u - 0.7) + (v - 0.2) * (v - 0.2)).squareRoot()
      let sun = 12 * exp(-distance * distance * 500)
      let texture = 1 + 0.3 * sin(40 * u + 25 * v)
      let ground = 0.12 * texture * (1 - v)
      let gray = v < 0.6 ? sky + sun : ground
      let spot = v > 0.6 && Int(clamping: u * 8) % 2 == 0
      return SIMD3(gray * (spot ? 4 : 1), gray, gray * (v < 0.6 ? 1.25 : 0.8))
    }
  }

  /// The SDR image of an HDR image: tone mapped with a shoulder, as 8-bit code values.
  static func standard(of image: ImagePlanes) throws -> ImagePlanes {
    var format = image.layout
    format.samples = .integer(bits: 8)
    let shoulder = try RationalShoulder(content: Headroom(ratio: 16), display: .standard)
    return try ImageTransform(
      from: .init(layout: image.layout, color: light),
      to: .init(layout: format, color: base),
      rendition: Rendition(ToneMap(shoulder), gamutMapping: .clip)
    ).run(image).image
  }

  static func quality(
    _ options: GainMapCreation.Options, width: Int = 256, height: Int = 192
  ) throws -> (map: GainMapImage, quality: GainMapQuality) {
    let hdr = scene(width, height)
    let sdr = try standard(of: hdr)
    let (base, alternate) = (
      ImageDescription(layout: sdr.layout, color: Self.base),
      ImageDescription(layout: hdr.layout, color: light)
    )
    let map = try GainMapCreation(base: base, alternate: alternate, options: options)
      .run(base: PlanesReader(sdr), alternate: PlanesReader(hdr))
    let quality = try map.quality(
      of: base, PlanesReader(sdr), comparedTo: alternate, PlanesReader(hdr))
    return (map, quality)
  }

  /// The required quality of a gain map without coding loss.
  @Test(arguments: [
    (3, 1, 8, 0.7, 2.0), (3, 1, 10, 0.3, 1.0), (3, 2, 8, 0.9, 6.0), (3, 4, 8, 1.6, 25.0),
    (1, 1, 8, 4.0, 60.0), (1, 4, 8, 5.0, 60.0),
  ])
  func reconstruction(
    components: Int, scale: Int, bits: Int, mean: Double, ninetyNinth: Double
  ) throws {
    let (map, quality) = try Self.quality(
      .init(componentCount: components, scale: scale, bits: bits))
    #expect(quality.meanDeltaE < mean)
    #expect(quality.deltaE99 < ninetyNinth)
    #expect(map.image.layout.width == 256 / scale && map.image.layout.height == 192 / scale)
    #expect(map.metadata.alternateHeadroom.value > 2)
    let metadata = map.metadata
    #expect(metadata.alternateHeadroom.value == metadata.largestGain)
    #expect(metadata.channels.all.count == components)
  }

  /// The reported differences compared with the definitions, pixel by pixel.
  @Test func reportedDifferences() throws {
    let (width, height) = (40, 24)
    let hdr = Self.scene(width, height)
    let sdr = try Self.standard(of: hdr)
    let (base, alternate) = (
      ImageDescription(layout: sdr.layout, color: Self.base),
      ImageDescription(layout: hdr.layout, color: Self.light)
    )
    let map = try GainMapCreation(base: base, alternate: alternate, options: .init(scale: 4))
      .run(base: PlanesReader(sdr), alternate: PlanesReader(hdr))
    let report = try map.quality(
      of: base, PlanesReader(sdr), comparedTo: alternate, PlanesReader(hdr))
    let sampler = GainMapSampler(map, width: width, height: height)
    let levels = Quantization(bits: 8, isFullRange: true)
    let matrix = ColorPrimaries.displayP3.conversion(to: .bt2020)
    guard case .float(let wanted) = hdr.planes else {
      Issue.record("not what the test is about"); return
    }
    var (differences, shown, original): ([Double], [SIMD3<Double>], [SIMD3<Double>]) = ([], [], [])
    for y in 0..<height {
      for x in 0..<width {
        var light = SIMD3<Double>()
        var expected = SIMD3<Double>()
        for component in 0..<3 {
          let code = SampleImages.code(sdr, component, x: x, y: y)
          light[component] = map.metadata.applied(
            to: SRGB.eotf(levels.signal(ofCode: code)),
            logGain: sampler.logGain(x: x, y: y, component: component), weight: 1,
            component: component)
          let plane = wanted[component]
          expected[component] = Double(plane.span[y * width + x])
        }
        shown.append(matrix * light * 203)
        original.append(matrix * expected * 203)
        differences.append(DeltaEITP.between(shown[shown.count - 1], original[shown.count - 1]))
      }
    }
    let mean = differences.reduce(0, +) / Double(differences.count)
    #expect(isClose(report.meanDeltaE, mean, relative: 1e-3))
    let sorted = differences.sorted()
    let percentile = sorted[Int(clamping: 0.99 * Double(sorted.count))]
    #expect(isClose(report.deltaE99, percentile, relative: 0.05, absolute: 0.15))
    #expect(isClose(report.pqPSNR, PQPSNR.decibels(original, shown), absolute: 0.01))
  }

  /// Uniform images give a uniform gain map with exactly their gain.
  @Test(arguments: [false, true])
  func constantGain(isBaseHDR: Bool) throws {
    let dark = Self.image(20, 12) { _, _ in SIMD3(repeating: 0.25) }
    let bright = Self.image(20, 12) { _, _ in SIMD3(repeating: 2.109375) }
    let coding = ImageDescription(layout: dark.layout, color: Self.light)
    let map = try GainMapCreation(
      base: coding, alternate: coding, options: .init(scale: 3, isBaseHDR: isBaseHDR)
    ).run(
      base: PlanesReader(isBaseHDR ? bright : dark),
      alternate: PlanesReader(isBaseHDR ? dark : bright))
    // (2.109375 + 1/64) / (0.25 + 1/64) = 8.
    let sampler = GainMapSampler(map, width: 20, height: 12)
    for component in 0..<3 {
      let logGain = sampler.logGain(x: 7, y: 5, component: component)
      #expect(isClose(logGain, 3, absolute: 0.001))
    }
    let metadata = map.metadata
    #expect(metadata.isBaseHDR == isBaseHDR)
    #expect(isClose(map.metadata.fullHeadroom.stops, 3, absolute: 0.01))
    #expect(map.image.layout.width == 7 && map.image.layout.height == 4)
  }

  /// The gain is averaged over the area of each sample, including fractions of pixels.
  @Test func trueAreas() throws {
    let gains = (0..<10).map { Double($0) * 0.4 }
    let dark = Self.image(10, 1) { _, _ in SIMD3(repeating: 1 / 64.0) }
    let bright = Self.image(10, 1) { x, _ in SIMD3(repeating: exp2(gains[x]) / 32 - 1 / 64.0) }
    let coding = ImageDescription(layout: dark.layout, color: Self.light)
    let map = try GainMapCreation(
      base: coding, alternate: coding, options: .init(componentCount: 1, scale: 4, bits: 16)
    ).run(base: PlanesReader(dark), alternate: PlanesReader(bright))
    // Each of three samples covers ten thirds of a pixel.
    let first = (gains[0] + gains[1] + gains[2] + gains[3] / 3) / (10 / 3.0)
    let second =
      (gains[3] * 2 / 3 + gains[4] + gains[5] + gains[6] * 2 / 3) / (10 / 3.0)
    let metadata = map.metadata
    func logGain(_ x: Int) -> Double {
      metadata.channels[0].logGain(
        ofSample: Double(SampleImages.code(map.planes, 0, x: x, y: 0)) / 65535)
    }
    #expect(isClose(logGain(0), first, absolute: 0.005))
    #expect(isClose(logGain(1), second, absolute: 0.005))
  }

  /// Counts BT.2020 colors outside P3: those with a P3 component below zero by more than the
  /// offset.
  @Test(arguments: [(3, 20, 1), (1, 40, 1), (3, 20, 3), (1, 40, 4)])
  func outside(components: Int, expected: Int, scale: Int) throws {
    let wide = ColorEncoding(primaries: .bt2020, transfer: .linear)
    // A row of green far outside P3, a row of red below zero by less than 1/64, and gray.
    let slight = ColorPrimaries.displayP3.conversion(to: .bt2020) * SIMD3(-0.01, 0.1, 0.05)
    let image = Self.image(20, 40) { x, y in
      y == 7 ? SIMD3(0, 2, 0) : y == 33 ? slight : SIMD3(repeating: Double(x))
    }
    let creation = try GainMapCreation(
      base: .init(layout: image.layout, color: Self.light),
      alternate: .init(layout: image.layout, color: wide),
      options: .init(componentCount: components, scale: scale))
    let standard = ImagePlanes(
      layout: image.layout,
      planes: .float(
        (0..<3).map { _ in
          Plane(width: image.layout.width, height: image.layout.height, filledWith: 1)
        }))
    let large = try #require(SignedRational(1, 1))
    for threads in [1, 3] {
      let candidates = try Execution(threads: threads).perform {
        let gains = try creation.gains(
          base: PlanesReader(standard), alternate: PlanesReader(image),
          offsets: [GainMapCreation.Options.standardOffset, large], countsOutOfGamut: true)
        return try creation.candidates(gains, headroom: nil)
      }
      #expect(candidates.map(\.outOfGamutCount) == [expected, components == 3 ? 0 : expected])
    }
  }

  /// Gain maps of one pass are those that are computed one by one.
  @Test(arguments: [1, 3])
  func severalOffsets(scale: Int) throws {
    let hdr = Self.scene(97, 141)
    let sdr = try Self.standard(of: hdr)
    let large = try #require(SignedRational(1, 16))
    func creation(_ offset: SignedRational) throws -> GainMapCreation {
      try GainMapCreation(
        base: .init(layout: sdr.layout, color: Self.base),
        alternate: .init(layout: hdr.layout, color: Self.light),
        options: .init(scale: scale, offset: offset))
    }
    let offsets = [GainMapCreation.Options.standardOffset, large]
    let several = try creation(offsets[0])
    let gains = try several.gains(
      base: PlanesReader(sdr), alternate: PlanesReader(hdr), offsets: offsets)
    let together = try several.candidates(gains, headroom: nil)
    for (offset, candidate) in zip(offsets, together) {
      let alone = try creation(offset).run(base: PlanesReader(sdr), alternate: PlanesReader(hdr))
      #expect(candidate.offset == offset && candidate.map.metadata == alone.metadata)
      guard case .integer(let planes) = candidate.map.planes.planes,
        case .integer(let expected) = alone.planes.planes
      else { Issue.record("not integers"); return }
      #expect(planes == expected)
    }
  }

  @Test func sameMapForAnyThreads() throws {
    let hdr = Self.scene(97, 141)
    let sdr = try Self.standard(of: hdr)
    let creation = try GainMapCreation(
      base: .init(layout: sdr.layout, color: Self.base),
      alternate: .init(layout: hdr.layout, color: Self.light), options: .init(scale: 2))
    let maps = try [1, 2, 5].map { threads in
      try Execution(threads: threads).perform {
        try creation.run(base: PlanesReader(sdr), alternate: PlanesReader(hdr))
      }
    }
    for map in maps.dropFirst() {
      #expect(map.metadata == maps[0].metadata)
      guard case .integer(let planes) = map.planes.planes,
        case .integer(let first) = maps[0].planes.planes
      else { Issue.record("not what the test is about"); return }
      #expect(planes == first)
    }
  }

  /// A few outliers do not extend the range of the map, unless trimming is disabled.
  @Test func outliersAreTrimmed() throws {
    let dark = Self.image(128, 128) { _, _ in SIMD3(repeating: 0.5) }
    let bright = Self.image(128, 128) { x, y in
      SIMD3(repeating: x == 0 && y == 0 ? 4000 : 0.5 + Double(x) / 128)
    }
    let coding = ImageDescription(layout: dark.layout, color: Self.light)
    func largest(_ share: Double) throws -> Double {
      try GainMapCreation(
        base: coding, alternate: coding, options: .init(outlierShare: share)
      ).run(base: PlanesReader(dark), alternate: PlanesReader(bright))
        .metadata.fullHeadroom.stops
    }
    #expect(try largest(1e-4) < 1.7)
    #expect(try largest(0) > 12)
  }

  @Test func nonsenseIsRefused() throws {
    let image = Self.image(8, 8) { _, _ in SIMD3(repeating: 0.5) }
    let other = Self.image(9, 8) { _, _ in SIMD3(repeating: 0.5) }
    let coding = ImageDescription(layout: image.layout, color: Self.light)
    let odd = ImageDescription(layout: other.layout, color: Self.light)
    #expect(throws: ImageError.self) { try GainMapCreation(base: coding, alternate: odd) }
    for options in [
      GainMapCreation.Options(componentCount: 2), .init(scale: 0), .init(bits: 4),
      .init(outlierShare: 0.7),
    ] {
      #expect(throws: ImageError.self) {
        try GainMapCreation(base: coding, alternate: coding, options: options)
      }
    }
    let creation = try GainMapCreation(base: coding, alternate: coding)
    #expect(throws: ImageError.self) {
      try creation.run(
        base: PlanesReader(image), alternate: PlanesReader(image))
    }
  }
}
