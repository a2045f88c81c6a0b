// SPDX-License-Identifier: Apache-2.0
internal import GainMap
package import HDRCore

/// Headroom in the Apple maker note: two numbers and a rule.
///
/// Source: Apple, "Applying Apple HDR effect to your photos"; names as in ExifTool.
package struct AppleMakerNote: Hashable, Sendable {
  /// Tag 33.
  package var hdrHeadroom: Double?
  /// Tag 48.
  package var hdrGain: Double?

  /// Creates a note; a missing number is `nil`.
  package init(hdrHeadroom: Double?, hdrGain: Double?) {
    self.hdrHeadroom = hdrHeadroom
    self.hdrGain = hdrGain
  }

  /// Parses the maker note of a file; `nil` if it is not Apple's or has neither number.
  package init?(_ exif: ExifBlock) throws(ImageError) {
    guard let entry = exif.exposure?[.makerNote],
      let bytes = try ifReadable(try exif.structure.bytes(of: entry))
    else { return nil }
    try self.init(parsing: bytes)
  }

  /// Parses a maker note; `nil` if it is not Apple's or has neither number.
  ///
  /// Its offsets are relative to its first byte.
  package init?(parsing bytes: [UInt8]) throws(ImageError) {
    guard let file = try Self.structure(bytes) else { return nil }
    func number(_ tag: TIFFTag) -> Double? {
      guard let entry = file.directories[0][tag], entry.count == 1,
        let value = try? file.numbers(entry).first, value.isFinite
      else { return nil }
      return value
    }
    hdrHeadroom = number(Self.headroomTag)
    hdrGain = number(Self.gainTag)
    if hdrHeadroom == nil, hdrGain == nil { return nil }
  }

  /// Parses the maker note of the primary image; `nil` if it is not Apple's or has neither number.
  package init?(of file: HEIFFile) throws(ImageError) {
    guard let primary = file.primaryItemID,
      let item = file.metadataItems(describing: primary, type: "Exif").first,
      let block = try ifReadable(try ExifBlock(parsing: try file.exif(ofItem: item.id)))
    else { return nil }
    try self.init(block)
  }

  /// Parses the maker note of the first image; `nil` if it is not Apple's or has neither number.
  package init?(of file: JPEGFile) throws(ImageError) {
    guard let exif = file.primary.exif, let block = try ifReadable(try ExifBlock(parsing: exif))
    else {
      return nil
    }
    try self.init(block)
  }

  /// First bytes of Apple maker notes, with the byte order.
  package static let signature: [UInt8] = Array("Apple iOS\0\0\u{01}MM".utf8)
  package static let headroomTag = TIFFTag(rawValue: 33)
  package static let gainTag = TIFFTag(rawValue: 48)

  /// Returns the directory of a maker note; `nil` if it is not Apple's.
  package static func structure(_ bytes: [UInt8]) throws(ImageError) -> TIFFFile? {
    guard bytes.starts(with: signature) else { return nil }
    return try ifReadable(
      try TIFFFile(
        parsing: ByteSource(bytes), byteOrder: .bigEndian, firstDirectoryAt: signature.count))
  }

  /// One of the four linear functions from HDRGain to stops.
  package struct Branch: Hashable, Sendable {
    /// Its condition, as text.
    package let condition: String
    /// Stops per unit of HDRGain.
    package let slope: Double
    /// Stops at an HDRGain of 0.
    package let intercept: Double

    package func stops(_ gain: Double) -> Double { slope * gain + intercept }
  }

  /// The function for the two numbers; a missing one counts as 0.
  package var branch: Branch {
    switch ((hdrHeadroom ?? 0) < 1, (hdrGain ?? 0) <= 0.01) {
    case (true, true):
      Branch(condition: "HDRHeadroom < 1, HDRGain <= 0.01", slope: -20, intercept: 1.8)
    case (true, false):
      Branch(condition: "HDRHeadroom < 1, HDRGain > 0.01", slope: -0.101, intercept: 1.601)
    case (false, true):
      Branch(condition: "HDRHeadroom >= 1, HDRGain <= 0.01", slope: -70, intercept: 3)
    case (false, false):
      Branch(condition: "HDRHeadroom >= 1, HDRGain > 0.01", slope: -0.303, intercept: 2.303)
    }
  }

  /// Headroom of the image with full gain; `nil` if the note has neither number.
  package var headroom: Headroom? {
    guard hdrHeadroom != nil || hdrGain != nil else { return nil }
    return Headroom(stops: max(branch.stops(hdrGain ?? 0), 0))
  }

  /// The two numbers and the result of the rule, as text.
  package var numbers: [FoundGainMap.Description.Number] {
    func number(_ name: String, _ tag: Int, _ value: Double?) -> FoundGainMap.Description.Number {
      guard let value else {
        return .init(name, "0", .formatDefault, from: "maker note, tag \(tag) is absent")
      }
      return .init(name, value.plainDecimal, .makerNote, from: "maker note, tag \(tag)")
    }
    guard let headroom else { return [] }
    let branch = branch
    return [
      number("HDRHeadroom", 33, hdrHeadroom), number("HDRGain", 48, hdrGain),
      .init(
        "headroom", headroom.ratio.rounded6, .makerNote,
        from: "maker note, \(branch.condition): "
          + "stops = \(branch.slope.plainDecimal) HDRGain + \(branch.intercept.plainDecimal)"),
    ]
  }
}

extension AppleMakerNote {
  /// Largest headroom that the numbers represent.
  package static let largestHeadroom = Headroom(stops: 3)

  /// Creates the maker note of a headroom, or of the closest one that the numbers represent.
  ///
  /// Source: inverse of the rule, in its branch for headrooms of at least 1.
  package init(headroom: Headroom) {
    let stops = min(max(headroom.stops, 0), Self.largestHeadroom.stops)
    // At 2.3 stops the branches of the rule meet, except for a negligible gap.
    self.init(
      hdrHeadroom: 1, hdrGain: stops >= 2.299_97 ? (3 - stops) / 70 : (2.303 - stops) / 0.303)
  }

  /// A maker note with only these numbers.
  ///
  /// Source: CIPA DC-008 leaves the format to the maker; this is that of iPhones.
  package var serialized: [UInt8] {
    var writer = ByteWriter()
    writer.write(Self.signature)
    let values = [(Self.headroomTag, hdrHeadroom), (Self.gainTag, hdrGain)]
      .compactMap { tag, value in value.map { (tag, $0) } }
    writer.writeBigEndian(UInt16(values.count))
    let data = Self.signature.count + 2 + 12 * values.count + 4
    for (index, (tag, _)) in values.enumerated() {
      writer.writeBigEndian(tag.rawValue)
      writer.writeBigEndian(TIFFEntry.ValueType.signedRational.rawValue)
      writer.writeBigEndian(1 as UInt32)
      writer.writeBigEndian(UInt32(data + 8 * index))
    }
    writer.writeBigEndian(0 as UInt32)
    for (_, value) in values { writer.write(Self.encoded(value)) }
    return writer.bytes
  }

  /// Writes these numbers into an Exif block: in place into its Apple maker note, or into a new one if
  /// it has none.
  ///
  /// - Parameter exif: The block from its TIFF header on; empty for a new block.
  /// - Throws: `.unsupported` if the block has a maker note of another maker, or one of Apple without
  ///   the two numbers, since a maker note must not be moved; `.malformed` for a malformed block.
  package func write(into exif: inout [UInt8]) throws(ImageError) {
    guard !exif.isEmpty else {
      exif = ExifBlock.minimal(orientation: .upright)
      return try write(into: &exif)
    }
    var block = try ExifBlock(parsing: exif)
    var edited = exif
    if let entry = block.exposure?[.makerNote] {
      try replaceNumbers(in: &edited, of: block, note: entry)
    } else {
      try block.addToExposure(.makerNote, .undefined, serialized)
      edited = block.bytes
    }
    // In a malformed block, a number may overlap tables or the other number, and the reference to the
    // directory may have the wrong type.
    guard let written = try AppleMakerNote(try ExifBlock(parsing: edited)),
      abs((written.hdrHeadroom ?? 0) - (hdrHeadroom ?? 0)) < 1e-3,
      abs((written.hdrGain ?? 0) - (hdrGain ?? 0)) < 1e-3
    else {
      throw ImageError(
        .malformed, "values of the maker note overlap its directories", at: .init(path: ["Exif"]))
    }
    exif = edited
  }

  private func replaceNumbers(
    in exif: inout [UInt8], of block: ExifBlock, note: TIFFEntry
  ) throws(ImageError) {
    let bytes = try block.structure.bytes(of: note)
    guard let structure = try Self.structure(bytes) else {
      throw ImageError(.unsupported, "the maker note is not Apple's", at: .init(path: ["Exif"]))
    }
    for (tag, value) in [(Self.headroomTag, hdrHeadroom), (Self.gainTag, hdrGain)] {
      guard let entry = structure.directories[0][tag], entry.type == .signedRational,
        entry.count == 1, entry.values.upperBound <= bytes.count
      else {
        throw ImageError(
          .unsupported, "the maker note has no tag {tag}", ["tag": tag.rawValue],
          at: .init(path: ["Exif"]))
      }
      let start = note.values.lowerBound + entry.values.lowerBound
      exif.replaceSubrange(start..<start + 8, with: Self.encoded(value ?? 0))
    }
  }

  /// The bytes of a signed rational.
  private static func encoded(_ value: Double) -> [UInt8] {
    let fraction = SignedRational(approximating: value) ?? SignedRational(0)
    var writer = ByteWriter()
    writer.writeBigEndian(fraction.numerator)
    writer.writeBigEndian(fraction.denominator)
    return writer.bytes
  }
}

// The headroom of an Apple gain map, which many files store only in the maker note of the baseline
// image. An edit that changes or removes the note moves it into the XMP of the gain map.

extension JPEGFile {
  /// Writes the headroom of a former maker note into the XMP of Apple gain maps.
  ///
  /// - Parameter note: The note before the edit; `nil` if there was none.
  /// - Returns: A notice if a headroom was written.
  /// - Throws: `.malformed` for XMP that cannot be edited.
  mutating func keepAppleHeadroom(of note: AppleMakerNote?) throws(ImageError) -> [Notice] {
    guard let headroom = note?.headroom, try AppleMakerNote(of: self) != note else { return [] }
    var notices: [Notice] = []
    for index in images.indices.dropFirst() {
      var image = images[index]
      guard let packet = try image.readableXMP(), AppleGainMapXMP.lacksHeadroom(packet) else {
        continue
      }
      try image.editXMP { packet throws(ImageError) in
        try AppleGainMapXMP.write(headroom, into: &packet)
      }
      replaceImage(index, with: image)
      notices = [Notice(.gainMapHeadroomMoved, ["headroom": headroom.ratio])]
    }
    return notices
  }
}

extension HEIFFile {
  /// Writes the headroom of a former maker note into the XMP of Apple gain maps; see `JPEGFile`.
  mutating func keepAppleHeadroom(of note: AppleMakerNote?) throws(ImageError) -> [Notice] {
    guard let headroom = note?.headroom, try AppleMakerNote(of: self) != note else { return [] }
    var notices: [Notice] = []
    for item in items {
      guard let type = item.property(AuxiliaryTypeBox.self)?.auxiliaryType,
        GainMapAuxiliary(auxiliaryType: type) == .apple
      else { continue }
      if let xmp = xmpItems(describing: item.id).first,
        let packet = try ifReadable(try XMPPacket(parsing: try data(of: xmp.id))),
        let apple = AppleGainMapXMP(packet), apple.hasHeadroom
      {
        continue
      }
      try editXMP(describing: item.id) { packet throws(ImageError) in
        try AppleGainMapXMP.write(headroom, into: &packet)
      }
      notices = [Notice(.gainMapHeadroomMoved, ["headroom": headroom.ratio])]
    }
    return notices
  }
}

extension AppleGainMapXMP {
  fileprivate var hasHeadroom: Bool { headroom.map { $0 >= 1 } ?? false }

  /// Whether a packet is that of an Apple gain map without a headroom.
  fileprivate static func lacksHeadroom(_ packet: XMPPacket) -> Bool {
    AppleGainMapXMP(packet).map { !$0.hasHeadroom } ?? false
  }
}
