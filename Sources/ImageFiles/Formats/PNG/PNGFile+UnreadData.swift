// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Chunks that readers need, and bytes in them that readers ignore.
extension PNGFile {
  /// Chunks on which the use of others depends, found once for a file.
  struct Dependencies {
    /// Whether the file has the chunk that precedes the frames of an animation.
    let isAnimated: Bool
    /// Number of colors of the palette.
    let colors: Int
    /// The chunk that contains the ICC profile of the file, and nothing else.
    let profile: PNGChunk?
  }

  /// Chunks on which the use of others depends.
  ///
  /// - Throws: Errors that end the whole job.
  var dependencies: Dependencies {
    get throws(ImageError) {
      let palette = try ifReadable(try content(PNGPalette.self))
      var used = chunk(.profile)
      if let chunk = used {
        let bytes = try ifReadable(try data(of: chunk))
        let own = if let bytes { try profile(in: bytes) } else { nil as [UInt8]? }
        let whole = try ifReadable(try profile()?.bytes)
        if own == nil || own != whole { used = nil }
      }
      return Dependencies(isAnimated: isAnimated, colors: palette?.colors.count ?? 0, profile: used)
    }
  }

  /// Whether readers use a chunk: it has the size of its fields, and the chunks that it belongs to.
  ///
  /// - Parameters:
  ///   - chunk: The chunk.
  ///   - others: Properties of other chunks.
  /// - Returns: Whether it is used.
  /// - Throws: Errors that end the whole job.
  func isUsed(_ chunk: PNGChunk, with others: Dependencies) throws(ImageError) -> Bool {
    guard chunk.type != .frameData else { return others.isAnimated && chunk.count >= 4 }
    guard let bytes = try ifReadable(try data(of: chunk)) else { return false }
    let colors = others.colors
    switch chunk.type.modernized {
    case .codePoints, .gamma: return bytes.count == 4
    case .masteringDisplay: return bytes.count == 24
    case .contentLightLevel: return bytes.count == 8
    case .standardRGB: return bytes.count == 1
    case .chromaticities: return bytes.count == 32
    case .pixelSize: return bytes.count == 9
    case .significantBits: return bytes.count == (isPalette ? 3 : header.colorType.channels)
    case .background: return bytes.count == (isPalette ? 1 : isGray ? 2 : 6)
    case .transparency:
      return isPalette ? bytes.count <= colors : bytes.count == (isGray ? 2 : 6)
    case .histogram: return colors > 0 && bytes.count == 2 * colors
    case .palette: return colors > 0
    case .animationControl: return bytes.count == 8
    case .frameControl: return others.isAnimated && bytes.count == 26
    case .profile: return chunk == others.profile
    case .gainMapMetadata: return ISO21496Payload.fieldSize(of: bytes) == bytes.count
    default: return true
    }
  }

  /// Metadata of a gain map without bytes after their fields; `nil` for those that cannot be read.
  ///
  /// - Throws: Errors that end the whole job.
  func trimmedGainMapMetadata(_ chunk: PNGChunk) throws(ImageError) -> PNGChunk? {
    guard let bytes = try ifReadable(try data(of: chunk)),
      let size = ISO21496Payload.fieldSize(of: bytes)
    else { return nil }
    return size == bytes.count ? chunk : PNGChunk(chunk.type, Array(bytes[..<size]))
  }

  private var isPalette: Bool { header.colorType == .palette }
  private var isGray: Bool { [.gray, .grayAlpha].contains(header.colorType) }
  /// Whether the file has the chunk that precedes the frames of an animation.
  var isAnimated: Bool { chunks.contains { $0.type == .animationControl && $0.count == 8 } }

  /// The profile in the data of a chunk that contains nothing else.
  private func profile(in bytes: [UInt8]) throws(ImageError) -> [UInt8]? {
    let stream = Array(bytes.drop { $0 != 0 }.dropFirst(2))
    var parts = [stream]
    let size = try ifReadable(try Zlib.streamSize { parts.popLast() })
    guard size == stream.count else { return nil }
    return try ifReadable(try Zlib.inflate(stream, limit: 64 << 20)).flatMap {
      ICCProfile.trimmed($0, keepsTexts: true)
    }
  }

  /// Replaces the ICC profile by one with a neutral name and without bytes after it.
  ///
  /// - Throws: Errors of editing.
  mutating func normalizeProfile() throws(ImageError) {
    guard let (name, bytes) = try ifReadable(try profile()),
      let trimmed = ICCProfile.trimmed(bytes)
    else {
      return remove(.profile)
    }
    let others = try dependencies
    let isUsed = if let chunk = chunk(.profile) { try isUsed(chunk, with: others) } else { false }
    let neutral = name == Self.nameOfPQ ? Self.nameOfPQ : Self.profileName
    if name != neutral || !isUsed || trimmed != bytes { try setProfile(trimmed, name: neutral) }
  }

  /// Number of bytes of the samples of the image, before compression.
  var sampleByteCount: Int { header.byteCount(width: header.width, height: header.height) }

  /// Number of bytes of the samples of a frame of an animation, before compression.
  ///
  /// - Parameter chunk: The `fcTL` chunk; `nil` for data without one.
  /// - Returns: The number; that of the image for data without such a chunk.
  /// - Throws: Errors of reading the source.
  func sampleByteCount(ofFrame chunk: PNGChunk?) throws(ImageError) -> Int {
    guard let chunk, chunk.count == 26 else { return sampleByteCount }
    let bytes = try data(of: chunk)
    let (width, height) = (
      bytes[4..<8].reduce(0) { $0 << 8 | Int($1) }, bytes[8..<12].reduce(0) { $0 << 8 | Int($1) }
    )
    return header.byteCount(width: width, height: height)
  }

  /// Removes samples after the last row, bytes after the coded samples and in `IEND`.
  ///
  /// - Parameter isRemoved: Whether bytes with a name are removed.
  /// - Throws: Errors of reading the source.
  mutating func removeSurplus(
    _ isRemoved: (String, [UInt8]) throws(ImageError) -> Bool
  ) throws(ImageError) {
    if let end = chunks.last, end.type == .end, end.count > 0,
      try isRemoved("\(end.count) bytes in IEND", try data(of: end))
    {
      chunks[chunks.count - 1] = PNGChunk(.end, [])
    }
    var edited = try withoutSurplus(
      chunks.indices.filter { chunks[$0].type == .imageData }, samples: sampleByteCount, isRemoved)
    var frame: [Int] = []
    var control: PNGChunk?
    for index in isAnimated ? chunks.indices : 0..<0 {
      if chunks[index].type == .frameControl {
        edited += try withoutSurplus(frame, samples: sampleByteCount(ofFrame: control), isRemoved)
        (frame, control) = ([], chunks[index])
      } else if chunks[index].type == .frameData, chunks[index].count >= 4 {
        frame.append(index)
      }
    }
    edited += try withoutSurplus(frame, samples: sampleByteCount(ofFrame: control), isRemoved)
    for (place, chunk) in edited { chunks[place] = chunk }
    let emptied = Set(edited.filter { $0.chunk.count == 0 }.map(\.place))
    guard !emptied.isEmpty else { return }
    chunks = chunks.indices.filter { !emptied.contains($0) }.map { chunks[$0] }
  }

  /// Chunks without the bytes after the zlib stream that they contain, and without more samples than the
  /// image has, for which the others are compressed again.
  ///
  /// Chunks without other bytes are empty; those of frames keep their numbers, which follow one another.
  private func withoutSurplus(
    _ places: [Int], samples: Int, _ isRemoved: (String, [UInt8]) throws(ImageError) -> Bool
  ) throws(ImageError) -> [(place: Int, chunk: PNGChunk)] {
    guard let first = places.first else { return [] }
    let head = chunks[first].type == .frameData ? 4 : 0
    var index = 0
    let stream = try Zlib.streamSize(keepingAfter: samples) { () throws(ImageError) in
      guard index < places.count else { return nil }
      defer { index += 1 }
      let bytes = try ifReadable(try data(of: chunks[places[index]]))
      return bytes.map { Array($0.dropFirst(head)) }
    }
    guard let stream else { return [] }
    if !stream.rest.isEmpty,
      try isRemoved("\(stream.rest.count) bytes after the last row", stream.rest)
    {
      let datas = try places.map { place throws(ImageError) in try data(of: chunks[place]) }
      let shortened = try Zlib.shortened(datas.flatMap { $0.dropFirst(head) }, to: samples)
      return zip(places, datas).map { place, data in
        (place, PNGChunk(chunks[place].type, data.prefix(head) + (place == first ? shortened : [])))
      }
    }
    var rest = stream.size
    var edited: [(place: Int, chunk: PNGChunk)] = []
    var surplus: [UInt8] = []
    for place in places {
      let count = chunks[place].count - head
      if rest < count {
        let bytes = try data(of: chunks[place])
        surplus += bytes[(head + rest)...]
        edited.append((place, PNGChunk(chunks[place].type, Array(bytes[..<(head + rest)]))))
      }
      rest -= min(rest, count)
    }
    guard !surplus.isEmpty,
      try isRemoved("\(surplus.count) bytes after the samples", surplus)
    else { return [] }
    return edited
  }

  /// Edits the PNG file of a gain map.
  ///
  /// - Parameters:
  ///   - chunk: The chunk with the gain map.
  ///   - edit: The edit of the file.
  /// - Returns: The edited chunk; `nil` if the file cannot be parsed or contains a gain map itself.
  /// - Throws: Errors of `edit`.
  func editingGainMap(
    in chunk: PNGChunk, _ edit: (inout PNGFile) throws(ImageError) -> Void
  ) throws(ImageError) -> PNGChunk? {
    guard let bytes = try ifReadable(try data(of: chunk)),
      var map = try ifReadable(try PNGFile(parsing: ByteSource(bytes))),
      map.chunk(.gainMap) == nil
    else { return nil }
    try edit(&map)
    let new = try map.serialized().allBytes()
    return new == bytes ? chunk : PNGChunk(chunk.type, new)
  }
}

extension PNGChunk.ChunkType {
  static let animationControl = PNGChunk.ChunkType("acTL")
  static let frameControl = PNGChunk.ChunkType("fcTL")
}
