// SPDX-License-Identifier: Apache-2.0
package import HDRCore

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
    guard !chunk.isDamaged, case .stored(let range) = chunk.content else {
      return chunk.isDamaged
    }
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
