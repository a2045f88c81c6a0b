// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension PNGFile {
  /// Changes metadata.
  ///
  /// Diffuse white is stored in XMP, orientation in Exif.
  ///
  /// - Returns: Notices about dropped and about contradictory metadata.
  /// - Throws: `.invalidArgument` for metadata that PNG cannot store and for an item other than 0,
  ///   `.malformed` for metadata that cannot be edited.
  package mutating func apply(_ edit: MetadataEdit) throws(ImageError) -> [Notice] {
    try requireOnlyImage(edit.item)
    try edit.requireFields(in: .png)
    try edit.checkNewMetadata(components: header.colorType.colorComponents)
    var notices: [Notice] = []
    if edit.dropsVideo { try removeVideo() }
    if edit.dropsPersonalData { try removePersonal() }
    try changeColor(edit, &notices)
    change(.contentLightLevel, edit.contentLightLevel) { PNGChunk(PNGContentLightLevel($0)) }
    change(.masteringDisplay, edit.masteringDisplay) { PNGChunk(PNGMasteringDisplay($0)) }
    try changeExif(edit, &notices)
    try changeXMP(edit, &notices)
    if edit.dropsLocation { notices += try removeLocation() }
    if edit.correctsStructure { try correctStructure() }
    if edit.masteringDisplay.isSet || edit.codePoints == .drop,
      chunk(.masteringDisplay) != nil, chunk(.codePoints) == nil
    {
      notices.append(
        Notice(
          .nonconforming, "readers ignore mDCV without cICP (PNG Third Edition, 11.3.2.7)",
          at: .init(path: ["mDCV"])))
    }
    return notices
  }

  /// The editable metadata of the image.
  ///
  /// - Parameters:
  ///   - item: `nil` or 0.
  ///   - file: The file with this structure.
  /// - Returns: The metadata; those that are unreadable are missing.
  /// - Throws: `.invalidArgument` for another item; errors that end the whole job.
  func summary(of item: UInt32?, in file: ImageFile) throws(ImageError) -> MetadataSummary {
    try requireOnlyImage(item)
    var ignored: [Notice] = []
    var summary = MetadataSummary()
    summary.light = try lightMetadata(notices: &ignored)
    summary.codePoints = try content(PNGCodePoints.self, notices: &ignored)?.cicp
    summary.profile = try ifReadable(try profile()?.bytes)
    summary.exif = try ifReadable(try exif())
    summary.orientation = try ExifBlock.orientation(of: summary.exif)
    summary.xmp = try ifReadable(try xmp())
    summary.hasLocation = try hasLocation
    return summary
  }

  private func requireOnlyImage(_ item: UInt32?) throws(ImageError) {
    guard item == nil || item == 0 else { throw .hasNoItems(.png) }
  }
}

extension PNGFile {
  private mutating func change<Value>(
    _ type: PNGChunk.ChunkType, _ change: MetadataEdit.Change<Value>, _ chunk: (Value) -> PNGChunk
  ) {
    switch change {
    case .keep: break
    case .drop: remove(type)
    case .set(let value): set(chunk(value))
    }
  }

  private mutating func changeColor(
    _ edit: MetadataEdit, _ notices: inout [Notice]
  ) throws(ImageError) {
    if let cicp = edit.codePoints.newValue {
      guard cicp.primaries.rawValue <= UInt8.max, cicp.transfer.rawValue <= UInt8.max else {
        throw ImageError(
          .invalidArgument, "PNG stores code points of one byte each, not {cicp}",
          ["cicp": "\(cicp)"])
      }
      if cicp.matrix != .identity {
        notices.append(
          Notice(
            .dropped, "matrix {matrix} written as 0 (PNG stores RGB)",
            ["matrix": cicp.matrix.rawValue], at: .init(path: ["cICP"])))
      }
    }
    change(.codePoints, edit.codePoints) { PNGChunk(PNGCodePoints($0)) }
    switch edit.profile {
    case .keep: break
    case .drop: try setProfile(nil)
    case .set(let profile):
      try setProfile(profile)
      guard chunk(.standardRGB) != nil else { return }
      remove(.standardRGB)
      notices.append(
        Notice(
          .dropped, "dropped: sRGB chunk (not allowed together with an ICC profile)",
          at: .init(path: ["sRGB"])))
    }
  }

  private mutating func changeExif(
    _ edit: MetadataEdit, _ notices: inout [Notice]
  ) throws(ImageError) {
    guard edit.exif != .keep || edit.orientation != .keep else { return }
    let old = edit.exif == .keep ? try exif() : try ifReadable(try exif())
    let new = try ExifBlock.edited(old, by: edit, notices: &notices)
    if new != old || edit.exif != .keep { setExif(new) }
  }

  private mutating func changeXMP(
    _ edit: MetadataEdit, _ notices: inout [Notice]
  ) throws(ImageError) {
    let old = try xmp()
    var packet = old
    if edit.xmp != .keep {
      packet = try XMPPacket.replacing(old, with: edit.xmp.newValue, notices: &notices)
    }
    if edit.diffuseWhite != .keep {
      packet = try XMPPacket.consistent(packet, withDiffuseWhite: edit.diffuseWhite.newValue)
    }
    if edit.orientation != .keep, let bytes = packet,
      var xmp = try ifReadable(try XMPPacket(parsing: bytes)),
      try xmp.updateOrientation(edit.orientation.newValue ?? .upright)
    {
      packet = xmp.bytes
    }
    if packet != old || edit.xmp != .keep { setXMP(packet) }
  }
}

extension PNGHeader.ColorType {
  /// Number of color components, without alpha; palettes are RGB.
  fileprivate var colorComponents: Int {
    switch self {
    case .gray, .grayAlpha: 1
    case .rgb, .rgbAlpha, .palette: 3
    }
  }
}

extension PNGFile {
  /// Corrects everything that follows from the chunks themselves.
  ///
  /// Checksums, names of drafts, chunks that are repeated, too late or redundant, the prefix of
  /// Exif, and the profile ID. Chunks with a wrong checksum stay as they are if their content is
  /// invalid.
  ///
  /// - Throws: Errors of reading the source.
  package mutating func correctStructure() throws(ImageError) {
    for index in chunks.indices {
      chunks[index].type = chunks[index].type.modernized
      if try hasWrongChecksum(chunks[index]) { try correctChecksum(at: index) }
    }
    removeDuplicates()
    arrangeChunks()
    // A profile has precedence, and readers without 'cICP' would show PQ and HLG as sRGB.
    let isHDR = try ifReadable(try content(PNGCodePoints.self)?.cicp.isHighDynamicRange) ?? false
    if isHDR || chunk(.profile) != nil { remove(.standardRGB) }
    if let chunk = chunk(.exif), case .bytes(let bytes) = chunk.content,
      ExifBlock.hasPrefix(bytes)
    {
      set(PNGChunk(.exif, ExifBlock.withoutPrefix(bytes)))
    }
    if let (name, bytes) = try ifReadable(try profile()) {
      let corrected = ICCProfile.correctingIdentifier(of: bytes)
      if corrected != bytes { try setProfile(corrected, name: name) }
    }
  }

  /// Whether the checksum of a chunk of the source is wrong.
  ///
  /// - Throws: `.inputOutput` if the source cannot be read.
  package func hasWrongChecksum(_ chunk: PNGChunk) throws(ImageError) -> Bool {
    guard !chunk.isDamaged, case .stored(let range) = chunk.content else { return chunk.isDamaged }
    let bytes = try source.bytes(in: range.lowerBound + 8..<range.upperBound)
    let stored = bytes.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
    return stored != chunk.type.checksum(of: Array(bytes.dropLast(4)))
  }

  /// Gives a chunk a correct checksum, unless its content is invalid.
  private mutating func correctChecksum(at index: Int) throws(ImageError) {
    var chunk = chunks[index]
    if case .stored(let range) = chunk.content {
      let bytes = try source.bytes(in: range.lowerBound + 8..<range.upperBound - 4)
      chunk.content = .bytes(bytes)
    }
    chunk.isDamaged = false
    var file = self
    file.chunks = [chunk]
    guard try file.isContentValid(of: chunk.type) else { return }
    chunks[index] = chunk
  }

  /// Whether the content of the first chunk of a type is valid; true for types without a structure.
  private func isContentValid(of type: PNGChunk.ChunkType) throws(ImageError) -> Bool {
    func isValid<Content: PNGChunkContent>(_ type: Content.Type) throws(ImageError) -> Bool {
      try ifReadable(try content(type)) != nil
    }
    return switch type {
    case .codePoints: try isValid(PNGCodePoints.self)
    case .masteringDisplay: try isValid(PNGMasteringDisplay.self)
    case .contentLightLevel: try isValid(PNGContentLightLevel.self)
    case .standardRGB: try isValid(PNGStandardRGB.self)
    case .gamma: try isValid(PNGGamma.self)
    case .chromaticities: try isValid(PNGChromaticities.self)
    case .significantBits: try isValid(PNGSignificantBits.self)
    case .pixelSize: try isValid(PNGPixelSize.self)
    case .palette: try isValid(PNGPalette.self)
    case .profile: try ifReadable(try profile()) != nil
    default: true
    }
  }

  /// Keeps one chunk of each type that may occur once: the one that readers use.
  private mutating func removeDuplicates() {
    var kept: [PNGChunk.ChunkType: Int] = [:]
    for (index, chunk) in chunks.enumerated() where !chunk.type.isRepeatable {
      if let other = kept[chunk.type], !chunks[other].isDamaged { continue }
      kept[chunk.type] = index
    }
    let indices = chunks.indices.filter {
      chunks[$0].type.isRepeatable || kept[chunks[$0].type] == $0
    }
    chunks = indices.map { chunks[$0] }
  }

  /// Moves chunks that come too late to the zone that the standard requires.
  private mutating func arrangeChunks() {
    let late = chunks.indices.filter { index in
      let type = chunks[index].type
      return type != .end && index > end(of: type == .exif ? .afterPalette : type.zone)
    }
    let moved = late.map { chunks[$0] }
    for index in late.reversed() { chunks.remove(at: index) }
    for chunk in moved { insert(chunk) }
  }
}

extension PNGFile {
  var damage: [Notice] { notices.filter { $0.code == .pngEndMissing } }

  func rewritten() -> SplicedBytes { serialized() }

  func isEqual(to other: any ParsedContainer) -> Bool {
    guard let other = other as? PNGFile else { return false }
    return chunks == other.chunks && trailer == other.trailer
  }
}
