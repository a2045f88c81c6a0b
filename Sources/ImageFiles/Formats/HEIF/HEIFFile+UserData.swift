// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Parts of a coded image that decoders skip.
package struct BitstreamUserData: Sendable {
  /// Codec of a coded image, as far as its units are concerned.
  package enum Codec: Hashable, Sendable {
    case av1
    /// HEVC, with the size of the length of a unit.
    case hevc(Int)
  }

  /// Units with user data, registered messages of unknown providers, units that cannot be parsed or
  /// that decoders skip, and what follows the last unit, as ranges of the data, in ascending order.
  package private(set) var ranges: [Range<Int>] = []

  /// Finds the units in the data of an item.
  ///
  /// - Throws: `.truncated` if no unit that can be parsed has samples, `.limitExceeded` for too many
  ///   units.
  package init(in bytes: [UInt8], of codec: Codec) throws(ImageError) {
    var start = 0
    var hasSamples = false
    switch codec {
    case .av1:
      var units: [AV1OBU] = []
      try Self.parse { () throws(ImageError) in try AV1OBU.split(bytes, into: &units) }
      for unit in units {
        let range = start..<unit.payload.endIndex
        start = range.upperBound
        if try ifReadable(try Self.isSkipped(unit)) ?? true { ranges.append(range) }
        hasSamples = hasSamples || [.frame, .tileGroup, .tileList].contains(unit.type)
      }
    case .hevc(let size):
      var units: [HEVCNALUnit] = []
      try Self.parse { () throws(ImageError) in
        try HEVCNALUnit.split(bytes, lengthSize: size, into: &units)
      }
      for unit in units {
        let range = start..<unit.bytes.endIndex
        start = range.upperBound
        let isSkipped = try ifReadable(try Self.isSkipped(unit)) ?? true
        if isSkipped { ranges.append(range) }
        hasSamples = hasSamples || !isSkipped && unit.type.isSlice
      }
    }
    guard hasSamples else {
      throw ImageError(.bitstreamNoImage, ["codec": codec == .av1 ? "AV1" : "HEVC"])
    }
    if start < bytes.count { ranges.append(start..<bytes.count) }
  }

  /// Runs `split`, which may fail after the last unit that decoders parse.
  private static func parse(_ split: () throws(ImageError) -> Void) throws(ImageError) {
    do throws(ImageError) {
      try split()
    } catch {
      guard !error.endsJob, error.category != .limitExceeded else { throw error }
    }
  }

  /// Decoders skip reserved types, and the payload of a temporal delimiter, which should be empty.
  ///
  /// Source: AV1 bitstream specification, 5.6, 6.2.2 and 6.7.1.
  private static func isSkipped(_ unit: AV1OBU) throws(ImageError) -> Bool {
    switch unit.type {
    case .padding: true
    case .metadata:
      switch try AV1Metadata(parsing: unit) {
      case .registered(let message): !isKnown(message)
      // Private types; the others are light levels, scalability and timecodes.
      case .other(let type): type == 0 || type > 5
      case .contentLightLevel, .masteringDisplay: false
      }
    case .temporalDelimiter: !unit.payload.isEmpty
    case .sequenceHeader, .frameHeader, .tileGroup, .frame, .redundantFrameHeader, .tileList: false
    default: true
    }
  }

  /// Decoders skip reserved and unspecified types, and the payload of units that should not have one.
  ///
  /// Source: ITU-T H.265, table 7-1, 7.3.2.5 to 7.3.2.7 and annex D.
  private static func isSkipped(_ unit: HEVCNALUnit) throws(ImageError) -> Bool {
    switch unit.type.rawValue {
    case 0...9, 16...21, 32...34: return false
    // An access unit delimiter has one byte; the ends of a sequence and of a bitstream are empty.
    case 35: return unit.bytes.count > 3
    case 36, 37: return unit.bytes.count > 2
    case 39, 40:
      let messages = try HEVCSEIMessage.split(unit)
      return !messages.isEmpty
        && messages.allSatisfy { message in
          switch message.type {
          case HEVCSEIMessage.registeredType: !isKnown(message.payload)
          case 5: !isSettings(message.payload)
          default: false
          }
        }
    default: return true
    }
  }

  /// Whether decoders skip a unit of HEVC, or cannot parse it.
  fileprivate static func isSkipped(inHEVC unit: [UInt8]) throws(ImageError) -> Bool {
    try ifReadable(try isSkipped(try HEVCNALUnit(unit[...]))) ?? true
  }

  /// The units of AV1 that decoders do not skip.
  fileprivate static func neededUnits(inAV1 bytes: [UInt8]) throws(ImageError) -> [UInt8] {
    var units: [AV1OBU] = []
    try parse { () throws(ImageError) in try AV1OBU.split(bytes, into: &units) }
    var start = 0
    var needed: [UInt8] = []
    for unit in units {
      let range = start..<unit.payload.endIndex
      start = range.upperBound
      if try ifReadable(try isSkipped(unit)) == false { needed += bytes[range] }
    }
    return needed
  }

  /// Whether an ITU-T T.35 message is HDR metadata: SMPTE ST 2094-40 or ST 2094-50.
  private static func isKnown(_ message: [UInt8]) -> Bool {
    message.starts(with: [0xB5, 0x00, 0x3C, 0x00, 0x01])
      || message.starts(with: HeadroomAdaptation.t35Prefix)
  }

  /// Whether user data are the settings of the encoder x265, which contain nothing about a person.
  private static func isSettings(_ payload: [UInt8]) -> Bool {
    payload.dropFirst(16).starts(with: "x265 (build".utf8)
  }
}

extension HEVCConfigurationBox {
  /// The record without units that decoders skip.
  ///
  /// - Throws: Errors that end the whole job.
  func withoutUserData() throws(ImageError) -> HEVCConfigurationBox {
    var copy = self
    copy.arrays = []
    for var array in arrays {
      var units: [[UInt8]] = []
      for unit in array.units where try !BitstreamUserData.isSkipped(inHEVC: unit) {
        units.append(unit)
      }
      guard !units.isEmpty || array.units.isEmpty else { continue }
      array.units = units
      copy.arrays.append(array)
    }
    return copy
  }
}

extension AV1ConfigurationBox {
  /// The record without units that decoders skip.
  ///
  /// - Throws: Errors that end the whole job.
  func withoutUserData() throws(ImageError) -> AV1ConfigurationBox {
    var copy = self
    copy.configurationOBUs = try BitstreamUserData.neededUnits(inAV1: configurationOBUs)
    return copy
  }
}

extension HEIFItem {
  /// Codec of the image; `nil` for codecs whose units are not parsed.
  package var userDataCodec: BitstreamUserData.Codec? {
    switch type {
    case "av01": .av1
    case "hvc1", "hev1":
      property(HEVCConfigurationBox.self).map { .hevc($0.nalLengthSize) }
    default: nil
    }
  }
}

extension [SourceBytes] {
  /// The joined parts without ranges in ascending order.
  package func removing(_ ranges: [Range<Int>]) -> [SourceBytes] {
    var kept: [SourceBytes] = []
    var start = 0
    var index = 0
    for part in self {
      let end = start + part.count
      var position = start
      while index < ranges.count, ranges[index].lowerBound < end {
        let range = ranges[index]
        if position < range.lowerBound {
          kept.append(part.slice(position - start..<range.lowerBound - start))
        }
        position = Swift.min(Swift.max(position, range.upperBound), end)
        guard range.upperBound <= end else { break }
        index += 1
      }
      if position < end { kept.append(part.slice(position - start..<end - start)) }
      start = end
    }
    return kept
  }
}

/// Headers of coded images, which the configuration records of their items summarize.
extension HEIFFile {
  /// Parses the sequence header of an AV1 item; only the start of the data is read.
  ///
  /// - Throws: Errors of `data(of:)`; `.malformed` if the sequence header is missing.
  package func av1SequenceHeader(of id: UInt32) throws(ImageError) -> AV1SequenceHeader {
    try startOfData(of: id) { bytes throws(ImageError) in try AV1SequenceHeader(ofItem: bytes) }
  }

  /// Parses the sequence parameter set of an HEVC item: of its configuration record, else of its
  /// data, which may contain it in items of type `hev1`.
  ///
  /// - Throws: Errors of `data(of:)`; `.malformed` if the parameter set is missing.
  package func hevcSequenceParameterSet(
    of id: UInt32
  ) throws(ImageError) -> HEVCSequenceParameterSet {
    guard let item = item(id), let configuration = item.property(HEVCConfigurationBox.self) else {
      throw ImageError(.missingElement, ["element": "'hvcC' of the HEVC image"])
    }
    do throws(ImageError) {
      return try configuration.sequenceParameterSet
    } catch {
      guard error.code == .missingElement else { throw error }
      let size = try nalLengthSize(of: id) ?? configuration.nalLengthSize
      let units = try startOfData(of: id) { bytes throws(ImageError) in
        try HEVCNALUnit.beforePicture(bytes, lengthSize: size, limits: limits)
      }
      guard let unit = units.first(where: { $0.type == .sequenceParameterSet && $0.layerID == 0 })
      else { throw error }
      return try HEVCSequenceParameterSet(parsing: unit)
    }
  }

  /// Size of the lengths in the data of an HEVC item, in bytes: that of its configuration record
  /// unless only lengths of 4 bytes are possible; `nil` without a record.
  ///
  /// - Throws: Errors of `data(of:)`.
  package func nalLengthSize(of id: UInt32) throws(ImageError) -> Int? {
    let declared = item(id)?.property(HEVCConfigurationBox.self)?.nalLengthSize
    guard let declared, declared != 4 else { return declared }
    return try withData(of: id) { bytes throws(ImageError) in
      try HEVCNALUnit.lengthSize(in: bytes, declared: declared, limits: limits)
    }
  }

  /// Parses the start of the data of an item with `read`, which is called with more data if they
  /// are truncated.
  func startOfData<Result>(
    of id: UInt32, _ read: ([UInt8]) throws(ImageError) -> Result
  ) throws(ImageError) -> Result {
    let total = try dataParts(of: id).reduce(0) { $0 + $1.count }
    var length = 1 << 12
    while true {
      do throws(ImageError) {
        return try withData(of: id, prefix: length, read)
      } catch {
        guard error.category == .truncated, length < total else { throw error }
        length *= 16
      }
    }
  }
}

extension HEIFItem {
  /// Whether one layer of a layered AV1 image is shown, which may be smaller than the sequence header
  /// specifies.
  ///
  /// Source: AV1 Image File Format, 2.3.2.1; ISO/IEC 23008-12, 6.5.11: 0xFFFF selects all layers.
  package var selectsLayer: Bool {
    property(AV1OperatingPointBox.self) != nil
      || property(LayerSelectorBox.self).map { $0.layerID != 0xFFFF } ?? false
  }
}
