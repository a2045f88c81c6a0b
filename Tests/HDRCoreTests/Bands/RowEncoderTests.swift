// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

/// Linear values to codes for every layout and color encoding, compared with the definitions.
@Suite("Row encoder") struct RowEncoderTests {
  @Test(arguments: Array(8...16), [true, false])
  func everyDepthAndSubsampling(bits: Int, isFullRange: Bool) throws {
    for format in everyLayout(bits: bits) {
      guard case .ycbcr = format.components else {
        try check(
          format,
          ColorEncoding(primaries: .displayP3, transfer: .pq)
            .coded(isFullRange: isFullRange))
        continue
      }
      for chromaLocation in [ChromaLocation.left, .center] {
        try check(
          format,
          ColorEncoding(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant)
            .coded(isFullRange: isFullRange, chroma: chromaLocation))
      }
    }
  }

  @Test func everyMeaning() throws {
    let curve = try #require(
      ProfileCurves.Curve(samples: (0...1023).map { Gamma.eotf(Double($0) / 1023, exponent: 1.8) }))
    let encodings = [
      ColorEncoding(primaries: .bt2020, transfer: .hlg),
      ColorEncoding(primaries: .bt2020, transfer: .hlg, referenceWhite: 100),
      ColorEncoding(primaries: .displayP3, transfer: .hlg),
      ColorEncoding(primaries: .bt2020, transfer: .pq, referenceWhite: 1),
      ColorEncoding(primaries: .bt2020, transfer: .pq, referenceWhite: 1000),
      ColorEncoding(primaries: .bt709, transfer: .srgb),
      ColorEncoding(primaries: .bt709, transfer: .bt1886),
      ColorEncoding(primaries: .adobeRGB, transfer: .gamma(563 / 256.0)),
      ColorEncoding(primaries: .acesAP1, transfer: .linear),
      ColorEncoding(
        primaries: .proPhoto,
        transfer: .sampled(ProfileCurves(red: curve, green: curve, blue: curve))),
    ]
    for encoding in encodings {
      for components in [ImageLayout.Components.rgb, .gray] {
        try check(
          ImageLayout(
            width: 16, height: 4, components: components, samples: .integer(bits: 12)), encoding)
      }
    }
    let matrices: [(CICP.Matrix, TransferFunction, ColorPrimaries)] = [
      (.bt709, .srgb, .bt709), (.bt601, .bt1886, .bt601), (.bt2020NonConstant, .hlg, .bt2020),
      (.chromaDerivedNonConstant, .pq, .displayP3), (.smpte240, .gamma(2.2), .bt601),
    ]
    for (matrix, transfer, primaries) in matrices {
      try check(
        ImageLayout(
          width: 16, height: 4, components: .ycbcr(.yuv444), samples: .integer(bits: 12)),
        ColorEncoding(
          primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: false))
    }
  }

  @Test(arguments: [true, false]) func alpha(isPremultiplied: Bool) throws {
    for components in [ImageLayout.Components.rgb, .gray, .ycbcr(.yuv444)] {
      try check(
        ImageLayout(
          width: 9, height: 5, components: components, samples: .integer(bits: 12), hasAlpha: true,
          isAlphaPremultiplied: isPremultiplied),
        ColorEncoding(
          primaries: .bt2020, transfer: .pq,
          matrix: components == .ycbcr(.yuv444) ? .bt2020NonConstant : .identity))
    }
  }

  /// Images of one or two rows or columns.
  @Test(arguments: [1, 2, 3], [1, 2, 3]) func smallestImages(width: Int, height: Int) throws {
    for chroma in [ChromaSubsampling.yuv444, .yuv422, .yuv420] {
      for chromaLocation in [ChromaLocation.left, .center] {
        try check(
          ImageLayout(
            width: width, height: height, components: .ycbcr(chroma),
            samples: .integer(bits: 10)),
          ColorEncoding(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant)
            .coded(chroma: chromaLocation))
      }
    }
  }

  private func check(
    _ format: ImageLayout, _ encoding: ColorEncoding,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let coding = ImageDescription(
      layout: format, color: encoding)
    let peak: Double =
      switch encoding.transfer {
      case .pq: 10_000 / encoding.referenceWhite
      case .hlg: 700 / encoding.referenceWhite
      default: 1
      }
    var random = SplitMix(seed: 5)
    // Distributed approximately evenly over signal, so that dark pixels are frequent.
    let light = (0..<format.width * format.height).map { _ in
      SIMD3<Float>.random(in: 0...1, using: &random)
    }.map { $0 * $0 * $0 * Float(peak) }
    let alpha = light.map { _ in Float.random(in: 0...1, using: &random) }
    func plane(_ row: [Float]) -> Plane<Float> { HDRCoreTests.plane(row, width: format.width) }
    let image = LinearImage(
      red: plane(light.map(\.x)), green: plane(light.map(\.y)), blue: plane(light.map(\.z)),
      alpha: format.hasAlpha ? plane(alpha) : nil, primaries: encoding.primaries,
      referenceWhite: encoding.referenceWhite)
    let expected = ReferenceConversion(coding: coding).codes(
      light.map { SIMD3<Double>($0) }, alpha: alpha.map(Double.init))
    guard case .integer(let planes) = try image.stored(as: coding).image.planes,
      case .integer(let bits) = format.samples
    else {
      Issue.record("not integer", sourceLocation: sourceLocation)
      return
    }
    let tolerance = bits > 12 ? 2 : 1
    for (index, plane) in planes.enumerated() {
      for (found, expected) in zip(samples(plane), expected[index]) {
        #expect(
          abs(Int(found) - Int(expected)) <= tolerance,
          "\(format) \(encoding.transfer) plane \(index): \(found), not \(expected)",
          sourceLocation: sourceLocation)
      }
    }
  }
}
