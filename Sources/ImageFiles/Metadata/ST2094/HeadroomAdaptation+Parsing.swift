// SPDX-License-Identifier: Apache-2.0
internal import Platform
public import HDRCore

extension HeadroomAdaptation {
  /// Parses application_info; bytes after it are ignored, as the standard requires.
  ///
  /// Values beyond the ranges of the standard are clamped.
  ///
  /// - Throws: `.truncated`; `.unsupported` for a minimum application version other than 0;
  ///   `.malformed` for alternates out of order, an empty mixture of components, control points out
  ///   of order, and primaries that do not form a color space.
  ///
  /// Source: SMPTE ST 2094-50, annex C.
  public init(parsing bytes: [UInt8]) throws(ImageError) {
    self.init()
    do throws(ImageError) {
      var reader = BitReader(bytes)
      try reader.skip(3)
      let needed = try reader.read(3)
      guard needed == 0 else {
        throw ImageError(
          .unsupported, "requires a reader of version {version}; version 0 is supported",
          ["version": needed])
      }
      try reader.skip(2)
      let hasWhite = try reader.readFlag()
      let hasToneMap = try reader.readFlag()
      try reader.skip(6)
      if hasWhite { referenceWhite = Double(min(max(try reader.read(16), 1), 50_000)) / 5 }
      if hasToneMap { toneMap = try AdaptiveToneMap(parsing: &reader) }
    } catch {
      throw error.inside("ST 2094-50")
    }
  }

  /// ITU-T T.35 country code and SMPTE codes before application_info.
  static let t35Prefix: [UInt8] = [0xB5, 0x00, 0x90, 0x00, 0x01]

  /// Parses the payload of an ITU-T T.35 message, from the country code on.
  ///
  /// - Returns: `nil` if the message is of another provider.
  /// - Throws: Errors of `init(parsing:)`.
  ///
  /// Source: SMPTE ST 2094-50, annex D; ITU-T T.35.
  public init?(parsingT35 payload: [UInt8]) throws(ImageError) {
    guard payload.starts(with: Self.t35Prefix) else { return nil }
    try self.init(parsing: Array(payload.dropFirst(Self.t35Prefix.count)))
  }
}

extension AdaptiveToneMap {
  fileprivate init(parsing reader: inout BitReader) throws(ImageError) {
    let baseline = try reader.readHeadroom()
    guard try !reader.readFlag() else {
      try reader.skip(7)
      self.init(baselineHeadroom: baseline, method: .referenceWhite)
      return
    }
    let count = min(Int(try reader.read(3)), Self.alternateLimit)
    let chromaMode = try reader.read(2)
    let hasCommonMixing = try reader.readFlag()
    let hasCommonCurve = try reader.readFlag()
    let primaries: ColorPrimaries
    switch chromaMode {
    case 0: primaries = .bt709
    case 1: primaries = .displayP3
    case 2: primaries = .bt2020
    default: primaries = try reader.readPrimaries()
    }
    var alternates: [AdaptiveToneMap.Alternate] = []
    var shape: CurveShape?
    for _ in 0..<count {
      let headroom = try reader.readHeadroom()
      let last = alternates.last
      guard headroom != baseline, last.map({ $0.headroom.stops < headroom.stops }) ?? true else {
        throw ImageError(
          .malformed, "alternate at {stops stop} is out of order", ["stops": headroom.stops])
      }
      let mixing: AdaptiveToneMap.ComponentMixing
      if let last, hasCommonMixing {
        mixing = last.mixing
      } else {
        mixing = try AdaptiveToneMap.ComponentMixing(parsing: &reader)
      }
      let ownShape: CurveShape
      if let shape, hasCommonCurve {
        ownShape = shape
      } else {
        ownShape = try CurveShape(parsing: &reader)
      }
      shape = ownShape
      let curve = try ownShape.curve(&reader, isBrighter: baseline.stops < headroom.stops)
      alternates.append(AdaptiveToneMap.Alternate(headroom: headroom, mixing: mixing, curve: curve))
    }
    self.init(
      baselineHeadroom: baseline, method: .alternates(alternates, primaries: primaries))
  }
}

/// Positions of the control points of a curve, and whether slopes are stored or derived (PCHIP).
private struct CurveShape {
  var lights: [Double]
  var isPCHIP: Bool

  init(parsing reader: inout BitReader) throws(ImageError) {
    let count = Int(try reader.read(5)) + 1
    isPCHIP = try reader.readFlag()
    try reader.skip(2)
    lights = []
    for _ in 0..<count { lights.append(Double(min(try reader.read(16), 64_000)) / 1000) }
  }

  /// Reads the gains and slopes of a curve.
  func curve(_ reader: inout BitReader, isBrighter: Bool) throws(ImageError)
    -> AdaptiveToneMap.GainCurve
  {
    var points: [AdaptiveToneMap.GainCurve.Point] = []
    for light in lights {
      let gain = Double(min(try reader.read(16), 60_000)) / 10_000
      points.append(.init(light: light, gain: isBrighter ? gain : -gain, slope: 0))
    }
    guard !isPCHIP else { return try AdaptiveToneMap.GainCurve(pchip: points) }
    for index in points.indices {
      let angle = Double(min(max(try reader.read(16), 1), 35_999)) - 18_000
      points[index].slope = tan(angle * Double.pi / 36_000)
    }
    return try AdaptiveToneMap.GainCurve(points)
  }
}

extension AdaptiveToneMap.ComponentMixing {
  fileprivate init(parsing reader: inout BitReader) throws(ImageError) {
    switch try reader.read(2) {
    case 0: self = .maximumOnly
    case 1: self = .componentOnly
    case 2: self = .balanced
    default:
      var flags: [Bool] = []
      for _ in 0..<6 { flags.append(try reader.readFlag()) }
      var values: [Double] = []
      for isSet in flags {
        values.append(isSet ? Double(min(try reader.read(16), 50_000)) / 50_000 : 0)
      }
      let sum = values.reduce(0, +)
      guard sum > 0 else {
        throw ImageError(.invalidValue, ["field": "mixture of components", "value": "empty"])
      }
      self.init(
        red: values[0] / sum, green: values[1] / sum, blue: values[2] / sum,
        maximum: values[3] / sum, minimum: values[4] / sum, component: values[5] / sum)
      return
    }
    try reader.skip(6)
  }
}

extension BitReader {
  fileprivate mutating func readHeadroom() throws(ImageError) -> Headroom {
    Headroom(stops: Double(min(try read(16), 60_000)) / 10_000)
  }

  fileprivate mutating func readPrimaries() throws(ImageError) -> ColorPrimaries {
    var corners: [Chromaticity] = []
    for _ in 0..<4 {
      let x = Double(min(try read(16), 50_000)) / 50_000
      corners.append(Chromaticity(x: x, y: Double(min(try read(16), 50_000)) / 50_000))
    }
    let primaries = ColorPrimaries(
      red: corners[0], green: corners[1], blue: corners[2], white: corners[3])
    guard primaries.isUsable else {
      throw ImageError(.invalidValue, ["field": "chromaticities", "value": "not a color space"])
    }
    return primaries
  }
}
