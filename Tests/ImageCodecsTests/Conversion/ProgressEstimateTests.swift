// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
import ImageCodecs
import ImageFiles
import Testing

@Suite("Progress of conversions") struct ProgressEstimateTests {
  /// A clock that a test advances; one second is expected for the conversion, three for the encoding.
  private static func estimate() -> ProgressEstimate {
    var estimate = ProgressEstimate(at: 100)
    estimate.update(.planned([.converting: 1, .encoding: 3]), at: 100)
    return estimate
  }

  @Test func reportedSharesCount() {
    var estimate = Self.estimate()
    #expect(estimate.share(at: 100) == 0)
    estimate.update(.progress(.converting, 0.5), at: 100.5)
    #expect(estimate.share(at: 100.5) == 0.125)
    // The codec reports, so that time does not count.
    #expect(estimate.share(at: 109) == 0.125)
  }

  @Test func silentStagesProceedWithTime() {
    var estimate = Self.estimate()
    estimate.update(.progress(.converting, 0), at: 100)
    estimate.update(.progress(.encoding, 0), at: 101)
    #expect(abs(estimate.share(at: 102.5) - 0.625) < 1e-12)
    #expect(abs(estimate.share(at: 103.25) - 0.8125) < 1e-12)
  }

  @Test func slowMachinesAreExpectedToBeSlow() {
    var (fast, slow) = (Self.estimate(), Self.estimate())
    fast.update(.progress(.converting, 0), at: 100)
    slow.update(.progress(.converting, 0), at: 100)
    fast.update(.progress(.encoding, 0), at: 101)
    slow.update(.progress(.encoding, 0), at: 104)
    #expect(fast.share(at: 102) - 0.25 > 1.9 * (slow.share(at: 105) - 0.25))
  }

  /// Whatever is reported, and however long the encoder takes.
  @Test func neverDecreasesAndNeverEnds() {
    var estimate = Self.estimate()
    var shares: [Double] = []
    for step in 0..<2000 {
      let now = 100 + Double(step) / 10
      if step == 5 { estimate.update(.progress(.converting, 0.9), at: now) }
      if step == 6 { estimate.update(.progress(.converting, 0.2), at: now) }
      if step == 9 { estimate.update(.progress(.encoding, 0), at: now) }
      shares.append(estimate.share(at: now))
    }
    #expect(zip(shares, shares.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(shares.allSatisfy { $0 < 1 })
    #expect((shares.last ?? 0) > 0.98)
  }

  /// Encoding takes a share of a conversion that is of the order of the measured one.
  ///
  /// Source: `Documentation/Speed.md`, 12.6 megapixels in half of the processor time: the whole
  /// conversion of OpenEXR to PNG 0.5 s, of PNG to HEIC (4:2:0, speed 10) 1.1 s, to AVIF (speed 10)
  /// 0.6 s.
  @Test(arguments: [
    (FileFormat.png, 6, 0.03...0.1), (.tiff, 6, 0.03...0.1), (.heif, 10, 0.08...0.2),
    (.avif, 10, 0.04...0.13),
  ])
  func ratesAreAsMeasured(format: FileFormat, speed: Int, seconds: ClosedRange<Double>) {
    let rate = ExpectedTime.encoding(
      (1000, 1000), as: format, EncoderOptions(speed: speed), chroma: .yuv420)
    #expect(seconds.contains(rate), "\(format)")
    let slowest = ExpectedTime.encoding((1000, 1000), as: format, EncoderOptions(speed: 0))
    #expect(slowest > 5 * rate, "\(format)")
  }

  /// HEIC images are 4:2:0 by default, AVIF images 4:4:4.
  @Test func chromaIsTheDefaultOne() throws {
    let layout = ImageLayout(width: 64, height: 64, components: .rgb, samples: .integer(bits: 16))
    let image = SourceImage(
      Image(
        ImageDescription(layout: layout, color: ColorEncoding(primaries: .bt2020, transfer: .pq)),
        ImagePlanes(
          layout: layout,
          planes: .integer((0..<3).map { _ in Plane(width: 64, height: 64, filledWith: 30_000) }))))
    for (format, factor) in [(FileFormat.heif, 0.6), (.avif, 1)] {
      var options = ConversionOptions(format: format)
      let usual = try #require(ExpectedTime.stages(of: image, options)[.encoding])
      options.chroma = .yuv444
      let full = try #require(ExpectedTime.stages(of: image, options)[.encoding])
      #expect(abs(usual - factor * full) < 1e-9 * full, "\(format)")
    }
  }

  #if AVIF
  /// The stages of an image that a library encodes in one call.
  @Test func encodingIsAStageOfItsOwn() throws {
    let layout = ImageLayout(width: 64, height: 64, components: .gray, samples: .integer(bits: 16))
    let plane = Plane<UInt16>(width: 64, height: 64, filledWith: 30_000)
    let image = Image(
      ImageDescription(layout: layout, color: ColorEncoding(primaries: .bt2020, transfer: .pq)),
      ImagePlanes(layout: layout, planes: .integer([plane])))
    var all: [ConversionEvent] = []
    _ = try ImageConverter(ConversionOptions(format: .avif)).write(
      SourceImage(image), to: MemorySink()
    ) { all.append($0) }
    guard case .planned(let stages)? = all.first else {
      Issue.record("the plan is not first")
      return
    }
    #expect((stages[.encoding] ?? 0) > (stages[.converting] ?? 0))
    #expect(all.last == .progress(.encoding, 0))
    #expect(all.dropFirst().first == .progress(.converting, 0))
    #expect(all.contains(.progress(.converting, 1)))
  }
  #endif
}
