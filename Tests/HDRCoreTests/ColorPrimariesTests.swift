// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@Suite("Color primaries") struct ColorPrimariesTests {
  private static let spaces: [String: ColorPrimaries] = [
    "sRGB": .sRGB, "DisplayP3": .displayP3, "BT2020": .bt2020, "DCIP3": .dciP3,
    "AdobeRGB": .adobeRGB, "ACES_AP0": .acesAP0, "ACES_AP1": .acesAP1, "ProPhoto": .proPhoto,
  ]
  private static let methods: [String: ChromaticAdaptation] = [
    "none": .none, "Bradford": .bradford, "CAT16": .cat16,
  ]

  @Test func matricesToXYZEqualVectors() throws {
    for row in try VectorTable("matrix_rgb_xyz").rows {
      let names = row.text("name").split(separator: ">").map { String($0) }
      let (source, destination) = (String(names[0].dropLast()), names[1])
      let matrix =
        destination == "XYZ"
        ? Self.spaces[source]?.rgbToXYZ : Self.spaces[destination]?.xyzToRGB
      #expect(isClose(try #require(matrix), row.matrix), "\(row.name)")
    }
  }

  @Test func conversionsEqualVectors() throws {
    for row in try VectorTable("matrix_rgb_rgb").rows {
      let matrix = try conversion(of: row)
      #expect(isClose(matrix, row.matrix), "\(row.name)")
    }
  }

  @Test func convertedColorsEqualVectors() throws {
    for row in try VectorTable("rgb_rgb_samples").rows {
      let output = try conversion(of: row) * row.color("in_r", "in_g", "in_b")
      #expect(isClose(output, row.color("out_r", "out_g", "out_b"), absolute: 1e-12), "\(row.name)")
    }
  }

  private func conversion(of row: VectorTable.Row) throws -> Matrix3x3 {
    let source = try #require(Self.spaces[row.text("source")])
    let destination = try #require(Self.spaces[row.text("destination")])
    let method = try #require(Self.methods[row.text("adaptation")])
    return source.conversion(to: destination, chromaticAdaptation: method)
  }

  /// Luminance weights as printed in the standards, and the white points of table 2 of H.273.
  @Test(arguments: [
    (ColorPrimaries.bt709, SIMD3(0.2126, 0.7152, 0.0722)), (.bt2020, SIMD3(0.2627, 0.6780, 0.0593)),
    (.bt470BG, SIMD3(0.222, 0.7067, 0.0713)), (.bt601, SIMD3(0.2124, 0.7011, 0.0866)),
  ])
  func luminanceWeights(primaries: ColorPrimaries, weights: SIMD3<Double>) {
    #expect(isClose(primaries.luminanceWeights, weights, absolute: 5e-5))
  }

  @Test func xyzPrimariesAreXYZ() {
    #expect(isClose(ColorPrimaries.xyz.rgbToXYZ, .identity))
  }

  @Test func codePointsGoBothWays() throws {
    for value: UInt16 in [1, 4, 5, 6, 8, 9, 10, 11, 12, 22] {
      let codePoint = CICP.Primaries(rawValue: value)
      let primaries = try #require(ColorPrimaries(codePoint))
      #expect(primaries.cicp == codePoint)
      #expect(primaries.isUsable, "\(value)")
    }
    #expect(ColorPrimaries(.smpte240) == .bt601)
    for value: UInt16 in [0, 2, 3, 13, 21, 23, 255, 65_535] {
      #expect(ColorPrimaries(CICP.Primaries(rawValue: value)) == nil)
    }
    #expect(ColorPrimaries.adobeRGB.cicp == nil)
  }

  @Test func roundedCoordinatesKeepTheirCodePoint() {
    var primaries = ColorPrimaries.bt2020
    primaries.red.x = Double(Float(0.708))
    primaries.white.y = 0.329_04
    #expect(primaries.cicp == .bt2020)
    primaries.white.y = 0.3295
    #expect(primaries.cicp == nil)
  }

  @Test func everyNamedSpaceIsUsable() {
    for (name, primaries) in Self.spaces { #expect(primaries.isUsable, "\(name)") }
  }

  @Test func degenerateChromaticitiesAreRefused() {
    func changed(_ change: (inout ColorPrimaries) -> Void) -> ColorPrimaries {
      var primaries = ColorPrimaries.bt709
      change(&primaries)
      return primaries
    }
    let broken = [
      changed { $0.green = $0.red },
      changed { $0.green = Chromaticity(x: 0.395, y: 0.195) },  // Red, green, blue collinear.
      changed { $0.white = Chromaticity(x: 0.6, y: 0.6) },  // Outside the triangle.
      changed { $0.white = Chromaticity(x: 0.3127, y: 0) },
      changed { $0.white = $0.red },
      changed { $0.blue.y = .nan },
      changed { $0.red.x = .infinity },
      changed { $0.red.x = 1e300 },
      ColorPrimaries(
        red: Chromaticity(x: 0, y: 0), green: Chromaticity(x: 0, y: 0),
        blue: Chromaticity(x: 0, y: 0), white: Chromaticity(x: 0, y: 0)),
    ]
    for (index, primaries) in broken.enumerated() {
      #expect(!primaries.isUsable, "\(index)")
      _ = primaries.conversion(to: .bt2020)  // The result is undefined, but does not trap.
    }
  }

  @Test func grayStaysGray() {
    for source in Self.spaces.values {
      for destination in Self.spaces.values {
        let white = source.conversion(to: destination) * SIMD3(repeating: 1)
        #expect(isClose(white, SIMD3(repeating: 1)))
      }
    }
  }
}
