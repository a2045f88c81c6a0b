// SPDX-License-Identifier: Apache-2.0
package import GainMap
package import HDRCore

/// Binary metadata of ISO 21496-1, equal in JPEG, HEIF, AVIF and JPEG XL.
///
/// Source: ISO 21496-1:2025, C.2.2.
package struct ISO21496Payload: Hashable, Sendable {
  /// Payload of the primary image of JPEG: only the versions.
  package static let versionOnly: [UInt8] = [0, 0, 0, 0]

  /// Version of the writer; readers of version 0 parse any.
  package var writerVersion: UInt16
  /// The metadata, not of an Apple gain map.
  package var metadata: GainMapMetadata
  /// Fields of later versions, after those of version 0.
  package var unknown: [UInt8]

  package init(_ metadata: GainMapMetadata) {
    writerVersion = 0
    self.metadata = metadata
    unknown = []
  }

  /// The bytes of the payload: 61 for one channel, 141 for three, and unknown fields.
  package var serialized: [UInt8] {
    var writer = ByteWriter()
    writer.writeBigEndian(0 as UInt16)  // Minimum version.
    writer.writeBigEndian(writerVersion)
    let channels = metadata.channels.all
    var flags: UInt8 = channels.count == 3 ? Flags.isMultichannel : 0
    if metadata.usesBaseColorSpace { flags |= Flags.usesBaseColorSpace }
    writer.writeBigEndian(flags)
    writer.write(metadata.baseHeadroom)
    writer.write(metadata.alternateHeadroom)
    for channel in channels {
      writer.write(channel.minimum)
      writer.write(channel.maximum)
      writer.write(channel.gamma)
      writer.write(channel.baseOffset)
      writer.write(channel.alternateOffset)
    }
    writer.write(unknown)
    return writer.bytes
  }

  /// The data of a `tmap` item: a version and the payload.
  ///
  /// Source: ISO/IEC 23008-12, ToneMapImage.
  package var toneMapItem: [UInt8] { [0] + serialized }

  enum Flags {
    static let isMultichannel: UInt8 = 0x80
    static let usesBaseColorSpace: UInt8 = 0x40
    /// In drafts only, but written by libultrahdr.
    static let hasCommonDenominator: UInt8 = 0x08
    static let reserved: UInt8 = 0x3F
  }
}

extension ByteWriter {
  fileprivate mutating func write<Numerator>(_ fraction: Rational<Numerator>) {
    writeBigEndian(fraction.numerator)
    writeBigEndian(fraction.denominator)
  }
}

extension ISO21496Payload {
  /// Parses a payload as stored in JPEG and JPEG XL.
  ///
  /// - Parameters:
  ///   - bytes: The whole payload.
  ///   - notices: Receives irregularities.
  /// - Throws: `.unsupported` for a version that requires a newer reader and for drafts of the
  ///   standard, `.truncated` and `.malformed` with the field.
  package init(parsing bytes: [UInt8], notices: inout [Notice]) throws(ImageError) {
    try self.init(parsing: bytes, isItem: false, notices: &notices)
  }

  /// Parses the data of a `tmap` item.
  ///
  /// - Parameters:
  ///   - item: The data of the item.
  ///   - notices: Receives irregularities.
  /// - Throws: As `init(parsing:notices:)`.
  package init(parsingToneMapItem item: [UInt8], notices: inout [Notice]) throws(ImageError) {
    try self.init(parsing: item, isItem: true, notices: &notices)
  }

  private init(parsing bytes: [UInt8], isItem: Bool, notices: inout [Notice]) throws(ImageError) {
    do throws(ImageError) {
      let layout = try Layout(of: bytes, isItem: isItem)
      var parser = Parser(layout: layout)
      var reader = ByteReader(bytes.span)
      self = try parser.parse(&reader)
      notices += parser.notices
    } catch {
      throw error.inside("ISO 21496-1")
    }
  }

  /// Whether the content of a JPEG segment after its identifier is that of a primary image, perhaps with
  /// bytes that follow, which readers ignore; metadata are longer.
  package static func isVersionOnly(_ bytes: [UInt8]) -> Bool {
    4..<shortest ~= bytes.count && isSupported(bytes)
  }

  /// Whether the minimum version permits this reader to read the content of a JPEG segment.
  ///
  /// Source: Skia, SkGainmapInfo::ParseVersion, for the primary image.
  package static func isSupported(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 4 && bytes[0] == 0 && bytes[1] == 0
  }

  /// Length of the shortest metadata, those of a draft of the standard.
  private static let shortest = 34

  /// Size of the known fields at the start of a payload in JPEG, PNG and JPEG XL, or of the version
  /// of a primary image; `nil` if they cannot be parsed.
  package static func fieldSize(of bytes: [UInt8]) -> Int? {
    if isVersionOnly(bytes) { return 4 }
    var ignored: [Notice] = []
    guard (try? Self(parsing: bytes, notices: &ignored)) != nil,
      let layout = try? Layout(of: bytes, isItem: false)
    else { return nil }
    return layout.size(of: bytes)
  }

  /// Size of the known fields at the start of the data of a `tmap` item.
  ///
  /// - Throws: As `init(parsing:notices:)`.
  package static func fieldSize(ofToneMapItem item: [UInt8]) throws(ImageError) -> Int {
    var ignored: [Notice] = []
    _ = try Self(parsingToneMapItem: item, notices: &ignored)
    return try Layout(of: item, isItem: true).size(of: item)
  }
}

/// Layout of the fields, which follows from flags and length.
private struct Layout {
  /// Whether a version byte precedes the payload, as required in a `tmap` item.
  let hasItemVersion: Bool
  let isItem: Bool
  /// Whether all fractions share a denominator.
  let hasCommonDenominator: Bool

  private static let draftLengths = [58, 138, 34, 74]

  init(of bytes: [UInt8], isItem: Bool) throws(ImageError) {
    // The other form is used only if it fits exactly and this one does not.
    let isOther =
      !Self.fits(bytes, hasItemVersion: isItem) && Self.fits(bytes, hasItemVersion: !isItem)
    // One byte after metadata of flags 0 gives the length of an item. Other readers ignore it.
    if isOther, !isItem,
      let usual = try? Layout(of: bytes, isItem: false, hasItemVersion: false),
      usual.canParse(bytes)
    {
      self = usual
    } else {
      try self.init(of: bytes, isItem: isItem, hasItemVersion: isOther != isItem)
    }
  }

  private init(of bytes: [UInt8], isItem: Bool, hasItemVersion: Bool) throws(ImageError) {
    self.isItem = isItem
    self.hasItemVersion = hasItemVersion
    let start = hasItemVersion ? 1 : 0
    let length = bytes.count - start
    let flags = bytes.dropFirst(start + 4).first ?? 0
    // The second byte of a draft has its flags. That of the standard is 0, and bytes may follow.
    let isDraft = bytes.dropFirst(start + 1).first != 0 || length < Self.length(flags)
    guard !Self.draftLengths.contains(length) || !isDraft else {
      throw ImageError(
        .unsupported, "{size byte}: layout from before ISO 21496-1 was published", ["size": length])
    }
    hasCommonDenominator =
      flags & ISO21496Payload.Flags.hasCommonDenominator != 0
      && Self.commonDenominatorLength(flags)..<Self.length(flags) ~= length
  }

  private func canParse(_ bytes: [UInt8]) -> Bool {
    var parser = Parser(layout: self)
    var reader = ByteReader(bytes.span)
    return (try? parser.parse(&reader)) != nil
  }

  func size(of bytes: [UInt8]) -> Int {
    let start = hasItemVersion ? 1 : 0
    let flags = bytes.dropFirst(start + 4).first ?? 0
    return start
      + (hasCommonDenominator ? Self.commonDenominatorLength(flags) : Self.length(flags))
  }

  private static func fits(_ bytes: [UInt8], hasItemVersion: Bool) -> Bool {
    let payload = bytes.dropFirst(hasItemVersion ? 1 : 0)
    guard payload.count > 4, bytes.prefix(hasItemVersion ? 5 : 4).allSatisfy({ $0 == 0 }) else {
      return false
    }
    let flags = payload[payload.startIndex + 4]
    return payload.count == length(flags)
      || flags & ISO21496Payload.Flags.hasCommonDenominator != 0
        && payload.count == commonDenominatorLength(flags)
  }

  private static func length(_ flags: UInt8) -> Int {
    flags & ISO21496Payload.Flags.isMultichannel != 0 ? 141 : 61
  }

  private static func commonDenominatorLength(_ flags: UInt8) -> Int {
    flags & ISO21496Payload.Flags.isMultichannel != 0 ? 77 : 37
  }
}

private struct Parser {
  let layout: Layout
  private(set) var notices: [Notice] = []

  init(layout: Layout) { self.layout = layout }

  mutating func parse(_ reader: inout ByteReader) throws(ImageError) -> ISO21496Payload {
    if layout.hasItemVersion { try parseItemVersion(&reader) }
    if layout.hasItemVersion != layout.isItem {
      note(layout.isItem ? .gainMapItemVersionMissing : .gainMapItemVersionUnexpected)
    }
    let minimumVersion: UInt16 = try reader.readBigEndian()
    let writerVersion: UInt16 = try reader.readBigEndian()
    guard minimumVersion == 0 else {
      throw ImageError(
        .unsupported, "requires a reader of version {version}; version 0 is supported",
        ["version": minimumVersion])
    }
    let flags: UInt8 = try reader.readBigEndian()
    noteReservedBits(flags)
    let metadata = try parseMetadata(&reader, flags: flags)
    var unknown = reader.readRest()
    if writerVersion > 0 {
      note(.gainMapWriterVersion, ["version": writerVersion])
    } else if !unknown.isEmpty {
      // libavif (avifParseToneMappedImageBox) and CrabbyAvif (parse_tmap), which also reads HEIC,
      // reject an item with such bytes; libultrahdr and Skia ignore them in JPEG, PNG and JPEG XL.
      guard !layout.isItem else {
        throw ImageError(
          .gainMapTrailingBytes, ["size": unknown.count],
          at: .init(offset: reader.fileOffset - unknown.count))
      }
      note(.gainMapTrailingBytesIgnored, ["size": unknown.count])
      unknown = []
    }
    for notice in metadata.peculiarities { note(notice.code, notice.parameters) }
    var payload = ISO21496Payload(metadata)
    payload.writerVersion = writerVersion
    payload.unknown = unknown
    return payload
  }

  private mutating func parseItemVersion(_ reader: inout ByteReader) throws(ImageError) {
    let version: UInt8 = try reader.readBigEndian()
    guard version == 0 else {
      throw ImageError(.unsupportedValue, ["field": "version of 'tmap'", "value": version])
    }
  }

  private mutating func noteReservedBits(_ flags: UInt8) {
    var reserved = flags & ISO21496Payload.Flags.reserved
    if layout.hasCommonDenominator {
      note(.gainMapCommonDenominator)
      reserved &= ~ISO21496Payload.Flags.hasCommonDenominator
    }
    if reserved != 0 { note(.gainMapReservedBits, ["flags": flags]) }
  }

  private func parseMetadata(
    _ reader: inout ByteReader, flags: UInt8
  ) throws(ImageError) -> GainMapMetadata {
    let common: UInt32? = layout.hasCommonDenominator ? try reader.readBigEndian() : nil
    let baseHeadroom: UnsignedRational = try fraction(&reader, common, "base_hdr_headroom")
    let alternateHeadroom: UnsignedRational = try fraction(
      &reader, common, "alternate_hdr_headroom")
    let channels: GainMapMetadata.Channels
    if flags & ISO21496Payload.Flags.isMultichannel != 0 {
      channels = .three(
        red: try channel(&reader, common), green: try channel(&reader, common),
        blue: try channel(&reader, common))
    } else {
      channels = .one(try channel(&reader, common))
    }
    return try GainMapMetadata(
      channels: channels, baseHeadroom: baseHeadroom, alternateHeadroom: alternateHeadroom,
      usesBaseColorSpace: flags & ISO21496Payload.Flags.usesBaseColorSpace != 0)
  }

  private func channel(
    _ reader: inout ByteReader, _ common: UInt32?
  ) throws(ImageError) -> GainMapMetadata.Channel {
    GainMapMetadata.Channel(
      minimum: try fraction(&reader, common, "gain_map_min"),
      maximum: try fraction(&reader, common, "gain_map_max"),
      gamma: try fraction(&reader, common, "gain_map_gamma"),
      baseOffset: try fraction(&reader, common, "base_offset"),
      alternateOffset: try fraction(&reader, common, "alternate_offset"))
  }

  private func fraction<Numerator>(
    _ reader: inout ByteReader, _ common: UInt32?, _ field: String
  ) throws(ImageError) -> Rational<Numerator> {
    let offset = reader.fileOffset
    let numerator: Numerator = try reader.readBigEndian()
    let denominator: UInt32
    if let common { denominator = common } else { denominator = try reader.readBigEndian() }
    guard let fraction = Rational(numerator, denominator) else {
      throw ImageError(
        .invalidValue, ["field": field, "value": "\(numerator)/0"],
        at: .init(path: [field], offset: offset))
    }
    return fraction
  }

  private mutating func note(_ code: NoticeCode, _ parameters: DiagnosticParameters = [:]) {
    notices.append(Notice(code, parameters, at: .init(path: ["ISO 21496-1"])))
  }
}

extension ISO21496Payload {
  /// The metadata with their stored values.
  package var description: FoundGainMap.Description {
    var numbers: [FoundGainMap.Description.Number] = []
    func add<Numerator>(_ name: String, _ fraction: Rational<Numerator>, _ field: String) {
      numbers.append(
        .init(
          name, "\(fraction.value.rounded6) (\(fraction.numerator)/\(fraction.denominator))",
          .isoPayload, from: "ISO 21496-1, \(field)"))
    }
    add("base headroom", metadata.baseHeadroom, "base_hdr_headroom")
    add("alternate headroom", metadata.alternateHeadroom, "alternate_hdr_headroom")
    let channels = metadata.channels.all
    for (index, channel) in channels.enumerated() {
      let suffix = channels.count == 3 ? " of \(["red", "green", "blue"][index])" : ""
      add("minimum" + suffix, channel.minimum, "gain_map_min")
      add("maximum" + suffix, channel.maximum, "gain_map_max")
      add("gamma" + suffix, channel.gamma, "gain_map_gamma")
      add("base offset" + suffix, channel.baseOffset, "base_offset")
      add("alternate offset" + suffix, channel.alternateOffset, "alternate_offset")
    }
    numbers.append(
      .init(
        "primaries", metadata.usesBaseColorSpace ? "base" : "alternate", .isoPayload,
        from: "ISO 21496-1, use_base_colour_space"))
    return FoundGainMap.Description(flavor: .iso, metadata: metadata, numbers: numbers)
  }
}
