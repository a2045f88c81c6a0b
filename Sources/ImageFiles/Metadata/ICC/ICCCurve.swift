// SPDX-License-Identifier: Apache-2.0
internal import Platform
package import HDRCore

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
