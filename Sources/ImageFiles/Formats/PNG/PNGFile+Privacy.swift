// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension PNGFile {
  /// Whether readable Exif, XMP or text contains a location.
  var hasLocation: Bool {
    get throws(ImageError) {
      let others = try dependencies
      for chunk in chunks where try hasLocation(chunk, with: others) { return true }
      guard let video = try video else { return false }
      let metadata = try ifReadable(try VideoMetadata(in: video, of: source, removing: .location))
      return metadata?.hasLocation ?? false
    }
  }

  private func hasLocation(
    _ chunk: PNGChunk, with others: Dependencies
  ) throws(ImageError) -> Bool {
    switch try carrier(of: chunk, with: others) {
    case .exif(let bytes): try ifReadable(try ExifBlock(parsing: bytes).hasLocation) ?? false
    case .xmp(let bytes): try ifReadable(try XMPPacket(parsing: bytes).hasLocation) ?? false
    case .text(_, _, let bytes), .credentials(let bytes): try LocationEvidence.isPresent(in: bytes)
    case .resources(let bytes):
      if let isFound = try ifReadable(try PhotoshopResources(parsing: bytes).hasLocation) {
        isFound
      } else {
        try LocationEvidence.isPresent(in: bytes)
      }
    case .gainMap: try gainMapHasLocation(chunk)
    case .unreadable, .unknown, nil: false
    }
  }

  private func gainMapHasLocation(_ chunk: PNGChunk) throws(ImageError) -> Bool {
    var hasLocation = false
    _ = try ifReadable(
      try editingGainMap(in: chunk) { map throws(ImageError) in
        hasLocation = try map.hasLocation
      })
    return hasLocation
  }

  /// Removes the location from Exif, XMP and text.
  ///
  /// - Throws: `.malformed` for unreadable metadata that may contain a location.
  mutating func removeLocation() throws(ImageError) -> [Notice] {
    var findings = PrivacyFindings()
    try removeLocation(&findings)
    return findings.all
  }

  mutating func removeLocation(_ findings: inout PrivacyFindings) throws(ImageError) {
    if let (name, bytes) = try ifReadable(try profile()) {
      let isNamed = try LocationEvidence.isPresent(in: Array(name.utf8))
      let isFound = try LocationEvidence.isPresent(in: bytes)
      if isNamed { findings.drop("name of the ICC profile") }
      if isNamed || isFound { try normalizeProfile() }
      // Compressed, so that it is not found in the bytes of the output.
      if isFound, let rest = try ifReadable(try profile()?.bytes) {
        if rest != bytes { findings.drop("tags of the ICC profile") }
        findings.keep(try LocationEvidence.isPresent(in: rest) ? ["ICC profile"] : [])
      }
    }
    var edited: [PNGChunk] = []
    let others = try dependencies
    for chunk in chunks {
      if let new = try withoutLocation(chunk, with: others, &findings) { edited.append(new) }
    }
    chunks = edited
    try removeSurplus { name, bytes throws(ImageError) in try !findings.keeps(name, bytes) }
    if let trailer {
      let name = "\(trailer.count) bytes after IEND"
      if try LocationEvidence.isPresent(in: trailer, of: source) {
        findings.drop(name)
        self.trailer = nil
      } else {
        findings.keep([name])
      }
    }
  }

  /// Removes a part of the metadata from the image and its gain map.
  ///
  /// - Throws: `.malformed` for metadata that cannot be edited.
  mutating func remove(_ part: DroppedPart) throws(ImageError) -> [Notice] {
    var notices: [Notice] = []
    let others = try dependencies
    var edited: [PNGChunk] = []
    for chunk in chunks {
      var new: PNGChunk? = chunk
      switch try carrier(of: chunk, with: others) {
      case .exif(let old):
        let rest = try part.removed(fromExif: old, &notices)
        if rest != old { new = PNGChunk(.exif, rest) }
      case .xmp(let old):
        let rest = try part.removed(fromXMP: old)
        if rest != old { new = PNGText(keyword: Self.xmpKeyword, bytes: rest).chunk }
      case .resources(let old):
        let rest = try part.removed(fromResources: old, &notices)
        if rest != old { new = rest.isEmpty ? nil : try Self.rawProfile(iptc: rest) }
      case .gainMap:
        var found: [Notice] = []
        let map = try editingGainMap(in: chunk) { map throws(ImageError) in
          found = try map.remove(part)
        }
        (new, notices) = (map ?? chunk, notices + found)
      case .text, .credentials, .unreadable, .unknown, nil: break
      }
      if let new { edited.append(new) }
    }
    chunks = edited
    return notices
  }

  /// Removes all chunks that readers do not need to show the image.
  mutating func removePersonal() throws(ImageError) {
    let orientation = try ExifBlock.orientation(of: try ifReadable(try exif()))
    let packet = try PrivateBlock.structure(ofXMP: try ifReadable(try xmp()))
    if let chunk = chunk(.profile), try !isUsed(chunk, with: dependencies) {
      try normalizeProfile()
    }
    let file = self
    let others = try dependencies
    var edited: [PNGChunk] = []
    for chunk in chunks {
      if chunk.type == .gainMap {
        let map = try editingGainMap(in: chunk) { map throws(ImageError) in
          try map.removePersonal()
        }
        if let map { edited.append(map) }
      } else if chunk.type == .gainMapMetadata {
        if let metadata = try file.trimmedGainMapMetadata(chunk) { edited.append(metadata) }
      } else if chunk.type.isCritical {
        // Truecolor images only suggest a palette.
        if chunk.type != .palette || header.colorType == .palette { edited.append(chunk) }
      } else if Self.needed.contains(chunk.type.modernized), try file.isUsed(chunk, with: others) {
        edited.append(chunk)
      }
    }
    chunks = edited
    trailer = nil
    try removeSurplus { _, _ in true }
    // Its name is text.
    if chunk(.profile) != nil { try normalizeProfile() }
    setXMP(packet)
    if orientation != .upright { setExif(ExifBlock.minimal(orientation: orientation)) }
  }

  /// Chunks without text; those of the animation and of gain maps included.
  ///
  /// Source: PNG Third Edition, table 7; `gmAP` and `gdAT` of Android.
  private static let needed: Set<PNGChunk.ChunkType> = [
    .codePoints, .masteringDisplay, .contentLightLevel, .profile, .standardRGB, .gamma,
    .chromaticities, .significantBits, .transparency, .background, .histogram, .pixelSize,
    .frameData, .animationControl, .frameControl, .gainMapMetadata, .gainMap,
  ]

  private enum Carrier {
    case exif([UInt8])
    case xmp([UInt8])
    /// Photoshop resources, also IPTC alone.
    case resources([UInt8])
    /// A text, and all bytes of its chunk.
    case text(keyword: String, [UInt8], whole: [UInt8])
    case credentials([UInt8])
    case gainMap
    /// Compressed data that cannot be inflated.
    case unreadable
    case unknown([UInt8])
  }

  /// Metadata in a chunk; `nil` for a chunk without metadata.
  private func carrier(
    of chunk: PNGChunk, with others: Dependencies
  ) throws(ImageError) -> Carrier? {
    guard chunk.type != .gainMap else { return .gainMap }
    let isNeeded = Self.needed.contains(chunk.type.modernized) || chunk.type == .palette
    guard isNeeded ? try !isUsed(chunk, with: others) : !chunk.type.isCritical else { return nil }
    guard let bytes = try ifReadable(try data(of: chunk)) else { return .unreadable }
    switch chunk.type {
    case .modificationTime where bytes.count == 7: return nil
    case .suggestedPalette:
      let name = bytes.prefix { $0 != 0 }
      return .text(keyword: String(decoding: name, as: UTF8.self), Array(name), whole: Array(name))
    case .exif: return .exif(ExifBlock.withoutPrefix(bytes))
    case .compressedExif: return try Self.inflated(bytes).map { .exif($0) } ?? .unreadable
    case .contentCredentials: return .credentials(bytes)
    case _ where chunk.type.isText:
      var reader = ByteReader(bytes.span)
      guard let text = try ifReadable(try PNGText(type: chunk.type, parsing: &reader)) else {
        return .unreadable
      }
      if text.keyword == Self.xmpKeyword { return .xmp(text.bytes) }
      guard text.keyword.hasPrefix("Raw profile type"),
        let profile = try Self.profile(in: text)
      else {
        // The data contain the language and the translated keyword.
        return .text(keyword: text.keyword, text.bytes, whole: bytes + [0] + text.bytes)
      }
      if ExifBlock.hasPrefix(profile) { return .exif(ExifBlock.withoutPrefix(profile)) }
      switch text.keyword {
      case _ where Self.resourceKeywords.contains(text.keyword):
        // Some writers omit the resource around the data sets.
        return .resources(profile.first == 0x1C ? PhotoshopResources(iptc: profile).bytes : profile)
      case "Raw profile type xmp": return .xmp(profile)
      default: return .text(keyword: text.keyword, profile, whole: profile)
      }
    default: return .unknown(bytes)
    }
  }

  /// The chunk without a location; `nil` if it is dropped.
  private func withoutLocation(
    _ chunk: PNGChunk, with others: Dependencies, _ findings: inout PrivacyFindings
  ) throws(ImageError) -> PNGChunk? {
    func drop(_ name: String) -> PNGChunk? {
      findings.drop(name)
      return nil
    }
    switch try carrier(of: chunk, with: others) {
    case nil: return chunk
    case .exif(let old):
      let new = try PrivateBlock.withoutLocation(exif: old, &findings)
      return new == old ? chunk : PNGChunk(.exif, new)
    case .xmp(let old):
      let new = try PrivateBlock.withoutLocation(xmp: old, &findings)
      let isNew = try new == old ? LocationEvidence.isPresent(in: data(of: chunk)) : true
      return !isNew ? chunk : PNGText(keyword: Self.xmpKeyword, bytes: new).chunk
    case .resources(let bytes):
      guard let resources = try ifReadable(try PhotoshopResources(parsing: bytes)) else {
        return try findings.keeps("IPTC text", bytes) ? chunk : nil
      }
      let isFound = try resources.hasLocation
      findings.keep(isFound ? [] : try resources.unreadParts)
      return isFound ? nil : chunk
    case .text(let keyword, let text, let whole):
      let name = "PNG text (\(keyword))"
      guard !XMPName.isLocation(keyword: keyword), try !LocationEvidence.isPresent(in: whole) else {
        return drop(name)
      }
      findings.keep(LocationEvidence.isText(text) ? [] : [name])
      return chunk
    case .gainMap:
      var found = findings
      let map = try editingGainMap(in: chunk) { map throws(ImageError) in
        try map.removeLocation(&found)
      }
      if let map {
        findings = found
        return map
      }
      let bytes = try ifReadable(try data(of: chunk)) ?? []
      return try findings.keeps("chunk '\(chunk.type)'", bytes) ? chunk : nil
    case .credentials(let bytes):
      return try JUMBF.mayContainLocation(bytes) ? drop("content credentials (C2PA)") : chunk
    case .unreadable: return drop("chunk '\(chunk.type)'")
    case .unknown(let bytes) where chunk.type == .gainMapMetadata:
      guard let trimmed = try trimmedGainMapMetadata(chunk) else {
        return try findings.keeps("chunk '\(chunk.type)'", bytes) ? chunk : nil
      }
      let surplus = Array(bytes.dropFirst(trimmed.count))
      return try findings.keeps("gain map metadata", surplus) ? chunk : trimmed
    case .unknown(let bytes):
      if try LocationEvidence.isPresent(in: bytes) { return drop("chunk '\(chunk.type)'") }
      findings.keep(["chunk '\(chunk.type)'"])
      return chunk
    }
  }

  /// The profile in hexadecimal digits of a text.
  private static func profile(in text: PNGText) throws(ImageError) -> [UInt8]? {
    try Execution.current.budget.debit(steps: text.bytes.count >> 2, for: "text of profiles")
    return rawProfile(in: text.bytes)
  }

  /// Exif of the chunk `zxIf`, which was proposed and not adopted: a zero, the size, a zlib stream.
  ///
  /// Source: ExifTool, PNG.pm, as documentation of the format.
  private static func inflated(_ bytes: [UInt8]) throws(ImageError) -> [UInt8]? {
    guard bytes.count > 5, bytes[0] == 0,
      let inflated = try ifReadable(
        try Zlib.inflate(Array(bytes[5...]), limit: Brotli.metadataLimit))
    else { return nil }
    return ExifBlock.withoutPrefix(inflated)
  }
}

extension PNGChunk.ChunkType {
  fileprivate static let modificationTime = PNGChunk.ChunkType("tIME")
  fileprivate static let compressedExif = PNGChunk.ChunkType("zxIf")
}
