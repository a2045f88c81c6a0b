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
