// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// An ICC profile: header, tag table and color description.
///
/// Source: ICC.1:2022 (v4.4).
package struct ICCProfile: Sendable {
  /// A four-character signature of a class, a color space, a tag or a type.
  package struct Signature: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
  }

  /// One entry of the tag table.
  package struct Tag: Hashable, Sendable {
    /// Signature of the tag.
    package var signature: Signature
    /// Range of the tag data in the profile.
    package var range: Range<Int>
  }

  /// The whole profile, including bytes after its declared size.
  package let bytes: [UInt8]
  /// The first 128 bytes.
  package let header: ICCHeader
  /// Tags whose data are within the profile, after the tag table; duplicate signatures are omitted.
  package let tags: [Tag]
  /// Irregularities that did not prevent parsing.
  package private(set) var notices: [Notice] = []
  /// H.273 code points of the `cicp` tag, if it exists and is valid for the color space.
  package private(set) var cicp: CICP?

  /// Parses a profile.
  ///
  /// - Throws: `.malformed` or `.truncated` if header or tag table cannot be parsed,
  ///   `.limitExceeded` for more tags than `limits.items`, 65 536 by default.
  package init(parsing bytes: [UInt8], limits: ImageLimits = ImageLimits()) throws(ImageError) {
    self.bytes = bytes
    do throws(ImageError) {
      var reader = ByteReader(bytes.span)
      header = try ICCHeader(parsing: &reader)
      if header.size != bytes.count {
        notices.append(
          Notice(
            .iccSizeDiffers, ["size": bytes.count, "declared": header.size],
            at: .init(path: ["ICC"], offset: 0)))
      }
      tags = try Self.parseTags(&reader, limits: limits, size: bytes.count, notices: &notices)
    } catch {
      throw error.inside("ICC")
    }
    cicp = readCodePoints()
  }

  private static func parseTags(
    _ reader: inout ByteReader, limits: ImageLimits, size: Int, notices: inout [Notice]
  ) throws(ImageError) -> [Tag] {
    let count: UInt32 = try reader.readBigEndian()
    guard count <= reader.remaining / 12 else {
      throw reader.error(
        .truncated, "truncated: {count tag} in {available byte}",
        ["count": count, "available": reader.remaining])
    }
    guard count <= limits.items else {
      throw reader.error(.tooManyElements, ["limit": limits.items, "elements": "ICC tags"])
    }
    try Execution.current.budget.debit(
      elements: Int(count), of: "ICC tags", at: .init(offset: reader.fileOffset))
    let tableEnd = reader.fileOffset + Int(count) * 12
    var tags: [Tag] = []
    var seen: Set<Signature> = []
    for _ in 0..<count {
      let place = reader.fileOffset
      let signature = Signature(rawValue: try reader.readBigEndian())
      let start = Int(try reader.readBigEndian(as: UInt32.self))
      let length = Int(try reader.readBigEndian(as: UInt32.self))
      func complain(_ code: NoticeCode, _ parameters: DiagnosticParameters = [:]) {
        notices.append(
          Notice(code, parameters, at: .init(path: ["ICC", "\(signature)"], offset: place)))
      }
      guard start >= tableEnd, start <= size, length <= size - start else {
        complain(.iccTagOutOfRange, ["length": length, "offset": start, "size": size])
        continue
      }
      guard seen.insert(signature).inserted else {
        complain(.iccTagDuplicate)
        continue
      }
      tags.append(Tag(signature: signature, range: start..<start + length))
    }
    notices += overlaps(tags)
    return tags
  }

  /// Returns a notice for each pair of tags whose data overlap without being identical.
  private static func overlaps(_ tags: [Tag]) -> [Notice] {
    let sorted = tags.sorted {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
    return zip(sorted, sorted.dropFirst()).compactMap { tag, next in
      guard tag.range.upperBound > next.range.lowerBound, tag.range != next.range else {
        return nil
      }
      return Notice(
        .iccTagsOverlap, ["other": "\(next.signature)"],
        at: .init(path: ["ICC", "\(tag.signature)"], offset: next.range.lowerBound))
    }
  }

  /// Parses the code points of the `cicp` tag.
  ///
  /// Little CMS 2.14 to 2.17 wrote the reserved field of the tag data twice.
  ///
  /// Source: 9.2.17 and 10.3.
  private mutating func readCodePoints() -> CICP? {
    guard let tag = tag(.cicp) else { return nil }
    func complain(_ code: NoticeCode, _ parameters: DiagnosticParameters = [:]) {
      notices.append(
        Notice(code, parameters, at: .init(path: ["ICC", "cicp"], offset: tag.range.lowerBound)))
    }
    let data = Array(bytes[tag.range])
    let isDoubled = data.count == 16 && data[8..<12].allSatisfy { $0 == 0 }
    guard data.starts(with: "cicp".utf8), data.count == 12 || isDoubled else {
      complain(NoticeCode(.irregular, "tag ignored: {size byte}"), ["size": data.count])
      return nil
    }
    if isDoubled { complain(.iccCICPPadded) }
    let values = Array(data.suffix(4))
    guard values[2] == 0 || header.colorSpace != .rgb else {
      complain(
        NoticeCode(.irregular, "tag ignored: matrix {matrix} for RGB"), ["matrix": values[2]])
      return nil
    }
    return CICP(
      primaries: .init(rawValue: UInt16(values[0])), transfer: .init(rawValue: UInt16(values[1])),
      matrix: .init(rawValue: UInt16(values[2])), isFullRange: values[3] != 0)
  }
}

/// The profile ID.
///
/// Source: ICC.1:2022, 7.2.18.
extension ICCProfile {
  private static let identifierRange = 84..<100

  /// Returns the MD5 digest that identifies a profile.
  ///
  /// - Parameter bytes: A profile of at least 128 bytes; its flags, rendering intent and profile ID
  ///   do not affect the digest.
  /// - Returns: The 16 bytes of the digest.
  static func identifier(of bytes: [UInt8]) -> [UInt8] {
    var identified = bytes
    for range in [44..<48, 64..<68, identifierRange] {
      identified.replaceSubrange(range, with: repeatElement(0, count: range.count))
    }
    return MD5.digest(of: identified)
  }

  /// Returns a profile without bytes after its declared size, and with zeros in place of tags that
  /// describe neither its colors nor itself, and of bytes after the fields of others; `nil` for bytes that
  /// are not one.
  ///
  /// All other tags keep their places.
  ///
  /// - Parameters:
  ///   - bytes: A profile.
  ///   - keepsTexts: Whether texts that can be searched for locations stay, such as names of devices.
  /// - Returns: The profile.
  package static func trimmed(_ bytes: [UInt8], keepsTexts: Bool = false) -> [UInt8]? {
    guard let profile = try? ICCProfile(parsing: bytes),
      bytes[36..<40].elementsEqual("acsp".utf8)
    else { return nil }
    let whole = Array(bytes.prefix(max(Int(profile.header.size), 128)))
    let tags = profile.tags.filter {
      $0.range.upperBound <= whole.count
        && (needed.contains("\($0.signature)") || keepsTexts && profile.isText($0.signature))
    }
    var table = ByteWriter()
    table.writeBigEndian(UInt32(clamping: tags.count))
    for tag in tags {
      table.writeBigEndian(tag.signature.rawValue)
      table.writeBigEndian(UInt32(clamping: tag.range.lowerBound))
      table.writeBigEndian(UInt32(clamping: tag.range.count))
    }
    // The rest of the header is reserved.
    var trimmed = whole[..<100] + [UInt8](repeating: 0, count: whole.count - 100)
    guard table.count <= whole.count - 128 else { return whole }
    trimmed.replaceSubrange(128..<128 + table.count, with: table.bytes)
    for tag in tags {
      // Tags may overlap, so that zeros of one may be fields of another.
      let data = trimmedTag(Array(whole[tag.range]), keepsTexts: keepsTexts)
      for (place, byte) in zip(tag.range, data) where byte != 0 { trimmed[place] = byte }
    }
    return trimmed.elementsEqual(whole) ? whole : correctingIdentifier(of: Array(trimmed))
  }

  /// Tags with colors, and description and copyright, which each profile has.
  ///
  /// Source: ICC.1:2022, 9.2; ICC.1:2001-04, 6.4; `HAGC` and `hdgm` as written by Apple.
  private static let needed: Set = [
    "desc", "cprt", "wtpt", "bkpt", "lumi", "chad", "chrm", "cicp", "ciis", "HAGC", "hdgm", "meas",
    "view",
    "tech", "rig0", "rig2", "gamt", "rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC", "kTRC", "A2B0",
    "A2B1", "A2B2", "B2A0", "B2A1", "B2A2", "D2B0", "D2B1", "D2B2", "D2B3", "B2D0", "B2D1", "B2D2",
    "B2D3", "pre0", "pre1", "pre2", "clro", "clrt", "clot", "ncl2", "resp",
  ]

  /// Returns a profile with a correct profile ID.
  ///
  /// - Parameter bytes: A profile.
  /// - Returns: The profile; unchanged if its ID is correct or zero, that is, not calculated.
  package static func correctingIdentifier(of bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 128, bytes[identifierRange].contains(where: { $0 != 0 }) else {
      return bytes
    }
    var corrected = bytes
    corrected.replaceSubrange(identifierRange, with: identifier(of: bytes))
    return corrected
  }
}

extension ICCProfile {
  /// Describes header and tags.
  ///
  /// - Parameter base: Offset of the profile in its file; `nil` if it is not contiguous there.
  /// - Returns: A node for the profile, with a child for each tag.
  package func structure(base: Int?) -> StructureNode {
    var node = StructureNode("ICC profile", base.map { $0..<$0 + bytes.count })
    node.fields.add("description", description)
    node.fields.add("version", "\(header.majorVersion).\(header.minorVersion)")
    node.fields.add("class", "\(header.deviceClass)")
    node.fields.add("color space", "\(header.colorSpace)")
    node.fields.add("cicp", cicp?.title)
    node.children = tags.map { tag in
      let range = base.map { $0 + tag.range.lowerBound..<$0 + tag.range.upperBound }
      return StructureNode(
        "\(tag.signature)", range, fields: [.init("bytes", "\(tag.range.count)")])
    }
    return node
  }
}

/// Values of individual tags.
extension ICCProfile {
  /// Returns the entry of the tag table with a signature; `nil` if it is missing.
  package func tag(_ signature: Signature) -> Tag? { tags.first { $0.signature == signature } }

  /// Description of the profile for display to people; `nil` if missing.
  package var description: String? { text(.profileDescription) }

  /// Whether the image is scene-referred or output-referred; `nil` if unspecified.
  ///
  /// Source: ICC.1:2022, 9.2.16: `ciis`.
  package var imageState: ColorEncoding.ImageState? {
    value(of: .imageState, types: .signatureType) { _, reader throws(ImageError) in
      switch Signature(rawValue: try reader.readBigEndian()) {
      case .sceneColorimetry, .sceneAppearance: .scene
      default: .display
      }
    }
  }

  /// Returns the tone mapping for displays of any headroom; `nil` if the profile does not contain
  /// it, or not completely.
  ///
  /// - Throws: Errors of `HeadroomAdaptation.init(parsing:)`.
  ///
  /// Source: SMPTE ST 2094-50; `HAGC` and `hdgm` as written by Apple and Skia: the size of application_info
  /// and its bytes.
  package func headroomAdaptation() throws(ImageError) -> HeadroomAdaptation? {
    let payload = value(of: .headroomAdaptation, types: .headroomAdaptationType) {
      _, reader throws(ImageError) in
      let size: UInt32 = try reader.readBigEndian()
      return try reader.readBytes(Int(size))
    }
    guard let payload else { return nil }
    do throws(ImageError) {
      return try HeadroomAdaptation(parsing: payload)
    } catch {
      throw error.inside("HAGC").inside("ICC")
    }
  }

  /// Returns the value of an XYZ tag; `nil` if it is missing or invalid.
  package func xyz(_ signature: Signature) -> SIMD3<Double>? {
    value(of: signature, types: .xyz) { _, reader throws(ImageError) in try reader.readXYZ() }
  }

  /// Returns the text of a tag of any of the three text types; `nil` if it is missing or invalid.
  ///
  /// The English one of localized texts, else the first.
  package func text(_ signature: Signature) -> String? {
    value(of: signature, types: .multiLocalizedText, .textDescription, .plainText) {
      type, reader throws(ImageError) in
      switch type {
      case .multiLocalizedText:
        let texts = try reader.readLocalizedTexts()
        return (texts.first { $0.isEnglish } ?? texts.first)?.text
      case .textDescription:
        let count: UInt32 = try reader.readBigEndian()
        return Self.text(try reader.readBytes(Int(count)))
      default:
        return Self.text(reader.readRest())
      }
    }
  }

  /// Whether a tag consists of text without a location.
  private func isText(_ signature: Signature) -> Bool {
    let isText = value(of: signature, types: .textDescription, .plainText, .multiLocalizedText) {
      type, reader throws(ImageError) in
      var parts: [[UInt8]] = []
      switch type {
      case .multiLocalizedText:
        parts = try reader.readLocalizedTexts().map { Array($0.text.utf8) }
      case .textDescription:
        parts.append(try reader.readBytes(Int(try reader.readBigEndian(as: UInt32.self))))
        try reader.skip(4)
        let count: UInt32 = try reader.readBigEndian()
        // Of two bytes for each character; those of English have a zero.
        parts.append(try reader.readBytes(2 * Int(count)).filter { $0 != 0 })
        try reader.skip(3)
        parts.append(reader.readRest())
      default: parts.append(reader.readRest())
      }
      for part in parts {
        guard LocationEvidence.isText(part), try !LocationEvidence.isPresent(in: part) else {
          return false
        }
      }
      return true
    }
    return isText == true
  }

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Parses the data of a tag after type and reserved field.
  ///
  /// `nil` if the tag is missing, too short, or of a type that is not in `types`.
  func value<Value>(
    of signature: Signature, types: Signature...,
    body: (_ type: Signature, _ reader: inout ByteReader) throws(ImageError) -> Value?
  ) -> Value? {
    guard let tag = tag(signature) else { return nil }
    let data = Array(bytes[tag.range])
    do throws(ImageError) {
      var reader = ByteReader(data.span, fileOffset: tag.range.lowerBound)
      let type = Signature(rawValue: try reader.readBigEndian())
      try reader.skip(4)
      return types.contains(type) ? try body(type, &reader) : nil
    } catch {
      return nil
    }
  }
}

extension ByteReader {
  /// Reads an s15Fixed16Number.
  @_lifetime(self: copy self)
  mutating func readS15Fixed16() throws(ImageError) -> Double {
    Double(try readBigEndian(as: Int32.self)) / 65_536
  }

  @_lifetime(self: copy self)
  mutating func readXYZ() throws(ImageError) -> SIMD3<Double> {
    let x = try readS15Fixed16()
    let y = try readS15Fixed16()
    return SIMD3(x, y, try readS15Fixed16())
  }

  /// Reads the texts of a `mluc` tag.
  ///
  /// Source: ICC.1:2022, 10.15; offsets are relative to the start of the tag data.
  @_lifetime(self: copy self)
  fileprivate mutating func readLocalizedTexts() throws(ImageError) -> [(
    isEnglish: Bool, text: String
  )] {
    let start = fileOffset - 8
    let count: UInt32 = try readBigEndian()
    let recordSize: UInt32 = try readBigEndian()
    guard recordSize == 12 else { return [] }
    try Execution.current.budget.debit(steps: remaining >> 6, for: "ICC texts")
    var texts: [(isEnglish: Bool, text: String)] = []
    // Texts may be shared, but not make a profile larger than it is.
    var (rest, known) = (remaining, [Range<Int>: String]())
    for _ in 0..<count {
      let language: UInt16 = try readBigEndian()
      try skip(2)
      let length = Int(try readBigEndian(as: UInt32.self))
      let offset = Int(try readBigEndian(as: UInt32.self))
      let place = offset..<offset + length
      if known[place] == nil {
        rest -= length
        guard rest >= 0 else { break }
        var reader = self
        guard (try? reader.skip(offset - (fileOffset - start))) != nil,
          let bytes = try? reader.readBytes(length)
        else { continue }
        let units = bytes.utf16Units(isBigEndian: true).prefix { $0 != 0 }
        known[place] = String(decoding: units, as: UTF16.self)
      }
      texts.append((language == 0x656E, known[place] ?? ""))
    }
    return texts
  }
}
