internal import Foundation
internal import HDRCore

/// A table of colors by red, green and blue.
///
/// Source: DNG 1.7.1, RGBTables; for the interpolation and the straight beginnings of powers Adobe's
/// SDK.
struct RGBTable: Hashable, Sendable {
  /// How the components are encoded that choose entries, and those of entries.
  enum Encoding: Int, Hashable, Sendable, CaseIterable {
    case linear, sRGB, power18, power22, bt2020
  }

  let encoding: Encoding
  let primaries: ColorPrimaries
  /// Whether the part of a color that is beyond the primaries stays, and is not cut off.
  let isExtending: Bool
  /// Entries to each side.
  let divisions: Int
  /// Red, green and blue of each entry, 0...1: by red outermost, by blue innermost.
  let entries: [Float]

  init(
    encoding: Encoding, primaries: ColorPrimaries, isExtending: Bool, divisions: Int,
    entries: [Float]
  ) {
    precondition(divisions >= 2 && entries.count == 3 * divisions * divisions * divisions)
    self.encoding = encoding
    self.primaries = primaries
    self.isExtending = isExtending
    self.divisions = divisions
    self.entries = entries
  }

  /// Linear ROMM RGB to the linear primaries of the table.
  var toPrimaries: Matrix3x3 { ColorPrimaries.look.conversion(to: primaries) }

  /// The color that another becomes, both in linear ROMM RGB; not clamped.
  ///
  /// - Parameters:
  ///   - color: Any.
  ///   - isHDR: Whether the profile is for light above white, which tables get compressed.
  /// - Returns: What the table makes of it.
  func color(_ color: SIMD3<Double>, isHDR: Bool) -> SIMD3<Double> {
    func each(_ color: SIMD3<Double>, _ change: (Double) -> Double) -> SIMD3<Double> {
      SIMD3(change(color.x), change(color.y), change(color.z))
    }
    let linear = toPrimaries * color
    let whole = isHDR ? each(linear, ExtendedRange.compressed) : linear
    let inside = whole.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 1))
    var found = each(entry(at: each(inside, encoding.encode)), encoding.decode)
    if isExtending { found += whole - inside }
    return toPrimaries.inverse * (isHDR ? each(found, ExtendedRange.expanded) : found)
  }

  /// What lies between entries: within each of the six tetrahedra that have the diagonal of a cell of
  /// the table in common, a linear function.
  func entry(at place: SIMD3<Double>) -> SIMD3<Double> {
    let scaled = place * Double(divisions - 1)
    let strides = [3 * divisions * divisions, 3 * divisions, 3]
    var index = 0
    var shares: [(share: Double, stride: Int)] = []
    for (component, stride) in strides.enumerated() {
      let first = min(max(Int(scaled[component]), 0), divisions - 2)
      index += first * stride
      shares.append((scaled[component] - Double(first), stride))
    }
    func entry(_ index: Int) -> SIMD3<Double> {
      SIMD3(Double(entries[index]), Double(entries[index + 1]), Double(entries[index + 2]))
    }
    var result = entry(index)
    for (share, stride) in shares.sorted(by: { $0.share > $1.share }) {
      result += share * (entry(index + stride) - entry(index))
      index += stride
    }
    return result
  }
}

extension RGBTable.Encoding {
  /// Source: for powers Adobe's SDK, in which a cubic begins with slope 32.
  func encode(_ light: Double) -> Double {
    switch self {
    case .linear: light
    case .sRGB: SRGB.inverseEOTF(light)
    case .power18, .power22: light > toe ? pow(light, 1 / gamma) : cubic(light)
    case .bt2020:
      light < Self.bt2020Toe
        ? 4.5 * light : Self.bt2020Scale * pow(light, 0.45) + 1 - Self.bt2020Scale
    }
  }

  func decode(_ signal: Double) -> Double {
    switch self {
    case .linear: signal
    case .sRGB: SRGB.eotf(signal)
    case .power18, .power22: light(signal)
    case .bt2020:
      signal < 4.5 * Self.bt2020Toe
        ? signal / 4.5 : pow((signal - 1 + Self.bt2020Scale) / Self.bt2020Scale, 1 / 0.45)
    }
  }

  /// Source: Recommendation ITU-R BT.2020, table 4, with more digits.
  private static let bt2020Scale = 1.099_296_826_809_44
  private static let bt2020Toe = 0.018_053_968_510_807

  private func light(_ signal: Double) -> Double {
    guard signal < pow(toe, 1 / gamma) else { return pow(signal, gamma) }
    var (low, high) = (0.0, toe)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if cubic(middle) < signal { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  private var gamma: Double { self == .power18 ? 1.8 : 2.2 }

  /// Where the power begins.
  private var toe: Double { self == .power18 ? 8.211_879_055_2e-4 : 0.003_480_073_1 }

  /// The cubic from 0, with slope 32, to the power, with its slope.
  private func cubic(_ light: Double) -> Double {
    let end = pow(toe, 1 / gamma)
    let (startSlope, endSlope) = (32 * toe, end / gamma)
    let t = light / toe
    return t
      * (startSlope + t * (3 * end - 2 * startSlope - endSlope)
        + t * t * (startSlope + endSlope - 2 * end))
  }
}
