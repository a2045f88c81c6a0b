// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import HDRConversion
import HDRCore
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("Illuminant data") struct IlluminantDataTests {
  /// Illuminant A by its definition.
  ///
  /// Source: ISO/CIE 11664-2.
  private static func illuminantA(_ nanometers: Double) -> Double {
    let power = pow(560 / nanometers, 5)
    return 100 * power * (exp(1.435e7 / (2848 * 560)) - 1)
      / (exp(1.435e7 / (2848 * nanometers)) - 1)
  }

  private static func file(_ data: [UInt8], order: TIFFFile.ByteOrder = .littleEndian)
    -> SyntheticDNG
  {
    var file = SyntheticDNG(width: 2, height: 2, planes: 3, order: order)
    file.main.chunks = [[UInt8](repeating: 1, count: 24)]
    file.main.entries[50_778] = .shorts([255])
    file.main.entries[52_533] = .undefined(data)
    return file
  }

  private static func spectrum(
    _ file: SyntheticDNG, from start: Int, step: Int, _ samples: [Double]
  ) -> [UInt8] {
    func fraction(_ value: Double) -> [UInt8] {
      file.number(Int(clamping: (value * 1e4).rounded()), 4) + file.number(10_000, 4)
    }
    return file.number(1, 2) + file.number(samples.count, 4) + fraction(Double(start))
      + fraction(Double(step)) + samples.flatMap(fraction)
  }

  @Test("spectra have their published chromaticities")
  func spectra() throws {
    let a = try #require(
      IlluminantData.chromaticity(
        from: 360, step: 5, samples: (0..<95).map { Self.illuminantA(360 + 5 * Double($0)) }))
    #expect(abs(a.x - 0.44758) < 1e-4 && abs(a.y - 0.40745) < 1e-4)
    let e = try #require(
      IlluminantData.chromaticity(from: 300, step: 600, samples: [1, 1]))
    #expect(abs(e.x - 1.0 / 3) < 1e-4 && abs(e.y - 1.0 / 3) < 1e-4)
    #expect(IlluminantData.chromaticity(from: 100, step: 1, samples: [1, 1]) == nil)
  }

  @Test(
    "the recipe has the temperature", arguments: [TIFFFile.ByteOrder.littleEndian, .bigEndian])
  func temperatures(order: TIFFFile.ByteOrder) throws {
    let blank = Self.file([], order: order)
    let samples = (0...46).map { Self.illuminantA(370 + 10 * Double($0)) }
    let warm = Self.file(Self.spectrum(blank, from: 370, step: 10, samples), order: order)
    let kelvin = try #require(
      try SyntheticDNG.parsed(warm).recipe().profiles[0].calibrations[0].kelvin)
    #expect(abs(kelvin - 2856) < 3, "\(kelvin)")
    let chromaticity = [0, 3127, 10_000, 3290, 10_000]
    let cold = Self.file(
      blank.number(0, 2) + chromaticity.dropFirst().flatMap { blank.number($0, 4) }, order: order)
    let daylight = try #require(
      try SyntheticDNG.parsed(cold).recipe().profiles[0].calibrations[0].kelvin)
    #expect(abs(daylight - 6504) < 3, "\(daylight)")
  }

  @Test("invalid illuminants are ignored with a notice")
  func invalidData() throws {
    let blank = Self.file([])
    for data in [
      [0, 0], [0, 0, 1, 0, 0, 0], [7, 0],
      blank.number(0, 2) + [UInt8](repeating: 0, count: 16),
      blank.number(1, 2) + blank.number(900, 4) + [UInt8](repeating: 0, count: 40),
      blank.number(1, 2) + blank.number(2, 4) + [UInt8](repeating: 0, count: 32),
    ] as [[UInt8]] {
      let parameters = try DevelopmentParameters(
        SyntheticDNG.parsed(Self.file(data)), limits: ImageLimits())
      #expect(
        parameters.notices.contains {
          $0.code.id == "raw/look-unreadable" && $0.location.path.last == "tag 52533"
        })
    }
  }
}
