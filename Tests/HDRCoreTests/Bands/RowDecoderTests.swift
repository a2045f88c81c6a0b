// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

/// Samples to linear values for every layout and color encoding, compared with the definitions.
@Suite("Row decoder") struct RowDecoderTests {
  /// Codes of every depth, range and subsampling, in the most common color encodings.
  @Test(arguments: Array(8...16), [true, false])
  func everyDepthAndSubsampling(bits: Int, isFullRange: Bool) throws {
    for format in everyLayout(bits: bits) {
      guard case .ycbcr = format.components else {
        try check(
          format,
          ColorEncoding(primaries: .displayP3, transfer: .srgb)
            .coded(isFullRange: isFullRange))
        continue
      }
      for chromaLocation in [ChromaLocation.left, .center, .topLeft] {
        try check(
          format,
          ColorEncoding(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant)
            .coded(isFullRange: isFullRange, chroma: chromaLocation))
      }
    }
  }

  /// Every matrix with its usual transfer functions.
  @Test func everyMatrix() throws {
    let pairs: [(CICP.Matrix, TransferFunction, ColorPrimaries)] = [
      (.bt709, .bt1886, .bt709), (.bt601, .srgb, .displayP3), (.fcc, .gamma(2.2), .bt470M),
      (.smpte240, .bt1886, .bt601), (.bt2020NonConstant, .hlg, .bt2020),
      (.chromaDerivedNonConstant, .pq, .displayP3), (.bt2020Constant, .bt1886, .bt2020),
      (.bt2020Constant, .pq, .bt2020), (.bt2020Constant, .hlg, .bt2020), (.ictcp, .pq, .bt2020),
      (.ictcp, .hlg, .bt2020), (.yCgCo, .srgb, .bt709), (.chromaDerivedConstant, .pq, .displayP3),
      (.chromaDerivedConstant, .srgb, .bt709), (.yCgCoRe, .srgb, .bt709), (.yCgCoRo, .pq, .bt2020),
    ]
    for (matrix, transfer, primaries) in pairs {
      try check(
        ImageLayout(
          width: 9, height: 4, components: .ycbcr(.yuv444), samples: .integer(bits: 12)),
        ColorEncoding(
          primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: false),
        codes: 0.3...0.7)
      try check(
        ImageLayout(
          width: 9, height: 4, components: .ycbcr(.yuv420), samples: .integer(bits: 10)),
        ColorEncoding(primaries: primaries, transfer: transfer, matrix: matrix),
        codes: 0.3...0.7)
    }
  }

  @Test(arguments: [true, false]) func alpha(isPremultiplied: Bool) throws {
    let encodings = [
      ColorEncoding(primaries: .bt2020, transfer: .hlg),
      ColorEncoding(primaries: .bt2020, transfer: .pq, referenceWhite: 100),
      ColorEncoding(primaries: .adobeRGB, transfer: .gamma(563 / 256.0)),
    ]
    for encoding in encodings {
      for samples in [ImageLayout.Samples.integer(bits: 10), .float, .half] {
        for components in [ImageLayout.Components.rgb, .gray] {
          try check(
            ImageLayout(
              width: 6, height: 3, components: components, samples: samples, hasAlpha: true,
              isAlphaPremultiplied: isPremultiplied),
            encoding, codes: 0...0.5, floats: 0...0.5)
        }
      }
    }
    var ycbcr = ImageLayout(
      width: 6, height: 3, components: .ycbcr(.yuv444), samples: .integer(bits: 12), hasAlpha: true)
    ycbcr.isAlphaPremultiplied = isPremultiplied
    try check(
      ycbcr, ColorEncoding(primaries: .bt709, transfer: .bt1886, matrix: .bt709), codes: 0.3...0.6)
  }

  /// Colors above their alpha: full-range PQ and HLG are clipped to the peak, because rounding can
  /// cause such values; narrow range has codes above it.
  @Test(arguments: [TransferFunction.pq, .hlg], [true, false])
  func colorBeyondCoverage(transfer: TransferFunction, isFullRange: Bool) throws {
    let format = ImageLayout(
      width: 1, height: 1, components: .gray, samples: .integer(bits: 10), hasAlpha: true,
      isAlphaPremultiplied: true)
    let levels = Quantization(bits: 10, isFullRange: isFullRange)
    let encoding = ColorEncoding(
      primaries: .bt2020, transfer: transfer, isFullRange: isFullRange)
    func light(_ code: UInt16, coverage: UInt16) throws -> Double {
      let planes = [code, coverage].map { code in
        Plane<UInt16>(width: 1, height: 1) { $0.append(code) }
      }
      let image = ImagePlanes(layout: format, planes: .integer(planes))
      return Double(sample(try LinearImage(image, encoding: encoding).green, 0, 0))
    }
    let code = levels.code(ofSignal: 0.505)
    let peak = (transfer == .pq ? PQ.peakLuminance : 1000) / 203
    let found = try light(code, coverage: 511)
    if isFullRange {
      #expect(abs(found - peak) < 1e-5 * peak)
    } else {
      #expect(found > 1.02 * peak)
    }
    #expect(try light(code, coverage: 1023) < 0.2 * peak)
  }

  /// The tone curves of an ICC profile, different for each component.
  @Test func sampledCurves() throws {
    let curves = try (0..<3).map { component in
      let exponent = 1.8 + 0.3 * Double(component)
      return try #require(
        ProfileCurves.Curve(
          samples: (0...255).map { Gamma.eotf(Double($0) / 255, exponent: exponent) }))
    }
    let encoding = ColorEncoding(
      primaries: .proPhoto,
      transfer: .sampled(ProfileCurves(red: curves[0], green: curves[1], blue: curves[2])))
    for (samples, hasAlpha) in [
      (ImageLayout.Samples.integer(bits: 8), false), (.integer(bits: 16), false),
      (.integer(bits: 12), true), (.float, false), (.half, false),
    ] {
      try check(
        ImageLayout(
          width: 11, height: 3, components: .rgb, samples: samples, hasAlpha: hasAlpha,
          isAlphaPremultiplied: hasAlpha),
        encoding, codes: 0.05...0.5, floats: 0.05...0.9)
    }
  }

  /// Floating-point signal is decoded by the sampled functions: every 16-bit code, and values above
  /// 1.
  @Test(arguments: [TransferFunction.pq, .hlg, .srgb, .bt1886, .gamma(1.8), .gamma(2.6)])
  func signalOfFloatingPoint(transfer: TransferFunction) throws {
    let count = 1 << 16
    let format = ImageLayout(width: 256, height: 257, components: .gray, samples: .float)
    let plane = Plane<Float>(width: 256, height: 257) { samples in
      for code in 0..<count + 256 { samples.append(Float(code) / 65535) }
    }
    let encoding = ColorEncoding(primaries: .bt2020, transfer: transfer)
    let light = try LinearImage(
      ImagePlanes(layout: format, planes: .float([plane])), encoding: encoding)
    let samples = samples(light.green)
    var previous: Float = -1
    for code in 0..<count {
      let signal = Double(Float(code) / 65535)
      let back = transfer.signal(ofLinear: Double(samples[code]), referenceWhite: 203)
      #expect(abs(back - signal) * 65535 < 0.25, "code \(code) comes back as \(back * 65535)")
      #expect(samples[code] >= previous, "code \(code) falls")
      previous = samples[code]
    }
  }

  /// Strips with their context yield the same rows as the whole image.
  @Test(arguments: [1, 2, 3, 31, 32, 33, 127, 128, 129, 131, 260])
  func stripsMeetWithoutSeam(height: Int) throws {
    for chromaLocation in [ChromaLocation.left, .center, .topLeft] {
      let format = ImageLayout(
        width: 5, height: height, components: .ycbcr(.yuv420), samples: .integer(bits: 10))
      let image = randomImage(format, seed: UInt64(height))
      let encoding = ColorEncoding(
        primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant,
        chromaLocation: chromaLocation)
      let whole = try LinearImage(image, encoding: encoding)
      let strips = try LinearImage(
        reading: PlanesReader(image), encoding: encoding)
      #expect(whole.red == strips.red && whole.green == strips.green && whole.blue == strips.blue)
    }
  }

  /// Linear values of a random image, compared as PQ signal, which weights errors by their
  /// visibility.
  private func check(
    _ format: ImageLayout, _ encoding: ColorEncoding,
    codes: ClosedRange<Double> = 0...1, floats: ClosedRange<Float> = 0...1,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let image = randomImage(format, seed: 11, codes: codes, floats: floats)
    let reference = ReferenceConversion(
      coding: .init(layout: format, color: encoding))
    let found = try LinearImage(image, encoding: encoding)
    #expect(found.primaries == encoding.primaries, sourceLocation: sourceLocation)
    #expect((found.alpha != nil) == format.hasAlpha, sourceLocation: sourceLocation)
    // PQ clamps larger signals; the row kernels do so one step earlier than the definition.
    func signal(_ light: Double) -> Double { min(PQ.inverseEOTF(light * 203), 1.019) }
    for y in 0..<format.height {
      for x in 0..<format.width {
        let expected = reference.light(image, x, y)
        let color = SIMD3(
          Double(sample(found.red, x, y)), Double(sample(found.green, x, y)),
          Double(sample(found.blue, x, y)))
        for component in 0..<3 {
          #expect(
            abs(signal(color[component]) - signal(expected.color[component])) < 1e-5,
            "\(format) \(encoding.transfer) at (\(x), \(y)): \(color), not \(expected.color)",
            sourceLocation: sourceLocation)
        }
        if let alpha = found.alpha {
          #expect(
            abs(Double(sample(alpha, x, y)) - expected.alpha) < 1e-6, sourceLocation: sourceLocation
          )
        }
      }
    }
  }
}
