// SPDX-License-Identifier: Apache-2.0
package import HDRCore
internal import Platform

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

/// A tone curve: linear value as a function of signal, both 0...1.
///
/// Source: ICC.1:2022, 10.6 and 10.18.
package enum ICCCurve: Hashable, Sendable {
  case identity
  /// Equally spaced samples over 0...1, where 65535 represents 1; at least two.
  case table([UInt16])
  /// Function 0...4 of `para`, with its one, three, four, five or seven parameters.
  case parametric(function: Int, parameters: [Double])

  /// Number of parameters of each function.
  static let parameterCounts = [1, 3, 4, 5, 7]

  /// The function of IEC 61966-2-1.
  package static let srgb = ICCCurve.parametric(
    function: 3, parameters: [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.040_45])

  /// Returns the linear value, 0...1, of `signal`, which is clamped to 0...1.
  package func linearValue(ofSignal signal: Double) -> Double {
    let x = min(max(signal, 0), 1)
    switch self {
    case .identity:
      return x
    case .table(let samples):
      let position = x * Double(samples.count - 1)
      let index = min(Int(clamping: position), samples.count - 2)
      let share = position - Double(index)
      return (Double(samples[index]) * (1 - share) + Double(samples[index + 1]) * share) / 65_535
    case .parametric(let function, let parameters):
      let y = Self.evaluate(function, parameters, at: x)
      return y.isNaN ? 0 : min(max(y, 0), 1)
    }
  }

  /// Source: table 68.
  private static func evaluate(_ function: Int, _ p: [Double], at x: Double) -> Double {
    func power(_ base: Double) -> Double { pow(max(base, 0), p[0]) }
    switch function {
    case 0: return power(x)
    case 1: return p[1] * x + p[2] >= 0 ? power(p[1] * x + p[2]) : 0
    case 2: return p[1] * x + p[2] >= 0 ? power(p[1] * x + p[2]) + p[3] : p[3]
    case 3: return x >= p[4] ? power(p[1] * x + p[2]) : p[3] * x
    default: return x >= p[4] ? power(p[1] * x + p[2]) + p[5] : p[3] * x + p[6]
    }
  }

  /// The exponent of a pure power function; `nil` for other curves.
  package var exponent: Double? {
    switch self {
    case .identity: 1
    case .parametric(let function, let parameters):
      Self.isPower(function, parameters) ? parameters[0] : nil
    case .table: nil
    }
  }

  /// Whether a function has neither scale, nor offsets, nor a linear segment.
  private static func isPower(_ function: Int, _ p: [Double]) -> Bool {
    switch function {
    case 0: true
    case 1, 2: p.dropFirst().elementsEqual(function == 1 ? [1, 0] : [1, 0, 0])
    default: p[1] == 1 && p[2] == 0 && p[4] <= 0 && (function == 3 || p[5] == 0)
    }
  }

  /// Whether the curve matches sRGB within 1e-4, the precision of stored parameters.
  ///
  /// Apple's Display P3 stores parameters with three digits, which changes linear values by up to
  /// 6.4e-5. The table of Hewlett-Packard's profile of 1998 is exact.
  package var isSRGB: Bool {
    let steps: Int
    switch self {
    case .table(let samples) where samples.count >= 256: steps = samples.count - 1
    case .parametric(function: 3..., _): steps = 1023
    case .identity, .table, .parametric: return false
    }
    return (0...steps).allSatisfy { index in
      let signal = Double(index) / Double(steps)
      return abs(linearValue(ofSignal: signal) - SRGB.eotf(signal)) <= 1e-4
    }
  }

  /// PQ or HLG, if the curve is one of them within the precision of profiles; `nil` for others.
  ///
  /// Programs scale the linear values, to 10000 cd/m², to reference white, or to the peak of a
  /// display, and clip them at 1; profiles of HLG store scene or display light. Values may differ by
  /// one and a half steps of 16 bits, since some programs truncate, and by half a step of a 16-bit
  /// signal. All other functions in use differ by hundreds of steps.
  package var highDynamicRange: TransferFunction? {
    let steps: Int
    switch self {
    case .table(let samples) where samples.count >= 17: steps = samples.count - 1
    case .parametric(function: 1..., _): steps = 1023
    case .identity, .table, .parametric: return nil
    }
    if isScaled(steps, { PQ.eotf($0) / PQ.peakLuminance }) { return .pq }
    if isScaled(steps, HLG.inverseOETF) { return .hlg }
    // Source: BT.2100, table 5: the system gamma of a display of 1000 cd/m².
    return isScaled(steps, { pow(HLG.inverseOETF($0), 1.2) }) ? .hlg : nil
  }

  /// Whether the curve is `function` times any factor, clipped at 1.
  private func isScaled(_ steps: Int, _ function: (Double) -> Double) -> Bool {
    let signals = (0...steps).map { Double($0) / Double(steps) }
    // The last value that is not clipped has the smallest relative error.
    let last = signals.last { linearValue(ofSignal: $0) < 1 - 1.5 / 65_535 }
    guard let last, function(last) > 0 else { return false }
    let fitted = linearValue(ofSignal: last) / function(last)
    let isComplete = abs(fitted - 1) < 1e-3 && linearValue(ofSignal: 1) == 1
    let scale = isComplete ? 1 : fitted
    guard 0.05...200 ~= scale, last >= 0.25 else { return false }
    return signals.allSatisfy { signal in
      let value = scale * function(signal)
      let slope = scale * function(min(signal + 0.5 / 65_535, 1)) - value
      return abs(linearValue(ofSignal: signal) - min(value, 1)) <= 1.5 / 65_535 + slope
    }
  }

  /// The curve as equally spaced linear values; `nil` if it decreases anywhere.
  ///
  /// Rounded parameters may make the two segments of a function overlap; values are then constant.
  package var sampled: ProfileCurves.Curve? {
    switch self {
    case .identity: return ProfileCurves.Curve(samples: [0, 1])
    case .table(let samples):
      return ProfileCurves.Curve(samples: samples.map { Double($0) / 65_535 })
    case .parametric:
      let steps = 1 << 14
      var samples = (0...steps).map { linearValue(ofSignal: Double($0) / Double(steps)) }
      var largest = 0.0
      for index in samples.indices {
        guard samples[index] > largest - 1e-3 else { return nil }
        largest = max(largest, samples[index])
        samples[index] = largest
      }
      return ProfileCurves.Curve(samples: samples)
    }
  }
}

extension ICCProfile {
  /// Returns the tone curve of a tag; `nil` if it is missing or invalid.
  package func curve(_ signature: Signature) -> ICCCurve? {
    value(of: signature, types: .curve, .parametricCurve) { type, reader throws(ImageError) in
      type == .curve ? try reader.readCurve() : try reader.readParametricCurve()
    }
  }
}

extension ByteReader {
  /// Reads a curve with its type, and the padding to a multiple of four bytes from `start`.
  @_lifetime(self: copy self)
  mutating func readTypedCurve(from start: Int) throws(ImageError) -> ICCCurve? {
    let type = ICCProfile.Signature(rawValue: try readBigEndian())
    try skip(4)
    let curve: ICCCurve?
    switch type {
    case .curve: curve = try readCurve()
    case .parametricCurve: curve = try readParametricCurve()
    default: return nil
    }
    let excess = (fileOffset - start) % 4
    if excess > 0, remaining > 0 { try skip(min(4 - excess, remaining)) }
    return curve
  }

  @_lifetime(self: copy self)
  fileprivate mutating func readCurve() throws(ImageError) -> ICCCurve {
    let count: UInt32 = try readBigEndian()
    guard count <= remaining / 2 else {
      throw error(.truncated, "curve of {count sample} exceeds its tag", ["count": count])
    }
    var samples: [UInt16] = []
    samples.reserveCapacity(Int(count))
    for _ in 0..<count { samples.append(try readBigEndian()) }
    switch samples.count {
    case 0: return .identity
    case 1: return .parametric(function: 0, parameters: [Double(samples[0]) / 256])
    default: return .table(samples)
    }
  }

  @_lifetime(self: copy self)
  fileprivate mutating func readParametricCurve() throws(ImageError) -> ICCCurve? {
    let function = Int(try readBigEndian(as: UInt16.self))
    try skip(2)
    guard ICCCurve.parameterCounts.indices.contains(function) else { return nil }
    var parameters: [Double] = []
    for _ in 0..<ICCCurve.parameterCounts[function] { parameters.append(try readS15Fixed16()) }
    return .parametric(function: function, parameters: parameters)
  }
}
