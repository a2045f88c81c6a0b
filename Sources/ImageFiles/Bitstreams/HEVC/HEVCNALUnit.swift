// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// A network abstraction layer (NAL) unit of HEVC: a header of two bytes and a payload.
///
/// Source: ITU-T H.265, 7.3.1.
package struct HEVCNALUnit: Hashable, Sendable {
  /// nal_unit_type.
  package struct UnitType: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let videoParameterSet = UnitType(rawValue: 32)
    package static let sequenceParameterSet = UnitType(rawValue: 33)
    package static let pictureParameterSet = UnitType(rawValue: 34)
    package static let prefixSEI = UnitType(rawValue: 39)

    /// Whether the unit contains coded samples.
    package var isSlice: Bool { rawValue < 32 }
  }

  /// The complete unit, with emulation prevention bytes.
  package let bytes: ArraySlice<UInt8>
  package let type: UnitType
  /// nuh_layer_id: 0 unless the image is multiview or scalable.
  package let layerID: UInt8

  /// Parses the header of a unit.
  ///
  /// - Throws: `.malformed` if the unit is shorter than its header or forbidden_zero_bit is set.
  package init(_ bytes: ArraySlice<UInt8>) throws(ImageError) {
    guard bytes.count >= 2, bytes[bytes.startIndex] & 0x80 == 0 else {
      throw ImageError(
        .invalidValue, ["field": "HEVC NAL unit header", "value": "\(bytes.count) bytes"])
    }
    self.bytes = bytes
    let header = UInt16(bytes[bytes.startIndex]) << 8 | UInt16(bytes[bytes.startIndex + 1])
    type = UnitType(rawValue: UInt8(header >> 9 & 0x3F))
    layerID = UInt8(header >> 3 & 0x3F)
  }

  /// Creates a unit from its header and a payload without emulation prevention.
  ///
  /// - Precondition: `header` has two bytes.
  init(header: ArraySlice<UInt8>, rbsp: [UInt8]) throws(ImageError) {
    precondition(header.count == 2, "a header has two bytes")
    var bytes = Array(header)
    bytes.reserveCapacity(rbsp.count + 8)
    var zeros = 0
    for byte in rbsp {
      if zeros >= 2 && byte <= 3 {
        bytes.append(3)
        zeros = 0
      }
      bytes.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    try self.init(bytes[...])
  }

  /// The payload without header and emulation prevention bytes.
  ///
  /// Source: ITU-T H.265, 7.3.1.1 (rbsp_byte).
  package var rbsp: [UInt8] {
    var payload: [UInt8] = []
    payload.reserveCapacity(bytes.count)
    var zeros = 0
    for byte in bytes.dropFirst(2) {
      if zeros >= 2 && byte == 3 {
        zeros = 0
        continue
      }
      payload.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return payload
  }
}

extension HEVCNALUnit {
  /// Splits the data of an item into its units, each preceded by its length.
  ///
  /// - Parameters:
  ///   - bytes: The item's data.
  ///   - lengthSize: Declared bytes of each length, `HEVCConfigurationBox.nalLengthSize`; those of
  ///     `lengthSize(in:declared:limits:)` are read.
  ///   - limits: Limits; `items` applies to the number of units.
  /// - Returns: The units in file order; they share storage with `bytes`.
  /// - Throws: `.truncated` if a length exceeds the data, `.malformed` if a header is invalid,
  ///   `.limitExceeded` for too many units.
  ///
  /// Source: ISO/IEC 14496-15, 8.3.2.
  package static func split(
    _ bytes: [UInt8], lengthSize: Int, limits: ImageLimits = ImageLimits()
  ) throws(ImageError) -> [HEVCNALUnit] {
    var units: [HEVCNALUnit] = []
    try split(bytes, lengthSize: lengthSize, limits: limits, into: &units)
    return units
  }

  /// The size of the lengths in the data of an item, in bytes.
  ///
  /// It is the declared size, or 4 if only lengths of 4 bytes divide the data into units. libheif
  /// reads these whatever `hvcC` declares.
  ///
  /// - Throws: Errors that end the job.
  static func lengthSize(
    in bytes: [UInt8], declared: Int, limits: ImageLimits = ImageLimits()
  ) throws(ImageError) -> Int {
    func divides(_ size: Int) throws(ImageError) -> Bool {
      var units: [HEVCNALUnit] = []
      return try ifReadable(try append(bytes, lengthSize: size, limits, to: &units)) != nil
    }
    guard declared != 4, try !divides(declared), try divides(4) else { return declared }
    return 4
  }

  /// Appends the units of `split(_:lengthSize:limits:)`; if it throws, those before the failure.
  static func split(
    _ bytes: [UInt8], lengthSize: Int, limits: ImageLimits = ImageLimits(),
    into units: inout [HEVCNALUnit]
  ) throws(ImageError) {
    let size = try Self.lengthSize(in: bytes, declared: lengthSize, limits: limits)
    try append(bytes, lengthSize: size, limits, to: &units)
  }

  private static func append(
    _ bytes: [UInt8], lengthSize: Int, _ limits: ImageLimits, to units: inout [HEVCNALUnit]
  ) throws(ImageError) {
    var reader = ByteReader(bytes.span)
    while !reader.isAtEnd {
      let length = Int(try reader.readUnsigned(bytes: lengthSize))
      let start = reader.fileOffset
      try reader.skip(length)
      units.append(try HEVCNALUnit(bytes[start..<start + length]))
      try limits.claim(1, total: units.count, "NAL units", reader)
    }
  }

  /// Splits off the units that precede the coded picture of an item.
  ///
  /// - Parameters:
  ///   - bytes: Start of the item's data; may end within the coded picture.
  ///   - lengthSize: Bytes of each length; see `HEIFFile.nalLengthSize(of:)`.
  ///   - limits: Limits; `items` applies to the number of units.
  /// - Returns: The units in file order; they share storage with `bytes`.
  /// - Throws: `.truncated` if the bytes end before the coded picture; errors of
  ///   `split(_:lengthSize:limits:)`.
  package static func beforePicture(
    _ bytes: [UInt8], lengthSize: Int, limits: ImageLimits = ImageLimits()
  ) throws(ImageError) -> [HEVCNALUnit] {
    var units: [HEVCNALUnit] = []
    var reader = ByteReader(bytes.span)
    while !reader.isAtEnd {
      let length = Int(try reader.readUnsigned(bytes: lengthSize))
      let start = reader.fileOffset
      guard reader.remaining >= min(length, 2) else { break }
      if length >= 2, try HEVCNALUnit(bytes[start..<start + 2]).type.isSlice { return units }
      try reader.skip(length)
      units.append(try HEVCNALUnit(bytes[start..<start + length]))
      try limits.claim(1, total: units.count, "NAL units", reader)
    }
    throw reader.error(.bitstreamNoImage, ["codec": "HEVC"])
  }

}

/// A supplemental enhancement information (SEI) message.
///
/// Source: ITU-T H.265, 7.3.5 and annex D.
package struct HEVCSEIMessage: Hashable, Sendable {
  /// payloadType.
  package var type: Int
  package var payload: [UInt8]

  /// user_data_registered_itu_t_t35.
  static let registeredType = 4

  /// Splits an SEI unit into its messages.
  ///
  /// - Throws: `.truncated` if a size exceeds the unit.
  package static func split(_ unit: HEVCNALUnit) throws(ImageError) -> [HEVCSEIMessage] {
    let bytes = unit.rbsp
    var messages: [HEVCSEIMessage] = []
    var reader = ByteReader(bytes.span)
    do throws(ImageError) {
      // The last byte is rbsp_trailing_bits().
      while reader.remaining > 1 {
        try Execution.current.budget.debit(elements: 1, of: "SEI messages")
        let type = try readNumber(&reader)
        let size = try readNumber(&reader)
        messages.append(HEVCSEIMessage(type: type, payload: try reader.readBytes(size)))
      }
    } catch {
      throw error.inside("SEI")
    }
    return messages
  }

  /// Reads a sum of bytes, up to and including the first one below 255.
  private static func readNumber(_ reader: inout ByteReader) throws(ImageError) -> Int {
    var sum = 0
    while true {
      let byte: UInt8 = try reader.readBigEndian()
      sum += Int(byte)
      if byte < 0xFF { return sum }
    }
  }

  /// Returns a prefix SEI unit that contains an ITU-T T.35 message.
  ///
  /// - Throws: `.malformed` for an invalid NAL unit header, which cannot occur here.
  package static func unit(ofRegistered message: [UInt8]) throws(ImageError) -> HEVCNALUnit {
    let size = [UInt8](repeating: 0xFF, count: message.count / 0xFF) + [UInt8(message.count % 0xFF)]
    // nal_unit_type, nuh_layer_id 0, nuh_temporal_id_plus1 1.
    let header: [UInt8] = [HEVCNALUnit.UnitType.prefixSEI.rawValue << 1, 1]
    return try HEVCNALUnit(
      header: header[...], rbsp: [UInt8(registeredType)] + size + message + [0x80])
  }
}
