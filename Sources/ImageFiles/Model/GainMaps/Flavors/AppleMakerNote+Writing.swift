// SPDX-License-Identifier: Apache-2.0
internal import GainMap
package import HDRCore

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
