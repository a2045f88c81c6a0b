// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

@Suite("Requantized gain maps") struct GainMapRequantizerTests {
  static func flat(headroom ratio: Double) throws -> GainMapMetadata {
    let stops = Headroom(ratio: ratio).stops
    return try metadata(
      maximum: stops, baseOffset: 0, alternateOffset: 0, alternateHeadroom: stops)
  }

  /// Largest difference in gain between 8-bit code values and their requantized ones, in stops.
  static func worstError(
    _ requantizer: GainMapRequantizer, from old: GainMapMetadata, to new: GainMapMetadata, bits: Int
  ) -> Double {
    let largest = Double(1 << bits - 1)
    return requantizer.tables[0].enumerated().reduce(0) { worst, pair in
      let before = old.logGain(ofSample: Double(pair.offset) / 255, component: 0)
      let after = new.logGain(ofSample: Double(pair.element) / largest, component: 0)
      return max(worst, abs(after - before))
    }
  }

  /// Source: `gainmap-conversion.md`, section 3: routes F and G, and the number of distinct code
  /// values.
  @Test(arguments: [(2.0, 0.0020, 0.0005, 199), (4, 0.0039, 0.0010, 215), (8, 0.0058, 0.0015, 230)])
  func appleToParameters(ratio: Double, error8: Double, error10: Double, codes: Int) throws {
    let apple = try GainMapMetadata(appleHeadroom: Headroom(ratio: ratio))
    let flat = try Self.flat(headroom: ratio)
    let eight = GainMapRequantizer(from: apple, bits: 8, to: flat, bits: 8)
    #expect(
      isClose(
        Self.worstError(eight, from: apple, to: flat, bits: 8), error8, absolute: 6e-5))
    #expect(Set(eight.tables[0]).count == codes)
    let ten = GainMapRequantizer(from: apple, bits: 8, to: flat, bits: 10)
    #expect(
      isClose(
        Self.worstError(ten, from: apple, to: flat, bits: 10), error10, absolute: 6e-5))
    #expect(ten.tables[0].first == 0 && ten.tables[0].last == 1023)
  }

  /// Source: `gainmap-conversion.md`, section 4, point 5.
  @Test(arguments: [(2.0, 0.0032), (4, 0.0051), (8, 0.0073)])
  func parametersToApple(ratio: Double, error: Double) throws {
    let flat = try Self.flat(headroom: ratio)
    #expect(flat.obstacleToApple(mapIsGray: true) == nil)
    let apple = try flat.withAppleCurve()
    let requantizer = GainMapRequantizer(from: flat, bits: 8, to: apple, bits: 8)
    #expect(
      isClose(
        Self.worstError(requantizer, from: flat, to: apple, bits: 8), error, absolute: 6e-5))
  }

  @Test func obstaclesToApple() throws {
    func obstacle(_ metadata: GainMapMetadata, gray: Bool = true) -> ImageError? {
      metadata.obstacleToApple(mapIsGray: gray)
    }
    #expect(obstacle(try metadata(baseOffset: 1e-5, alternateOffset: 1e-5)) == nil)
    #expect(obstacle(try metadata()) != nil)
    #expect(obstacle(try metadata(baseOffset: 0, alternateOffset: 0), gray: false) != nil)
    #expect(
      obstacle(try metadata(baseOffset: 0, alternateOffset: 0, baseHeadroom: 3)) != nil)
    #expect(
      obstacle(try metadata(baseOffset: 0, alternateOffset: 0, baseHeadroom: 1)) != nil)
    let dark = try metadata(minimum: -2, maximum: 0, baseOffset: 0, alternateOffset: 0)
    #expect(obstacle(dark) != nil)
    #expect(throws: ImageError.self) { try dark.withAppleCurve() }
    let odd = try metadata(minimum: -0.5, maximum: 1, alternateHeadroom: 2)
    #expect(odd.differencesFromApple.count == 2)
    #expect(try metadata(minimum: -0.002).differencesFromApple == [])
  }

  @Test func imagesAreReencoded() throws {
    let old = try Self.flat(headroom: 4)
    let channel = try metadata(maximum: 4, baseOffset: 0, alternateOffset: 0).channels[0]
    var narrow = channel
    narrow.maximum = SignedRational(2)
    let new =
      (try GainMapMetadata(
        channels: .three(red: channel, green: narrow, blue: channel),
        baseHeadroom: UnsignedRational(0), alternateHeadroom: UnsignedRational(2),
        usesBaseColorSpace: true))
    let requantizer = GainMapRequantizer(from: old, bits: 8, to: new, bits: 10)
    let format = ImageLayout(
      width: 3, height: 1, components: .gray, samples: .integer(bits: 8))
    let plane = Plane<UInt16>(width: 3, height: 1) { samples in
      for code in [0, 51, 255] as [UInt16] { samples.append(code) }
    }
    let image = requantizer.apply(to: ImagePlanes(layout: format, planes: .integer([plane])))
    #expect(image.layout.components == .rgb)
    guard case .integer(let planes) = image.planes else {
      Issue.record("not what the test is about"); return
    }
    func codes(_ plane: Plane<UInt16>) -> [UInt16] { (0..<3).map { plane.span[$0] } }
    #expect(codes(planes[0]) == [0, 102, 512])
    #expect(codes(planes[1]) == [0, 205, 1023])
    #expect(planes[2] == planes[0])
  }
}
