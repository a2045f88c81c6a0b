// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import HDRConversion
import HDRCore
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("Color tables") struct RGBTableTests {
  static func table(
    _ encoding: RGBTable.Encoding = .linear, _ primaries: ColorPrimaries = .look,
    isExtending: Bool = false, divisions: Int = 2, _ entry: (SIMD3<Double>) -> SIMD3<Double>
  ) -> RGBTable {
    let sides = (0..<divisions).map { Double($0) / Double(divisions - 1) }
    let entries = sides.flatMap { r in
      sides.flatMap { g in
        sides.flatMap { b in
          let color = entry(SIMD3(r, g, b))
          return [Float(color.x), Float(color.y), Float(color.z)]
        }
      }
    }
    return RGBTable(
      encoding: encoding, primaries: primaries, isExtending: isExtending, divisions: divisions,
      entries: entries)
  }

  /// Source: colour-science 0.4, `table_interpolation_tetrahedral`.
  @Test("interpolation agrees with colour-science")
  func interpolation() {
    let table = RGBTable(
      encoding: .linear, primaries: .look, isExtending: false, divisions: 3,
      entries: (0..<81).map { Float(($0 * 7919 + 13) % 101) / 100 })
    let cases: [(SIMD3<Double>, SIMD3<Double>)] = [
      (SIMD3(0.1, 0.2, 0.3), SIMD3(0.316, 0.524, 0.732)),
      (SIMD3(0.9, 0.35, 0.6), SIMD3(0.582, 0.487, 0.594)),
      (SIMD3(0.5, 0.5, 0.5), SIMD3(0.97, 0.37, 0.78)),
      (SIMD3(0.05, 0.95, 0.4), SIMD3(0.647, 0.148, 0.457)),
      (SIMD3(1, 1, 1), SIMD3(0.8, 0.2, 0.61)),
      (SIMD3(0.3, 0.8, 0.75), SIMD3(0.482, 0.286, 0.696)),
      (SIMD3(0.62, 0.13, 0.13), SIMD3(0.3092, 0.4566, 0.8666)),
    ]
    for (place, expected) in cases {
      let error = table.entry(at: place) - expected
      #expect(max(error.max(), -error.min()) < 1e-6, "\(place)")
    }
  }

  @Test(
    "encodings round-trip, are monotonic and have known values",
    arguments: RGBTable.Encoding.allCases
  )
  func encodings(encoding: RGBTable.Encoding) {
    var last = -1.0
    for step in 0...1000 {
      let light = pow(Double(step) / 1000, 3)
      let signal = encoding.encode(light)
      #expect(signal > last)
      #expect(abs(encoding.decode(signal) - light) < 1e-9)
      last = signal
    }
    let half: [RGBTable.Encoding: Double] = [
      .linear: 0.5, .sRGB: 0.735_356_98, .power18: pow(0.5, 1 / 1.8), .power22: pow(0.5, 1 / 2.2),
      .bt2020: 1.099_296_83 * pow(0.5, 0.45) - 0.099_296_83,
    ]
    #expect(abs(encoding.encode(0.5) - (half[encoding] ?? 0)) < 1e-6)
    #expect(encoding.encode(0) == 0 && abs(encoding.encode(1) - 1) < 1e-12)
  }

  @Test("an identity table preserves colors in its gamut")
  func identity() {
    for primaries in [ColorPrimaries.bt709, .adobeRGB, .displayP3, .bt2020, .look] {
      for encoding in RGBTable.Encoding.allCases {
        let table = Self.table(encoding, primaries) { $0 }
        let color = table.toPrimaries.inverse * SIMD3(0.3, 0.8, 0.05)
        let error = table.color(color, isHDR: false) - color
        #expect(max(error.max(), -error.min()) < 1e-6)
      }
    }
  }

  @Test("out-of-gamut colors are clipped or kept")
  func beyond() {
    let green = SIMD3(0.05, 0.9, 0.05)
    let kept = Self.table(.sRGB, .bt709, isExtending: true) { $0 }.color(green, isHDR: false)
    #expect((kept - green).max() < 1e-6 && (kept - green).min() > -1e-6)
    let cut = Self.table(.sRGB, .bt709) { $0 }.color(green, isHDR: false)
    let inside = ColorPrimaries.look.conversion(to: .bt709) * cut
    #expect(inside.min() > -1e-6 && inside.max() < 1 + 1e-6 && (green - cut).min() < -0.1)
  }

  @Test("a table that swaps red and blue")
  func exchange() {
    let table = Self.table { SIMD3($0.z, $0.y, $0.x) }
    let found = table.color(SIMD3(0.7, 0.2, 0.1), isHDR: false)
    let error = found - SIMD3(0.1, 0.2, 0.7)
    #expect(max(error.max(), -error.min()) < 1e-6)
  }

  @Test("in HDR profiles, tables get 0...16 as 0...1, and keep values outside")
  func extended() {
    let halves = Self.table(isExtending: true) { $0 / 2 }
    // 16/17 or so of white is half of the compressed range's 16.
    let bright = halves.color(SIMD3(repeating: 16), isHDR: true)
    #expect(abs(bright.x - ExtendedRange.expanded(0.5)) < 1e-9)
    // What is beyond 16, or below 0, is added as it was, compressed.
    let beyond = halves.color(SIMD3(40, -0.5, 1), isHDR: true)
    let expected = SIMD3(
      ExtendedRange.expanded(0.5 + ExtendedRange.compressed(40) - 1), -0.5,
      ExtendedRange.expanded(ExtendedRange.compressed(1) / 2))
    #expect((beyond - expected).max() < 1e-9 && (beyond - expected).min() > -1e-9)
    for light in [-3e5, -16, -1, -0.2, 0, 0.3, 1, 16, 3e5] {
      let back = ExtendedRange.expanded(ExtendedRange.compressed(light))
      #expect(abs(back - light) <= 1e-9 * max(1, abs(light)) * max(1, abs(light)))
    }
    for primaries in [ColorPrimaries.bt709, .look] {
      let same = Self.table(.sRGB, primaries, isExtending: true, divisions: 4) { $0 }
      let color = SIMD3(0.1, 7, 20.0)
      let error = same.color(color, isHDR: true) - color
      #expect(max(error.max(), -error.min()) < 1e-4)
    }
  }
}
