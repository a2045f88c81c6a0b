// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageContainers

extension PNGFile {
  /// Whether readable Exif, XMP or text contains a location.
  var hasLocation: Bool {
    get throws(ImageError) {
      for chunk in chunks where try hasLocation(chunk) { return true }
      return false
    }
  }

  private func hasLocation(_ chunk: PNGChunk) throws(ImageError) -> Bool {
    switch try carrier(of: chunk) {
    case .exif(let bytes): try ifReadable(try ExifBlock(parsing: bytes).hasLocation) ?? false
    case .xmp(let bytes): try ifReadable(try XMPPacket(parsing: bytes).hasLocation) ?? false
    case .text(_, let bytes), .credentials(let bytes): try LocationEvidence.isPresent(in: bytes)
    case .resources(let bytes):
      try ifReadable(try PhotoshopResources(parsing: bytes).hasLocation) ?? false
    case .unreadable, .unknown, nil: false
    }
      || video.flatMap { try? VideoMetadata(in: $0, of: source, removing: .location) }?
        .hasLocation ?? false
  }

  /// Removes the location from Exif, XMP and text.
  ///
  /// - Throws: `.malformed` for unreadable metadata that may contain a location.
  mutating func removeLocation() throws(ImageError) -> [Notice] {
    var findings = PrivacyFindings()
    var edited: [PNGChunk] = []
    for chunk in chunks {
      if let new = try withoutLocation(chunk, &findings) { edited.append(new) }
    }
    chunks = edited
    if let trailer {
      let name = "\(trailer.count) bytes after IEND"
      if try LocationEvidence.isPresent(in: trailer, of: source) {
        findings.drop(name)
        self.trailer = nil
      } else {
        findings.keep([name])
      }
    }
    return findings.all
  }

  /// Removes all chunks that readers do not need to show the image.
  mutating func removePersonal() throws(ImageError) {
    let orientation = try ExifBlock.orientation(of: try ifReadable(try exif()) ?? nil)
    let packet = try PrivateBlock.structure(ofXMP: try ifReadable(try xmp()) ?? nil)
    // Its name is text.
    let profile = try ifReadable(try profile()?.bytes) ?? nil
    chunks.removeAll { !Self.needed.contains($0.type.modernized) && !$0.type.isCritical }
    trailer = nil
    if let profile, let name = (try? self.profile())?.name, name != Self.profileName {
      try setProfile(profile, name: Self.profileName)
    }
    setXMP(packet)
    if orientation != .upright { setExif(ExifBlock.minimal(orientation: orientation)) }
  }

  /// Chunks without text; those of the animation and of gain maps included.
  ///
  /// Source: PNG Third Edition, table 7; `gmAP` and `gdAT` of Android.
  private static let needed: Set<PNGChunk.ChunkType> = [
    .codePoints, .masteringDisplay, .contentLightLevel, .profile, .standardRGB, .gamma,
    .chromaticities, .significantBits, .transparency, .background, .histogram, .pixelSize,
    .frameData, PNGChunk.ChunkType("acTL"), PNGChunk.ChunkType("fcTL"), PNGChunk.ChunkType("gmAP"),
    PNGChunk.ChunkType("gdAT"),
  ]

  private enum Carrier {
    case exif([UInt8])
    case xmp([UInt8])
    /// Photoshop resources, also IPTC alone.
    case resources([UInt8])
    case text(keyword: String, [UInt8])
    case credentials([UInt8])
    /// Compressed data that cannot be inflated.
    case unreadable
    case unknown([UInt8])
  }

  /// Metadata in a chunk; `nil` for a chunk without metadata.
  private func carrier(of chunk: PNGChunk) throws(ImageError) -> Carrier? {
    guard !Self.needed.contains(chunk.type.modernized), !chunk.type.isCritical,
      chunk.type != .modificationTime, chunk.type != .suggestedPalette
    else { return nil }
    guard let bytes = try ifReadable(try data(of: chunk)) else { return .unreadable }
    switch chunk.type {
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
        let profile = Self.rawProfile(in: text.bytes)
      else { return .text(keyword: text.keyword, Array(text.keyword.utf8) + [0] + text.bytes) }
      if ExifBlock.hasPrefix(profile) { return .exif(ExifBlock.withoutPrefix(profile)) }
      switch text.keyword {
      case "Raw profile type iptc", "Raw profile type 8bim": return .resources(profile)
      case "Raw profile type xmp": return .xmp(profile)
      default: return .text(keyword: text.keyword, profile)
      }
    default: return .unknown(bytes)
    }
  }

  /// The chunk without a location; `nil` if it is dropped.
  private func withoutLocation(
    _ chunk: PNGChunk, _ findings: inout PrivacyFindings
  ) throws(ImageError) -> PNGChunk? {
    func drop(_ name: String) -> PNGChunk? {
      findings.drop(name)
      return nil
    }
    switch try carrier(of: chunk) {
    case nil: return chunk
    case .exif(let old):
      let new = try PrivateBlock.withoutLocation(exif: old, &findings)
      return new == old ? chunk : PNGChunk(.exif, new)
    case .xmp(let old):
      let new = try PrivateBlock.withoutLocation(xmp: old)
      return new == old ? chunk : PNGText(keyword: Self.xmpKeyword, bytes: new).chunk
    case .resources(let bytes):
      guard let resources = try ifReadable(try PhotoshopResources(parsing: bytes)) else {
        return try LocationEvidence.isPresent(in: bytes) ? drop("IPTC text") : chunk
      }
      return try resources.hasLocation ? nil : chunk
    case .text(let keyword, let bytes):
      guard !keyword.isLocationKeyword, try !LocationEvidence.isPresent(in: bytes) else {
        return drop("PNG text (\(keyword))")
      }
      return chunk
    case .credentials(let bytes):
      return try JUMBF.mayContainLocation(bytes) ? drop("content credentials (C2PA)") : chunk
    case .unreadable: return drop("chunk '\(chunk.type)'")
    case .unknown(let bytes):
      if try LocationEvidence.isPresent(in: bytes) { return drop("chunk '\(chunk.type)'") }
      findings.keep(["chunk '\(chunk.type)'"])
      return chunk
    }
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

extension String {
  /// Whether a keyword of PNG text names a place, as `exif:GPSLatitude` of ImageMagick.
  fileprivate var isLocationKeyword: Bool {
    let name = lowercased()
    return ["gps", "location", "latitude", "longitude", "geo:"].contains { name.contains($0) }
      || ["city", "country", "state", "place"].contains(name)
  }
}
