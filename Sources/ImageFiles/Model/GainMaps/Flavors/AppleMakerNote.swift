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
