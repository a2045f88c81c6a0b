// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// An RGB profile that consists of three tone curves and a matrix.
package struct ICCMatrixModel: Hashable, Sendable {
  /// XYZ of the red primary at full signal, adapted to D50.
  package var red: SIMD3<Double>
  package var green: SIMD3<Double>
  package var blue: SIMD3<Double>
  /// Tone curves of red, green and blue.
  package var curves: [ICCCurve]

  /// Primaries of the color space that the profile describes.
  ///
  /// Named primaries with their own white point if all colorants match theirs within 5e-4, the
  /// rounding of profiles; otherwise the colorants as primaries with a D50 white point. `nil` if
  /// the colorants do not sum to D50, as in profiles that predate chromatic adaptation.
  package var primaries: ColorPrimaries? {
    let named: [ColorPrimaries] = [
      .bt709, .displayP3, .bt2020, .adobeRGB, .proPhoto, .dciP3, .acesAP0, .acesAP1,
    ]
    return named.first { isClose(to: Self.colorants(of: $0)) } ?? colorantPrimaries
  }

  /// Transfer function of the tone curves.
  ///
  /// A named function if all curves match it, otherwise samples; `nil` if a curve decreases.
  package var transfer: TransferFunction? {
    if curves.allSatisfy(\.isSRGB) { return .srgb }
    if let exponent = curves[0].exponent, curves.allSatisfy({ $0.exponent == exponent }) {
      return exponent == 1 ? .linear : exponent > 0 ? .gamma(exponent) : nil
    }
    let sampled = curves.compactMap(\.sampled)
    guard sampled.count == 3 else { return nil }
    return .sampled(ProfileCurves(red: sampled[0], green: sampled[1], blue: sampled[2]))
  }

  /// Chromaticities of the colorants, with the white point of the connection space.
  var colorantPrimaries: ColorPrimaries? {
    let difference = red + green + blue - ICCProfile.connectionWhite
    guard max(difference.max(), -difference.min()) <= 0.01 else { return nil }
    let primaries = ColorPrimaries(
      red: Chromaticity(xyz: red), green: Chromaticity(xyz: green), blue: Chromaticity(xyz: blue),
      white: Chromaticity(xyz: ICCProfile.connectionWhite))
    return primaries.isUsable ? primaries : nil
  }

  /// Returns the matrix from RGB to the connection space; its columns are the colorants.
  ///
  /// Source: ICC.1:2022, annex E.
  static func colorants(of primaries: ColorPrimaries) -> Matrix3x3 {
    chromaticAdaptation(from: primaries.white) * primaries.rgbToXYZ
  }

  static func chromaticAdaptation(from white: Chromaticity) -> Matrix3x3 {
    ChromaticAdaptation.bradford.matrix(
      from: white, to: Chromaticity(xyz: ICCProfile.connectionWhite))
  }

  private func isClose(to other: Matrix3x3) -> Bool {
    let own = Matrix3x3(columns: red, green, blue)
    return zip(own.elements, other.elements).allSatisfy { abs($0 - $1) <= 5e-4 }
  }
}

extension ICCProfile {
  /// Processing model of a profile.
  package enum Model: Hashable, Sendable {
    case matrix(ICCMatrixModel)
    case gray(ICCCurve)
    /// Lookup tables, which require a color management system.
    case lookupTables
    /// Neither of these: not an RGB or gray profile.
    case unknown
  }

  /// The processing model; lookup tables take precedence over a matrix.
  ///
  /// Source: ICC.1:2022, 8.10.2.
  package var model: Model {
    let tables: [Signature] = [.perceptualTable, .relativeTable, .saturationTable]
    guard tables.allSatisfy({ tag($0) == nil }) else { return .lookupTables }
    if header.colorSpace == .gray, let curve = curve(.grayCurve) { return .gray(curve) }
    guard header.colorSpace == .rgb, header.connectionSpace == .xyz,
      let red = xyz(.redColorant), let green = xyz(.greenColorant), let blue = xyz(.blueColorant),
      let redCurve = curve(.redCurve), let greenCurve = curve(.greenCurve),
      let blueCurve = curve(.blueCurve)
    else { return .unknown }
    return .matrix(
      ICCMatrixModel(
        red: red, green: green, blue: blue, curves: [redCurve, greenCurve, blueCurve]))
  }

  /// White point of the connection space, rounded as in the profile header.
  ///
  /// Source: 7.2.16.
  static let connectionWhite = SIMD3(Double(0xF6D6), Double(0x10000), Double(0xD32D)) / 65_536
}

extension Chromaticity {
  fileprivate init(xyz: SIMD3<Double>) {
    self.init(x: xyz.x / xyz.sum(), y: xyz.y / xyz.sum())
  }
}
