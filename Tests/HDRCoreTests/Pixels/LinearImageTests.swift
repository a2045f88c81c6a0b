// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

@Suite("Linear image") struct LinearImageTests {
  /// Code values to linear values and back.
  @Test(arguments: [TransferFunction.pq, .hlg, .srgb, .bt1886], [true, false])
  func roundTrip(transfer: TransferFunction, isFullRange: Bool) throws {
    let format = ImageLayout(
      width: 37, height: 41, components: .rgb, samples: .integer(bits: 12), hasAlpha: true)
    // Narrow-range codes below black and above white are clipped.
    let image = randomImage(format, seed: 4, codes: isFullRange ? 0...0.7 : 0.07...0.7)
    let encoding = ColorEncoding(
      primaries: .bt2020, transfer: transfer, isFullRange: isFullRange)
    let linear = try LinearImage(image, encoding: encoding)
    #expect(linear.width == 37 && linear.height == 41)
    let result = try linear.stored(as: .init(layout: format, color: encoding))
    let before = try #require(image.integerPlanes)
    #expect(result.image.integerPlanes == before)
    #expect(result.clipping == .init(pixelCount: 37 * 41))
  }

  /// A change of the reference white keeps luminances; a change of the primaries keeps colors.
  @Test func referenceWhiteAndPrimaries() throws {
    let format = ImageLayout(width: 2, height: 1, components: .rgb, samples: .integer(bits: 16))
    let white = plane([Float(1), 0.5], width: 2)
    let image = LinearImage(
      red: white, green: white, blue: white, primaries: .displayP3, referenceWhite: 100)
    let pq = ColorEncoding(primaries: .bt2020, transfer: .pq, referenceWhite: 203)
    let stored = try image.stored(as: .init(layout: format, color: pq)).image
    let planes = try #require(stored.integerPlanes)
    let levels = Quantization(bits: 16, isFullRange: true)
    for component in planes {
      #expect(samples(component) == [100, 50].map { levels.code(ofSignal: PQ.inverseEOTF($0)) })
    }
  }

  @Test func grayAndAlpha() throws {
    let format = ImageLayout(
      width: 2, height: 2, components: .gray, samples: .float, hasAlpha: true,
      isAlphaPremultiplied: true)
    let image = ImagePlanes(
      layout: format,
      planes: .float([
        plane([Float(0.5), 3, .nan, 1], width: 2), plane([Float(0.5), 2, 1, .nan], width: 2),
      ]))
    let linear = try LinearImage(
      image, encoding: ColorEncoding(primaries: .bt709, transfer: .linear))
    #expect(samples(linear.red) == [1, 1.5, 0, 1])
    #expect(linear.green == linear.red && linear.blue == linear.red)
    #expect(linear.alpha.map(samples) == [0.5, 1, 1, 0])
  }

  /// Files can contain any luminance; invalid values must not stop the process.
  @Test(
    arguments: [TransferFunction.pq, .hlg],
    [.leastNonzeroMagnitude, 1e-120, 1e-30, 1e38, 1e120, .greatestFiniteMagnitude])
  func absurdReferenceWhite(transfer: TransferFunction, referenceWhite: Double) throws {
    let format = ImageLayout(width: 9, height: 7, components: .rgb, samples: .integer(bits: 16))
    let absurd = ColorEncoding(
      primaries: .bt2020, transfer: transfer, referenceWhite: referenceWhite)
    let usual = ColorEncoding(primaries: .bt2020, transfer: .pq)
    let image = randomImage(format, seed: 8)
    let light = try LinearImage(image, encoding: absurd)
    #expect(try light.stored(as: .init(layout: format, color: usual)).image.layout == format)
    let linear = try LinearImage(image, encoding: usual)
    #expect(try linear.stored(as: .init(layout: format, color: absurd)).image.layout == format)
  }

  @Test func planesOfAnotherSampleType() async {
    await #expect(processExitsWith: .failure) {
      let plane = Plane<Float>(width: 2, height: 2, filledWith: 0)
      let other = Plane<Float>(width: 2, height: 1, filledWith: 0)
      _ = LinearImage(red: plane, green: plane, blue: other, primaries: .bt709)
    }
  }
}
