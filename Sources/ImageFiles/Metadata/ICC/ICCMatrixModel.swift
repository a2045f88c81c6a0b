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
    if let function = highDynamicRange { return function }
    if let exponent = curves[0].exponent, curves.allSatisfy({ $0.exponent == exponent }) {
      return exponent == 1 ? .linear : exponent > 0 ? .gamma(exponent) : nil
    }
    let sampled = curves.compactMap(\.sampled)
    guard sampled.count == 3 else { return nil }
    return .sampled(ProfileCurves(red: sampled[0], green: sampled[1], blue: sampled[2]))
  }

  /// PQ or HLG, if all curves are equal and match it.
  package var highDynamicRange: TransferFunction? {
    curves.allSatisfy { $0 == curves[0] } ? curves[0].highDynamicRange : nil
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
    return matrixModel.map(Model.matrix) ?? .unknown
  }

  /// The matrix and the tone curves, also of a profile that has lookup tables; `nil` without them.
  private var matrixModel: ICCMatrixModel? {
    guard header.colorSpace == .rgb, header.connectionSpace == .xyz,
      let red = xyz(.redColorant), let green = xyz(.greenColorant), let blue = xyz(.blueColorant),
      let redCurve = curve(.redCurve), let greenCurve = curve(.greenCurve),
      let blueCurve = curve(.blueCurve)
    else { return nil }
    return ICCMatrixModel(
      red: red, green: green, blue: blue, curves: [redCurve, greenCurve, blueCurve])
  }

  /// Primaries and curves of a profile of PQ or HLG whose tables are a rendition for displays.
  ///
  /// The tables of such profiles decode the signal by curves, map tones, and convert by a matrix.
  package var highDynamicRangeModel: ICCMatrixModel? {
    if let model = matrixModel, model.highDynamicRange != nil { return model }
    guard header.colorSpace == .rgb, header.connectionSpace == .xyz,
      let table = multiStageTable(.perceptualTable), table.highDynamicRange != nil
    else { return nil }
    return table
  }

  /// The curves of the device side and the matrix, for white of 1, of a `lutAToBType` table.
  ///
  /// Source: ICC.1:2022, 10.12: A curves precede the table, M curves the matrix, and B curves follow
  /// it.
  private func multiStageTable(_ signature: Signature) -> ICCMatrixModel? {
    value(of: signature, types: .multiStageTable) { _, reader throws(ImageError) in
      let start = reader.fileOffset - 8
      let inputs: UInt8 = try reader.readBigEndian()
      let outputs: UInt8 = try reader.readBigEndian()
      guard inputs == 3, outputs == 3 else { return nil }
      try reader.skip(2)
      var offsets: [Int] = []
      for _ in 0..<5 { offsets.append(Int(try reader.readBigEndian(as: UInt32.self))) }
      let (matrix, first) = (offsets[1], offsets[4] > 0 ? offsets[4] : offsets[2])
      guard matrix > 0, first > 0 else { return nil }
      var curveReader = reader
      try curveReader.skip(first - (curveReader.fileOffset - start))
      var curves: [ICCCurve] = []
      for _ in 0..<3 {
        guard let curve = try curveReader.readTypedCurve(from: start) else { return nil }
        curves.append(curve)
      }
      try reader.skip(matrix - (reader.fileOffset - start))
      var rows: [SIMD3<Double>] = []
      for _ in 0..<3 { rows.append(try reader.readXYZ()) }
      // Some profiles scale PQ to reference white in the matrix.
      let white = rows[1].sum()
      guard white > 0 else { return nil }
      for index in 0..<3 { rows[index] /= white }
      return ICCMatrixModel(
        red: SIMD3(rows[0].x, rows[1].x, rows[2].x), green: SIMD3(rows[0].y, rows[1].y, rows[2].y),
        blue: SIMD3(rows[0].z, rows[1].z, rows[2].z), curves: curves)
    }
  }

  /// White point of the connection space, rounded as in the profile header.
  ///
  /// Source: 7.2.16.
  static let connectionWhite = SIMD3(Double(0xF6D6), Double(0x10000), Double(0xD32D)) / 65_536
}

extension Chromaticity {
  fileprivate init(xyz: SIMD3<Double>) { self.init(x: xyz.x / xyz.sum(), y: xyz.y / xyz.sum()) }
}
