// SPDX-License-Identifier: Apache-2.0
public import HDRCore
internal import Platform

extension HeadroomAdaptation {
  /// Serializes application_info.
  ///
  /// Values are rounded to the resolution of the format and clamped to its ranges: 0...6 stops in
  /// 0.0001, linear values of 0...64 in 0.001 of reference white, luminances of 0.2...10 000 cd/m²
  /// in 0.2. Coefficients of component mixing must be 0...1.
  ///
  /// - Returns: The bytes of application_info.
  /// - Throws: `.invalidArgument` for more than four alternates, and for coefficients outside 0...1.
  ///
  /// Source: SMPTE ST 2094-50, annex C.
  public func serialized() throws(ImageError) -> [UInt8] {
    var writer = ByteWriter()
    writer.write([0, (referenceWhite == nil ? 0 : 0x80) | (toneMap == nil ? 0 : 0x40)])
    if let referenceWhite { writer.writeScaled(referenceWhite, by: 5, in: 1...50_000) }
    try toneMap?.write(to: &writer)
    return writer.bytes
  }

  /// Serializes the payload of an ITU-T T.35 message.
  ///
  /// - Returns: The bytes of the payload, from the country code on.
  /// - Throws: Errors of `serialized()`.
  public func t35Payload() throws(ImageError) -> [UInt8] { Self.t35Prefix + (try serialized()) }
}

extension AdaptiveToneMap {
  fileprivate func write(to writer: inout ByteWriter) throws(ImageError) {
    writer.writeScaled(baselineHeadroom.stops, by: 10_000, in: 0...60_000)
    guard case .alternates(let alternates, let primaries) = method else {
      writer.write([0x80])
      return
    }
    guard alternates.count <= Self.alternateLimit else {
      throw ImageError(
        .invalidArgument, "{count alternate}; ST 2094-50 stores {limit}",
        ["count": alternates.count, "limit": Self.alternateLimit])
    }
    for coefficient in alternates.flatMap(\.mixing.coefficients)
    where !(0...1).contains(coefficient) {
      throw ImageError(
        .invalidArgument, "a coefficient of component mixing is {coefficient}, not 0...1",
        ["coefficient": coefficient])
    }
    let named: [ColorPrimaries] = [.bt709, .displayP3, .bt2020]
    let mode = named.firstIndex { $0.isClose(to: primaries, tolerance: 1e-5) } ?? 3
    let first = alternates.first
    let isShared = alternates.count > 1
    let hasCommonMixing =
      isShared && alternates.allSatisfy { $0.mixing.coded == first?.mixing.coded }
    let hasCommonCurve = isShared && alternates.allSatisfy { $0.curve.shape == first?.curve.shape }
    writer.write([
      UInt8(
        alternates.count << 4 | mode << 2 | (hasCommonMixing ? 2 : 0) | (hasCommonCurve ? 1 : 0))
    ])
    if mode == 3 {
      for corner in [primaries.red, primaries.green, primaries.blue, primaries.white] {
        writer.writeScaled(corner.x, by: 50_000, in: 0...50_000)
        writer.writeScaled(corner.y, by: 50_000, in: 0...50_000)
      }
    }
    for (index, alternate) in alternates.enumerated() {
      writer.writeScaled(alternate.headroom.stops, by: 10_000, in: 0...60_000)
      if index == 0 || !hasCommonMixing { alternate.mixing.write(to: &writer) }
      alternate.curve.write(to: &writer, withShape: index == 0 || !hasCommonCurve)
    }
  }
}

extension AdaptiveToneMap.ComponentMixing {
  fileprivate var coded: CodedMixing {
    let named: [AdaptiveToneMap.ComponentMixing] = [.maximumOnly, .componentOnly, .balanced]
    if let type = named.firstIndex(of: self) { return .named(UInt8(type)) }
    let sum = coefficients.reduce(0, +)
    var codes = coefficients.map { ByteWriter.scaled($0 / sum, by: 50_000, in: 0...50_000) }
    // Readers divide by the sum, which must therefore be 1 in spite of the rounding.
    let rest = 50_000 - codes.reduce(0) { $0 + Int($1) }
    if let index = codes.indices.max(by: { codes[$0] < codes[$1] }), codes[index] > 0 {
      codes[index] = UInt16(Int(codes[index]) + rest)
    }
    return .coefficients(codes)
  }

  fileprivate func write(to writer: inout ByteWriter) {
    switch coded {
    case .named(let type): writer.write([type << 6])
    case .coefficients(let codes):
      writer.write([codes.reduce(3) { $0 << 1 | ($1 > 0 ? 1 : 0) }])
      for code in codes where code > 0 { writer.writeBigEndian(code) }
    }
  }
}

/// A mixing as it is stored.
private enum CodedMixing: Equatable {
  /// One of the mixings with a number.
  case named(UInt8)
  /// Coefficients in 1/50000, which add up to 1.
  case coefficients([UInt16])
}

extension AdaptiveToneMap.GainCurve {
  /// Properties that several curves can share.
  fileprivate var shape: GainCurveShape {
    GainCurveShape(
      lights: points.map { ByteWriter.scaled($0.light, by: 1000, in: 0...64_000) },
      isPCHIP: isPCHIP)
  }

  fileprivate func write(to writer: inout ByteWriter, withShape: Bool) {
    if withShape {
      writer.write([UInt8(points.count - 1) << 3 | (isPCHIP ? 4 : 0)])
      for light in shape.lights { writer.writeBigEndian(light) }
    }
    // The sign is derived from the headrooms.
    for point in points { writer.writeScaled(abs(point.gain), by: 10_000, in: 0...60_000) }
    guard !isPCHIP else { return }
    for point in points {
      writer.writeScaled(atan(point.slope) / Double.pi + 0.5, by: 36_000, in: 1...35_999)
    }
  }
}

private struct GainCurveShape: Equatable {
  /// In 1/1000.
  var lights: [UInt16]
  var isPCHIP: Bool
}

extension ByteWriter {
  /// The 16-bit integer nearest to `value * scale` within `range`.
  fileprivate static func scaled(
    _ value: Double, by scale: Double, in range: ClosedRange<Double>
  ) -> UInt16 {
    let scaled = value.isNaN ? 0 : (value * scale).rounded()
    return UInt16(clamping: min(max(scaled, range.lowerBound), range.upperBound))
  }

  /// Appends a scaled value.
  fileprivate mutating func writeScaled(
    _ value: Double, by scale: Double, in range: ClosedRange<Double>
  ) {
    writeBigEndian(Self.scaled(value, by: scale, in: range))
  }
}

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
    self.init(baselineHeadroom: baseline, method: .alternates(alternates, primaries: primaries))
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
