// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

@Suite("HEIF and AVIF quality") struct LossyQualityTests {
  /// Root mean square of the differences for each plane, in 10-bit code values.
  private func errors(_ a: ImagePlanes, _ b: ImagePlanes) -> [Double] {
    guard case .integer(let a) = a.planes, case .integer(let b) = b.planes else { return [] }
    return zip(a, b).map { a, b in
      let (a, b) = (a.span, b.span)
      var sum = 0.0
      for index in a.indices {
        let difference = Double(a[index]) - Double(b[index])
        sum += difference * difference
      }
      return (sum / Double(a.count)).squareRoot()
    }
  }

  /// Higher quality needs more bytes and is more precise.
  ///
  /// At 98 the error is at most two code values, on noise over the whole range.
  @Test(arguments: [ItemCodec.hevc, .av1])
  func qualityIsOrdered(codec: ItemCodec) throws {
    let image = TestImage.make(.ycbcr(.yuv444), bits: 10, width: 160, height: 120)
    let cicp = CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant)
    var size = 0
    var error = Double.infinity
    for quality in [20, 50, 75, 98, 100] {
      let bytes = try RoundTripTests.written(
        OutputImage(Image(image, cicp)), codec,
        options: EncoderOptions(quality: quality, speed: 8))
      let decoded = try RoundTripTests.opened(bytes).image.decode()
      let errors = errors(image, decoded)
      #expect(bytes.count > size && errors[0] < error, "quality \(quality)")
      (size, error) = (bytes.count, errors[0])
      if quality == 98 { #expect(errors.allSatisfy { $0 < 2 }, "\(errors)") }
      if quality == 100 { #expect(errors == [0, 0, 0], "\(errors)") }
    }
  }

  /// Cr is coded finest in HEVC, since Delta E ITP weights Cr errors twice as much as luma errors.
  @Test func redDifferencesAreCodedFinest() throws {
    let image = TestImage.make(.ycbcr(.yuv444), bits: 10, width: 160, height: 120)
    let cicp = CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant)
    let bytes = try RoundTripTests.written(
      OutputImage(Image(image, cicp)), .hevc,
      options: EncoderOptions(quality: 75))
    let errors = errors(image, try RoundTripTests.opened(bytes).image.decode())
    #expect(errors[2] < errors[1] && errors[1] < errors[0], "\(errors)")
  }
}
#endif
