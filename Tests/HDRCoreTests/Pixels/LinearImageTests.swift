import HDRCore
import Testing

@Suite("Linear image") struct LinearImageTests {
  /// Codes to light and back are the same codes.
  @Test(arguments: [TransferFunction.pq, .hlg, .srgb, .bt1886], [true, false])
  func roundTrip(transfer: TransferFunction, isFullRange: Bool) {
    let format = StoredFormat(
      width: 37, height: 41, components: .rgb, samples: .integer(bits: 12), hasAlpha: true,
      isFullRange: isFullRange)
    // Narrow-range codes outside black and white come back clipped.
    let image = randomImage(format, seed: 4, codes: isFullRange ? 0...0.7 : 0.07...0.7)
    let encoding = ColorEncoding(primaries: .bt2020, transfer: transfer)
    let linear = LinearImage(image, encoding: encoding)
    #expect(linear.width == 37 && linear.height == 41)
    let result = linear.stored(as: .init(format: format, encoding: encoding))
    guard case .integer(let before) = image.planes, case .integer(let after) = result.image.planes
    else { return }
    #expect(before == after)
    #expect(result.clipping == .init(pixelCount: 37 * 41))
  }

  /// Luminances stay when the reference white changes; colors when the primaries do.
  @Test func referenceWhiteAndPrimaries() {
    let format = StoredFormat(width: 2, height: 1, components: .rgb, samples: .integer(bits: 16))
    let white = plane([Float(1), 0.5], width: 2)
    let image = LinearImage(
      red: white, green: white, blue: white, primaries: .displayP3, referenceWhite: 100)
    let pq = ColorEncoding(primaries: .bt2020, transfer: .pq, referenceWhite: 203)
    let stored = image.stored(as: .init(format: format, encoding: pq)).image
    guard case .integer(let planes) = stored.planes else { return }
    let levels = Quantization(bits: 16, isFullRange: true)
    for component in planes {
      #expect(samples(component) == [100, 50].map { levels.code(ofSignal: PQ.inverseEOTF($0)) })
    }
  }

  @Test func grayAndAlpha() {
    let format = StoredFormat(
      width: 2, height: 2, components: .gray, samples: .float, hasAlpha: true,
      isAlphaPremultiplied: true)
    let image = StoredImage(
      format: format,
      planes: .float([
        plane([Float(0.5), 3, .nan, 1], width: 2), plane([Float(0.5), 2, 1, .nan], width: 2),
      ]))
    let linear = LinearImage(
      image, encoding: ColorEncoding(primaries: .bt709, transfer: .linear))
    #expect(samples(linear.red) == [1, 1.5, 0, 1])
    #expect(linear.green == linear.red && linear.blue == linear.red)
    #expect(linear.alpha.map(samples) == [0.5, 1, 1, 0])
  }

  @Test func planesOfAnotherKind() async {
    await #expect(processExitsWith: .failure) {
      let plane = Plane<Float>(width: 2, height: 2, filledWith: 0)
      let other = Plane<Float>(width: 2, height: 1, filledWith: 0)
      _ = LinearImage(red: plane, green: plane, blue: other, primaries: .bt709)
    }
  }
}
