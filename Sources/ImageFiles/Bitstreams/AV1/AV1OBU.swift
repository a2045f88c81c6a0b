// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// An open bitstream unit (OBU) of AV1.
///
/// Source: AV1 bitstream specification, 5.3.
package struct AV1OBU: Hashable, Sendable {
  /// obu_type.
  package struct UnitType: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let sequenceHeader = UnitType(rawValue: 1)
    package static let temporalDelimiter = UnitType(rawValue: 2)
    package static let frameHeader = UnitType(rawValue: 3)
    package static let tileGroup = UnitType(rawValue: 4)
    package static let metadata = UnitType(rawValue: 5)
    package static let frame = UnitType(rawValue: 6)
    package static let redundantFrameHeader = UnitType(rawValue: 7)
    package static let tileList = UnitType(rawValue: 8)
    package static let padding = UnitType(rawValue: 15)
  }

  package let type: UnitType
  package let temporalID: UInt8
  package let spatialID: UInt8
  /// Bytes after header and size.
  package let payload: ArraySlice<UInt8>

  /// Splits the data of an item into its units.
  ///
  /// - Parameters:
  ///   - bytes: The item's data.
  ///   - last: Type of the last unit to parse; `nil` for all units.
  ///   - limits: Limits; `items` applies to the number of units.
  /// - Returns: The units in file order; they share storage with `bytes`.
  /// - Throws: `.truncated` if a size exceeds the data, `.malformed` if a header is invalid,
  ///   `.limitExceeded` for too many units.
  package static func split(
    _ bytes: [UInt8], through last: UnitType? = nil, limits: ImageLimits = ImageLimits()
  ) throws(ImageError) -> [AV1OBU] {
    var units: [AV1OBU] = []
    try split(bytes, through: last, limits: limits, into: &units)
    return units
  }

  /// Appends the units of `split(_:through:limits:)`; if it throws, those before the failure.
  static func split(
    _ bytes: [UInt8], through last: UnitType? = nil, limits: ImageLimits = ImageLimits(),
    into units: inout [AV1OBU]
  ) throws(ImageError) {
    var reader = ByteReader(bytes.span)
    while !reader.isAtEnd {
      let unit = try AV1OBU(parsing: &reader, of: bytes)
      units.append(unit)
      if unit.type == last { break }
      try limits.claim(1, total: units.count, "AV1 units", reader)
    }
  }

  /// Splits off the units that precede the frame data of an item.
  ///
  /// - Parameters:
  ///   - bytes: Start of the item's data; may end within the frame data.
  ///   - limits: Limits; `items` applies to the number of units.
  /// - Returns: The units in file order; they share storage with `bytes`.
  /// - Throws: `.truncated` if the bytes end before the frame data; errors of
  ///   `split(_:through:limits:)`.
  package static func beforePicture(
    _ bytes: [UInt8], limits: ImageLimits = ImageLimits()
  ) throws(ImageError) -> [AV1OBU] {
    var units: [AV1OBU] = []
    var reader = ByteReader(bytes.span)
    while !reader.isAtEnd {
      let type = UnitType(rawValue: bytes[reader.fileOffset] >> 3 & 0xF)
      if [.frameHeader, .frame, .tileGroup, .tileList].contains(type) { return units }
      units.append(try AV1OBU(parsing: &reader, of: bytes))
      try limits.claim(1, total: units.count, "AV1 units", reader)
    }
    throw reader.error(.bitstreamNoImage, ["codec": "AV1"])
  }

  private init(parsing reader: inout ByteReader, of bytes: [UInt8]) throws(ImageError) {
    let header: UInt8 = try reader.readBigEndian()
    guard header & 0x80 == 0 else {
      throw reader.error(.invalidValue, ["field": "AV1 OBU header", "value": "forbidden bit"])
    }
    type = UnitType(rawValue: header >> 3 & 0xF)
    let layers: UInt8 = header & 4 != 0 ? try reader.readBigEndian() : 0
    temporalID = layers >> 5
    spatialID = layers >> 3 & 3
    let size = header & 2 != 0 ? Int(try reader.readLEB128()) : reader.remaining
    let start = reader.fileOffset
    try reader.skip(size)
    payload = bytes[start..<start + size]
  }
}

extension ByteReader {
  /// Reads leb128(): an unsigned integer of at most eight bytes of seven bits, least significant
  /// first.
  ///
  /// Source: AV1 bitstream specification, 4.10.5.
  @_lifetime(self: copy self)
  mutating func readLEB128() throws(ImageError) -> UInt32 {
    var value: UInt64 = 0
    for index in 0..<8 {
      let byte: UInt8 = try readBigEndian()
      value |= UInt64(byte & 0x7F) << UInt64(7 * index)
      guard byte & 0x80 == 0 else { continue }
      guard let small = UInt32(exactly: value) else { break }
      return small
    }
    throw error(.invalidValue, ["field": "leb128()", "value": "more than 32 bits"])
  }
}

/// Light levels, mastering display or registered message of an AV1 metadata OBU.
///
/// In AVIF, light levels and mastering display must agree with `clli` and `mdcv`.
///
/// Source: AV1 bitstream specification, 5.8; AV1 Image File Format, 2.2.1.
package enum AV1Metadata: Hashable, Sendable {
  case contentLightLevel(LightMetadata.ContentLightLevel)
  case masteringDisplay(LightMetadata.MasteringDisplay)
  /// An ITU-T T.35 message from the country code on; trailing bits may follow it.
  case registered([UInt8])
  /// Another metadata_type.
  case other(UInt32)

  /// Parses a unit of obu_type 5.
  ///
  /// - Throws: `.truncated` if the unit is too short.
  package init(parsing unit: AV1OBU) throws(ImageError) {
    let bytes = Array(unit.payload)
    var reader = ByteReader(bytes.span)
    do throws(ImageError) {
      switch try reader.readLEB128() {
      case 1:
        self = .contentLightLevel(
          LightMetadata.ContentLightLevel(
            maximum: Double(try reader.readBigEndian(as: UInt16.self)),
            maximumAverage: Double(try reader.readBigEndian(as: UInt16.self))))
      case 2: self = .masteringDisplay(try Self.readMasteringDisplay(&reader))
      case Self.registeredType: self = .registered(reader.readRest())
      case let type: self = .other(type)
      }
    } catch {
      throw error.inside("metadata OBU")
    }
  }

  /// metadata_type METADATA_TYPE_ITUT_T35.
  private static let registeredType: UInt32 = 4

  /// Returns the metadata OBU of an ITU-T T.35 message, including its header.
  ///
  /// Source: AV1 bitstream specification, 5.3.1 and 5.8.2.
  package static func unit(ofRegistered message: [UInt8]) -> [UInt8] {
    // The header is followed by a size; trailing_bits (a one bit, then zeros) end the payload.
    let payload = [UInt8(registeredType)] + message + [0x80]
    return [AV1OBU.UnitType.metadata.rawValue << 3 | 2] + leb128(payload.count) + payload
  }

  private static func leb128(_ value: Int) -> [UInt8] {
    var (bytes, rest): ([UInt8], Int) = ([], value)
    repeat {
      bytes.append(UInt8(rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
      rest >>= 7
    } while rest > 0
    return bytes
  }

  /// Reads primaries and white point as 0.16, maximum luminance as 24.8 and minimum luminance as
  /// 18.14 fixed-point numbers.
  private static func readMasteringDisplay(
    _ reader: inout ByteReader
  ) throws(ImageError) -> LightMetadata.MasteringDisplay {
    func readChromaticity(_ reader: inout ByteReader) throws(ImageError) -> Chromaticity {
      Chromaticity(
        x: Double(try reader.readBigEndian(as: UInt16.self)) / 65_536,
        y: Double(try reader.readBigEndian(as: UInt16.self)) / 65_536)
    }
    return LightMetadata.MasteringDisplay(
      primaries: ColorPrimaries(
        red: try readChromaticity(&reader), green: try readChromaticity(&reader),
        blue: try readChromaticity(&reader), white: try readChromaticity(&reader)),
      maximumLuminance: Double(try reader.readBigEndian(as: UInt32.self)) / 256,
      minimumLuminance: Double(try reader.readBigEndian(as: UInt32.self)) / 16_384)
  }
}
