// SPDX-License-Identifier: Apache-2.0
internal import Platform
public import HDRCore

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
    if let referenceWhite {
      writer.writeScaled(referenceWhite, by: 5, in: 1...50_000)
    }
    try toneMap?.write(to: &writer)
    return writer.bytes
  }

  /// Serializes the payload of an ITU-T T.35 message.
  ///
  /// - Returns: The bytes of the payload, from the country code on.
  /// - Throws: Errors of `serialized()`.
  public func t35Payload() throws(ImageError) -> [UInt8] {
    Self.t35Prefix + (try serialized())
  }
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
