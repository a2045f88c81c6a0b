package import HDRCore
internal import ImageContainers

extension AppleMakerNote {
  /// The largest headroom that the numbers can say.
  public static let largestHeadroom = Headroom(stops: 3)

  /// Numbers that say a headroom; the closest they can.
  ///
  /// Source: the rule, turned around in its branch for headrooms of at least 1.
  public init(headroom: Headroom) {
    let stops = min(max(headroom.stops, 0), Self.largestHeadroom.stops)
    // At 2.3 stops the branches of the rule meet, but for a gap that is too small to matter.
    self.init(
      hdrHeadroom: 1, hdrGain: stops >= 2.299_97 ? (3 - stops) / 70 : (2.303 - stops) / 0.303)
  }

  /// A maker note that says nothing else.
  ///
  /// Source: CIPA DC-008 leaves maker notes to their makers; this is the form of iPhones.
  public var serialized: [UInt8] {
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

  /// Says these numbers in an Exif block, in the place and form in which it has them, or in a maker
  /// note of its own where it has none.
  ///
  /// - Parameter exif: From its TIFF header on; empty for a block that shall say nothing else.
  /// - Throws: `.unsupported` if the block has a maker note of another maker, or one of Apple's
  ///   without the two numbers, since a note must not be moved; `.malformed` for a broken block.
  public func write(into exif: inout [UInt8]) throws(ImageError) {
    guard !exif.isEmpty else {
      exif = ExifBlock.minimal(orientation: .upright)
      return try write(into: &exif)
    }
    var block = try ExifBlock(parsing: exif)
    if let entry = block.exposure?[.makerNote] {
      try replaceNumbers(in: &exif, of: block, note: entry)
    } else {
      try block.addToExposure(.makerNote, .undefined, serialized)
      exif = block.bytes
    }
  }

  private func replaceNumbers(
    in exif: inout [UInt8], of block: ExifBlock, note: TIFFEntry
  ) throws(ImageError) {
    var edited = exif
    let bytes = try block.structure.bytes(of: note)
    guard let structure = Self.structure(bytes) else {
      throw ImageError(.makerNoteOfAnotherMaker, at: .init(path: ["Exif"]))
    }
    for (tag, value) in [(Self.headroomTag, hdrHeadroom), (Self.gainTag, hdrGain)] {
      guard let entry = structure.directories[0][tag], entry.type == .signedRational,
        entry.count == 1, entry.values.upperBound <= bytes.count
      else {
        throw ImageError(.makerNoteTagMissing, ["tag": tag.rawValue], at: .init(path: ["Exif"]))
      }
      let start = note.values.lowerBound + entry.values.lowerBound
      edited.replaceSubrange(start..<start + 8, with: Self.encoded(value ?? 0))
    }
    // In a broken note a number may lie on the tables or on the other number.
    guard let written = AppleMakerNote(try ExifBlock(parsing: edited)),
      abs((written.hdrHeadroom ?? .infinity) - (hdrHeadroom ?? 0)) < 1e-3,
      abs((written.hdrGain ?? .infinity) - (hdrGain ?? 0)) < 1e-3
    else {
      throw ImageError(.makerNoteOverlap, at: .init(path: ["Exif"]))
    }
    exif = edited
  }

  /// As a signed rational.
  private static func encoded(_ value: Double) -> [UInt8] {
    let fraction = SignedRational(approximating: value) ?? SignedRational(0)
    var writer = ByteWriter()
    writer.writeBigEndian(fraction.numerator)
    writer.writeBigEndian(fraction.denominator)
    return writer.bytes
  }
}
