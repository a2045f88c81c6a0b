package import HDRCore

/// An RGB profile that is three tone curves and a matrix.
package struct ICCMatrixModel: Hashable, Sendable {
  /// XYZ of full red, adapted to D50.
  package var red: SIMD3<Double>
  package var green: SIMD3<Double>
  package var blue: SIMD3<Double>
  /// Tone curves of red, green and blue.
  package var curves: [ICCCurve]

  /// The primaries of the space that the profile describes.
  ///
  /// Named ones, with their own white, where the colorants differ from theirs by no more than
  /// profiles round. Else the colorants as they are: primaries whose white is D50. `nil` if the
  /// colorants do not make D50, as in profiles from before adaptation was agreed upon.
  package var primaries: ColorPrimaries? {
    let named: [ColorPrimaries] = [
      .bt709, .displayP3, .bt2020, .adobeRGB, .proPhoto, .dciP3, .acesAP0, .acesAP1,
    ]
    return named.first { isClose(to: Self.colorants(of: $0)) } ?? colorantPrimaries
  }

  /// What the tone curves say.
  ///
  /// One of the toolkit's own functions where the curves are that, else samples; `nil` if a curve
  /// falls somewhere.
  package var transfer: TransferFunction? {
    if curves.allSatisfy(\.isSRGB) { return .srgb }
    if let exponent = curves[0].exponent, curves.allSatisfy({ $0.exponent == exponent }) {
      return exponent == 1 ? .linear : exponent > 0 ? .gamma(exponent) : nil
    }
    let sampled = curves.compactMap(\.sampled)
    guard sampled.count == 3 else { return nil }
    return .sampled(ProfileCurves(red: sampled[0], green: sampled[1], blue: sampled[2]))
  }

  /// The colorants as chromaticities, with the white of the connection space.
  var colorantPrimaries: ColorPrimaries? {
    let difference = red + green + blue - ICCProfile.connectionWhite
    guard max(difference.max(), -difference.min()) <= 0.01 else { return nil }
    let primaries = ColorPrimaries(
      red: Chromaticity(xyz: red), green: Chromaticity(xyz: green), blue: Chromaticity(xyz: blue),
      white: Chromaticity(xyz: ICCProfile.connectionWhite))
    return primaries.isUsable ? primaries : nil
  }

  /// The matrix from RGB to the connection space, its columns the colorants.
  ///
  /// Source: ICC.1:2022, annex E.
  static func colorants(of primaries: ColorPrimaries) -> Matrix3x3 {
    adaptation(from: primaries.white) * primaries.rgbToXYZ
  }

  static func adaptation(from white: Chromaticity) -> Matrix3x3 {
    ChromaticAdaptation.bradford.matrix(
      from: white, to: Chromaticity(xyz: ICCProfile.connectionWhite))
  }

  private func isClose(to other: Matrix3x3) -> Bool {
    let own = Matrix3x3(columns: red, green, blue)
    return zip(own.elements, other.elements).allSatisfy { abs($0 - $1) <= 5e-4 }
  }
}

extension ICCProfile {
  /// What a profile is made of, and so who can apply it.
  package enum Model: Hashable, Sendable {
    case matrix(ICCMatrixModel)
    case gray(ICCCurve)
    /// Tables, of which a color management system must make sense.
    case lookupTables
    /// Neither: not a profile of RGB or gray pictures.
    case unknown
  }

  /// Tables come before a matrix.
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

  /// The white of the connection space, in the digits that a header holds.
  ///
  /// Source: 7.2.16.
  static let connectionWhite = SIMD3(Double(0xF6D6), Double(0x10000), Double(0xD32D)) / 65_536
}

extension Chromaticity {
  fileprivate init(xyz: SIMD3<Double>) {
    self.init(x: xyz.x / xyz.sum(), y: xyz.y / xyz.sum())
  }
}
