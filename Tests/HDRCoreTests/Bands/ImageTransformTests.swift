// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

/// Conversion in bands, compared with the double-precision definitions.
@Suite("Image conversion") struct ImageTransformTests {
  /// Every code of a depth is converted to linear values and back: monotonically, and to the same
  /// code.
  @Test(arguments: [TransferFunction.pq, .hlg, .srgb, .bt1886, .gamma(2.2)], [10, 12, 16])
  func roundTripOfAllCodes(transfer: TransferFunction, bits: Int) throws {
    let count = 1 << bits
    let width = 256
    let format = ImageLayout(
      width: width, height: count / width, components: .rgb, samples: .integer(bits: bits))
    let plane = Plane<UInt16>(width: width, height: count / width) { samples in
      for code in 0..<count { samples.append(UInt16(code)) }
    }
    let image = ImagePlanes(layout: format, planes: .integer([plane, plane, plane]))
    let encoding = ColorEncoding(primaries: .bt2020, transfer: transfer)
    let coding = ImageDescription(layout: format, color: encoding)
    var light = coding
    light.layout.samples = .float
    light.color = ColorEncoding(
      primaries: .bt2020, transfer: .linear, referenceWhite: encoding.referenceWhite)
    let linear = try ImageTransform(from: coding, to: light).run(PlanesReader(image)).image
    let result = try ImageTransform(from: light, to: coding).run(PlanesReader(linear)).image
    let planes = try #require(result.integerPlanes)
    var previous = -1
    for code in 0..<count {
      let found = Int(sample(planes[1], code % width, code / width))
      #expect(abs(found - code) <= (bits == 16 ? 1 : 0), "code \(code)")
      #expect(found >= previous, "code \(code) falls")
      previous = found
    }
  }

  @Test(
    "codes of an image that does not change are copied",
    arguments: [ImageLayout.Components.rgb, .gray], [Orientation.upright, .rotated90])
  func unchangedCodes(components: ImageLayout.Components, orientation: Orientation) throws {
    let layout = ImageLayout(
      width: 45, height: 70, components: components, samples: .integer(bits: 16))
    let image = randomImage(layout, seed: 5)
    let color = ColorEncoding(primaries: .bt2020, transfer: .pq)
    var transform = ImageTransform(
      from: .init(layout: layout, color: color),
      to: .init(layout: layout.upright(from: orientation), color: color),
      orientation: orientation)
    let output = try transform.run(PlanesReader(image))
    let expected = try #require(image.integerPlanes).map { $0.upright(from: orientation) }
    #expect(output.image.integerPlanes == expected)
    let levels = try transform.measure(image)
    #expect(output.lightLevels.maximum == levels.maximum && levels.maximum > 9000)
    #expect(output.lightLevels.averageLuminance == levels.averageLuminance)
    transform.measurement = .nothing
    #expect(try transform.run(image).image.integerPlanes == expected)
  }

  /// Linear values of all magnitudes to codes, compared with the definitions, for any reference
  /// white.
  @Test(arguments: [(12, 1), (16, 2)], [0.2, 5, 80, 203, 1000, 10_000])
  func lightToCodes(precision: (bits: Int, tolerance: Int), referenceWhite: Double) throws {
    let (bits, tolerance) = precision
    for transfer in [TransferFunction.pq, .hlg, .srgb, .bt1886, .gamma(2.2), .linear] {
      let encoding = ColorEncoding(
        primaries: .bt2020, transfer: transfer, referenceWhite: referenceWhite)
      let peak: Double =
        switch transfer {
        case .pq: 10_000 / referenceWhite
        case .hlg: 1000 / referenceWhite
        default: 1
        }
      let count = 1 << 16
      var light = (0..<count - 3).map { index in
        Float(peak * exp2Step(Double(index) / Double(count) * 40 - 40))
      }
      light += [0, min(1, Float(peak)), Float(peak)]
      let codes = try convert(light, to: encoding, bits: bits)
      let quantization = Quantization(bits: bits, isFullRange: true)
      var previous = 0
      for (index, value) in light.enumerated() {
        let signal = transfer.signal(
          ofLinear: Double(value), referenceWhite: encoding.referenceWhite)
        let expected = Int(quantization.code(ofSignal: value == 0 ? 0 : signal))
        #expect(abs(codes[index] - expected) <= tolerance, "light \(value)")
        if index >= light.count - 3 { #expect(codes[index] == expected, "exact at \(value)") }
        if index < light.count - 3 {
          #expect(codes[index] >= previous, "light \(value) falls")
          previous = codes[index]
        }
      }
    }
  }

  /// Primaries, exposure and reference white, on random colors.
  @Test func colorsAgainstDefinition() throws {
    var random = SplitMix(seed: 7)
    let count = 4096
    let components = (0..<3).map { _ in
      (0..<count).map { _ in Float.random(in: 0...8, using: &random) }
    }
    let source = ColorEncoding(primaries: .acesAP0, transfer: .linear, referenceWhite: 100)
    let target = ColorEncoding(primaries: .bt2020, transfer: .pq, referenceWhite: 203)
    let format = ImageLayout(
      width: count, height: 1, components: .rgb, samples: .float)
    var coded = format
    coded.samples = .integer(bits: 12)
    let planes = components.map { values in
      Plane<Float>(width: count, height: 1) { samples in
        for value in values { samples.append(value) }
      }
    }
    let result = try ImageTransform(
      from: .init(layout: format, color: source), to: .init(layout: coded, color: target),
      exposure: 0.5
    ).run(PlanesReader(ImagePlanes(layout: format, planes: .float(planes))))
    let codes = try #require(result.image.integerPlanes)
    let matrix = ColorPrimaries.acesAP0.conversion(to: .bt2020)
    let quantization = Quantization(bits: 12, isFullRange: true)
    var negative = 0
    for index in 0..<count {
      let rgb = SIMD3(
        Double(components[0][index]), Double(components[1][index]), Double(components[2][index]))
      let light = matrix * rgb * (2.0.squareRoot() * 100 / 203)
      if light.min() < -1e-4 { negative += 1 }
      for component in 0..<3 {
        let luminance = max(light[component], 0) * 203
        let expected = Int(quantization.code(ofSignal: PQ.inverseEOTF(luminance)))
        #expect(abs(Int(sample(codes[component], index, 0)) - expected) <= 1)
      }
    }
    #expect(result.clipping.below == negative)
  }

  @Test func sameBytesForAnyNumberOfThreads() throws {
    var random = SplitMix(seed: 3)
    let (width, height) = (61, 301)
    let format = ImageLayout(width: width, height: height, components: .rgb, samples: .float)
    let planes = (0..<3).map { _ in
      Plane<Float>(width: width, height: height) { samples in
        for _ in 0..<width * height { samples.append(Float.random(in: -0.1...60, using: &random)) }
      }
    }
    let image = ImagePlanes(layout: format, planes: .float(planes))
    let source = ImageDescription(
      layout: format, color: ColorEncoding(primaries: .displayP3, transfer: .linear))
    var coded = format
    coded.samples = .integer(bits: 10)
    coded.components = .ycbcr(.yuv420)
    let target = ImageDescription(
      layout: coded,
      color: ColorEncoding(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant))
    let results = try [1, 2, 7].map { threads in
      try Execution(threads: threads).perform {
        try ImageTransform(from: source, to: target).run(PlanesReader(image))
      }
    }
    for other in results.dropFirst() {
      let planes = try #require(results[0].image.integerPlanes)
      #expect(planes == other.image.integerPlanes)
      #expect(results[0].clipping == other.clipping)
      #expect(results[0].lightLevels.contentLightLevel == other.lightLevels.contentLightLevel)
    }
  }

  /// Linear values out of range are clipped as specified, and counted.
  @Test func lightOutOfRange() throws {
    let peak = Float(10_000 / 203.0)
    let values: [Float] = [.nan, -1, 0, 1, peak, peak * 2, .infinity, -.infinity]
    let encoding = ColorEncoding(primaries: .bt2020, transfer: .pq)
    let codes = try convert(values, to: encoding, bits: 10)
    #expect(codes == [0, 0, 0, 594, 1023, 1023, 1023, 0])
  }

  /// An infinite white stays white through matrices that subtract, and NaN affects only its
  /// component.
  @Test func infiniteLight() throws {
    let format = ImageLayout(width: 3, height: 1, components: .rgb, samples: .float)
    func row(_ samples: [Float]) -> Plane<Float> { plane(samples, width: 3) }
    let image = ImagePlanes(
      layout: format,
      planes: .float([
        row([.infinity, .nan, .infinity]), row([.infinity, 1, 0]), row([.infinity, 1, 0]),
      ]))
    var coded = format
    coded.samples = .integer(bits: 10)
    let result = try ImageTransform(
      from: .init(
        layout: format, color: ColorEncoding(primaries: .displayP3, transfer: .linear)),
      to: .init(layout: coded, color: ColorEncoding(primaries: .bt2020, transfer: .pq))
    ).run(image)
    let planes = try #require(result.image.integerPlanes)
    #expect(planes.map { sample($0, 0, 0) } == [1023, 1023, 1023])
    #expect(planes.allSatisfy { (300...600).contains(sample($0, 1, 0)) })
    #expect(sample(planes[0], 2, 0) == 1023 && sample(planes[2], 2, 0) == 0)
    #expect(
      result.clipping == .init(pixelCount: 3, notANumber: 1, below: 1, above: 2, infinite: 2))
  }

  /// HLG out of range counts once, although it is limited as display light and as scene light.
  @Test func clippedHLG() throws {
    let encoding = ColorEncoding(primaries: .bt2020, transfer: .hlg)
    let linear = ColorEncoding(primaries: .bt2020, transfer: .linear)
    let format = ImageLayout(width: 4, height: 1, components: .gray, samples: .float)
    var coded = format
    coded.samples = .integer(bits: 10)
    let peak = Float(1000 / 203.0)
    let image = ImagePlanes(
      layout: format, planes: .float([plane([.infinity, 2 * peak, peak, -1], width: 4)]))
    let result = try ImageTransform(
      from: .init(layout: format, color: linear), to: .init(layout: coded, color: encoding)
    ).run(image)
    let planes = try #require(result.image.integerPlanes)
    #expect(samples(planes[0]) == [1023, 1023, 1023, 0])
    #expect(result.clipping == .init(pixelCount: 4, below: 1, above: 2, infinite: 1))
  }

  /// Half-precision results are the rounded floats of the same conversion, limited to the largest
  /// half-precision value.
  @Test func halves() throws {
    let source = ImageLayout(
      width: 41, height: 37, components: .rgb, samples: .float, hasAlpha: true)
    let image = randomImage(source, seed: 31, floats: -10...200_000)
    let bt709 = ColorEncoding(primaries: .bt709, transfer: .linear)
    let bt2020 = ColorEncoding(primaries: .bt2020, transfer: .linear)
    func converted(to samples: ImageLayout.Samples) throws -> ImagePlanes {
      var target = source
      target.samples = samples
      target.isAlphaPremultiplied = true
      return try ImageTransform(
        from: .init(layout: source, color: bt709), to: .init(layout: target, color: bt2020)
      ).run(image).image
    }
    guard case .float(let floats) = try converted(to: .float).planes,
      case .half(let halves) = try converted(to: .half).planes
    else {
      Issue.record("planes of another sample type than requested")
      return
    }
    for (floats, halves) in zip(floats, halves) {
      for y in 0..<source.height {
        for x in 0..<source.width {
          let expected = Float16(min(sample(floats, x, y), 65_504))
          #expect(sample(halves, x, y) == expected.bitPattern, "pixel \(x), \(y)")
        }
      }
    }
  }

  /// Gray chroma stays neutral, and a constant color stays constant, for every subsampling.
  @Test(arguments: [ChromaSubsampling.yuv444, .yuv422, .yuv420], [ChromaLocation.left, .center])
  func constantColorSurvivesSubsampling(chroma: ChromaSubsampling, chromaLocation: ChromaLocation)
    throws
  {
    let (width, height) = (33, 35)
    let format = ImageLayout(width: width, height: height, components: .rgb, samples: .float)
    let color: [Float] = [0.8, 0.2, 2.5]
    let planes = color.map { Plane<Float>(width: width, height: height, filledWith: $0) }
    let linear = ColorEncoding(primaries: .bt2020, transfer: .linear)
    let pq = ColorEncoding(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant)
    var coded = format
    coded.samples = .integer(bits: 12)
    coded.components = .ycbcr(chroma)
    let there = ImageDescription(layout: coded, color: pq.coded(chroma: chromaLocation))
    let here = ImageDescription(layout: format, color: linear)
    let image = try ImageTransform(from: here, to: there).run(
      PlanesReader(ImagePlanes(layout: format, planes: .float(planes)))
    ).image
    let back = try ImageTransform(from: there, to: here)
      .run(PlanesReader(image)).image
    let result = try #require(back.floatPlanes)
    for component in 0..<3 {
      for y in 0..<height {
        for x in 0..<width {
          #expect(abs(sample(result[component], x, y) / color[component] - 1) < 0.01)
        }
      }
    }
  }

  /// A horizontal ramp of chroma is not shifted by the chroma location.
  @Test(arguments: [ChromaLocation.left, .center])
  func chromaRampKeepsItsPlace(chromaLocation: ChromaLocation) throws {
    let (width, height) = (64, 64)
    let signal = ColorEncoding(primaries: .bt2020, transfer: .gamma(1), matrix: .identity)
    let format = ImageLayout(
      width: width, height: height, components: .rgb, samples: .integer(bits: 16))
    func ramp(_ slopeX: Int, _ slopeY: Int) -> Plane<UInt16> {
      Plane(width: width, height: height) { samples in
        for y in 0..<height {
          for x in 0..<width { samples.append(UInt16(20_000 + slopeX * x + slopeY * y)) }
        }
      }
    }
    let image = ImagePlanes(
      layout: format, planes: .integer([ramp(100, 0), ramp(0, 50), ramp(-100, 70)]))
    var coded = format
    coded.components = .ycbcr(.yuv420)
    var ycbcr = signal
    ycbcr.matrix = .bt2020NonConstant
    let there = ImageDescription(
      layout: coded, color: ycbcr.coded(chroma: chromaLocation))
    let here = ImageDescription(layout: format, color: signal)
    let small = try ImageTransform(from: here, to: there)
      .run(PlanesReader(image)).image
    let back = try ImageTransform(from: there, to: here)
      .run(PlanesReader(small)).image
    let before = try #require(image.integerPlanes)
    let after = try #require(back.integerPlanes)
    for y in 4..<height - 4 {
      for x in 4..<width - 4 {
        for component in 0..<3 {
          let difference =
            Int(sample(after[component], x, y)) - Int(sample(before[component], x, y))
          #expect(abs(difference) <= 8, "(\(x), \(y)) component \(component): \(difference)")
        }
      }
    }
  }

  private func convert(
    _ gray: [Float], to encoding: ColorEncoding, bits: Int
  ) throws -> [Int] {
    let format = ImageLayout(width: gray.count, height: 1, components: .gray, samples: .float)
    let plane = Plane<Float>(width: gray.count, height: 1) { samples in
      for value in gray { samples.append(value) }
    }
    var coded = format
    coded.samples = .integer(bits: bits)
    coded.components = .rgb
    var linear = encoding
    linear.transfer = .linear
    let result = try ImageTransform(
      from: .init(layout: format, color: linear), to: .init(layout: coded, color: encoding)
    ).run(PlanesReader(ImagePlanes(layout: format, planes: .float([plane]))))
    let planes = try #require(result.image.integerPlanes)
    return gray.indices.map { Int(sample(planes[2], $0, 0)) }
  }
}

/// Powers of two without Foundation.
private func exp2Step(_ exponent: Double) -> Double { Headroom(stops: exponent).ratio }
