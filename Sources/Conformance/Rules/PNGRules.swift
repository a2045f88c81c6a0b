// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Rules of PNG chunks: order, number and content.
enum PNGRules {
  private static let text = "PNG Third Edition"

  private static let ignored = "libpng ignores the chunk"

  static let all: [Rule] = [
    png(
      "chunk-order", .must, "\(text), 5.6", "Chunks precede PLTE and IDAT where required",
      effect: ignored, except: "eXIf", order),
    png(
      "chunk-once", .must, "\(text), 5.6", "Single chunks are not repeated",
      effect: "readers differ in which they use", except: "equal chunks", once),
    png(
      "checksums", .must, "\(text), 5.3", "Checksums are correct",
      effect: "libpng ignores the chunk, or rejects the file", checksums),
    png(
      "chunk-content", .must, "\(text), 11.3", "Color and light chunks have their size and range",
      effect: ignored, content),
    png("cicp-matrix", .must, "\(text), 11.3.2.6", "cICP has matrix 0", effect: ignored, matrix),
    png(
      "mdcv-with-cicp", .must, "\(text), 11.3.2.7", "mDCV is accompanied by cICP", masteringWithCICP
    ),
    png(
      "profile-or-srgb", .should, "\(text), 11.3.2.3", "iCCP and sRGB are not both present",
      profileOrSRGB),
    png(
      "srgb-fallback", .ours, "readers without cICP show PQ as sRGB",
      "PQ and HLG images have no sRGB chunk", srgbFallback),
    png(
      "spelling", .ours, "\(text), 11.3.2", "Chunk types are those of the standard",
      effect: ignored, spelling),
    png(
      "profile", .must, "\(text), 11.3.2.3", "iCCP contains a readable profile", effect: ignored,
      profile),
    png(
      "exif", .must, "\(text), 11.3.4.4", "eXIf is Exif from its TIFF header on",
      effect: "readers ignore Exif", except: "the prefix of JPEG", exif),
    png(
      "xmp", .must, "\(text), 11.3.3.3; XMP part 3, 1.1.5", "XMP is RDF in XML",
      effect: "readers ignore XMP", xmp),
    png("end", .must, "\(text), 5.6", "The file and its gain map end with IEND", end),
    png("trailer", .ours, "\(text), 5.6", "Nothing follows IEND", trailer),
    png(
      "gain-map", .ours, "Skia, SkPngEncoder",
      "A gain map ('gdAT') precedes IDAT, is a PNG file with its metadata ('gmAP'), and is announced",
      effect: "Android shows the baseline image", except: "without 'gmAP' in front of it", gainMap),
  ]

  private static func png(
    _ id: String, _ level: Rule.Level, _ source: String, _ title: String, effect: String? = nil,
    except exception: String? = nil,
    _ check: @escaping @Sendable (CheckedPNG) throws(ImageError) -> [Finding]?
  ) -> Rule {
    Rule("png/\(id)", .png, level, source, title, effect: effect, except: exception) {
      (checked) throws(ImageError) -> [Finding]? in
      guard let png = checked.png else { return nil }
      return try check(png)
    }
  }

  private static let beforePalette: Set<PNGChunk.ChunkType> = [
    .codePoints, .masteringDisplay, .contentLightLevel, .profile, .standardRGB, .gamma,
    .chromaticities, .significantBits,
  ]
  private static let beforeData: Set<PNGChunk.ChunkType> = [
    .transparency, .background, .histogram, .suggestedPalette, .pixelSize, .exif,
  ]

  private static func order(_ png: CheckedPNG) -> [Finding]? {
    let chunks = png.file.chunks
    let data = chunks.firstIndex { $0.type == .imageData } ?? chunks.count
    let palette = chunks.firstIndex { $0.type == .palette } ?? data
    return chunks.indices.filter { index in
      let type = chunks[index].type
      return beforePalette.contains(type) && index > palette
        || beforeData.contains(type) && index > data
    }.map {
      // libpng reads Exif at any place.
      Finding(
        "after PLTE or IDAT", at: png.location(ofChunk: $0), fix: .correctStructure,
        isHarmless: chunks[$0].type == .exif)
    }
  }

  private static func once(_ png: CheckedPNG) -> [Finding]? {
    var first: [PNGChunk.ChunkType: PNGChunk] = [:]
    let single = beforePalette.union(beforeData).subtracting([.suggestedPalette])
    var findings: [Finding] = []
    for (index, chunk) in png.file.chunks.enumerated() where single.contains(chunk.type) {
      guard let other = first[chunk.type] else {
        first[chunk.type] = chunk
        continue
      }
      findings.append(
        Finding(
          "duplicate chunk", at: png.location(ofChunk: index), fix: .correctStructure,
          isHarmless: other == chunk))
    }
    return findings
  }

  private static func checksums(_ png: CheckedPNG) throws(ImageError) -> [Finding]? {
    var findings: [Finding] = []
    for (index, chunk) in png.file.chunks.enumerated() {
      guard try png.file.hasWrongChecksum(chunk) else { continue }
      findings.append(
        Finding("wrong checksum", at: png.location(ofChunk: index), fix: .correctStructure))
    }
    return findings
  }

  private static func content(_ png: CheckedPNG) throws(ImageError) -> [Finding]? {
    let file = png.file
    func check<Content: PNGChunkContent>(_ type: Content.Type) throws(ImageError) -> [Finding] {
      try findings(at: png.location(type.chunkType)) { () throws(ImageError) in
        _ = try file.content(type)
      }
    }
    var all = try [
      check(PNGCodePoints.self), check(PNGMasteringDisplay.self),
      check(PNGContentLightLevel.self), check(PNGStandardRGB.self), check(PNGGamma.self),
      check(PNGChromaticities.self), check(PNGSignificantBits.self), check(PNGPixelSize.self),
    ].flatMap { $0 }
    if let bits = try ifReadable(try file.content(PNGSignificantBits.self)?.bits) {
      let type = file.header.colorType
      let depth = type == .palette ? 8 : file.header.bitDepth
      let isRight =
        bits.count == (type == .palette ? 3 : type.channels)
        && bits.allSatisfy { (1...depth).contains(Int($0)) }
      if !isRight {
        all.append(
          Finding("\(bits) for samples of \(depth) bits", at: png.location(.significantBits)))
      }
    }
    return all
  }

  private static func matrix(_ png: CheckedPNG) throws(ImageError) -> [Finding]? {
    guard let cicp = try ifReadable(try png.file.content(PNGCodePoints.self)?.cicp) else {
      return nil
    }
    guard cicp.matrix != .identity else { return [] }
    var corrected = cicp
    corrected.matrix = .identity
    return [
      Finding(
        "matrix \(cicp.matrix.rawValue) (PNG stores RGB)", at: png.location(.codePoints),
        declared: cicp.description, fix: .setCICP(corrected))
    ]
  }

  private static func masteringWithCICP(_ png: CheckedPNG) -> [Finding]? {
    guard png.has(.masteringDisplay) else { return nil }
    return png.has(.codePoints)
      ? []
      : [Finding("no cICP", at: png.location(.masteringDisplay), fix: .dropMasteringDisplay)]
  }

  private static func profileOrSRGB(_ png: CheckedPNG) -> [Finding]? {
    guard png.has(.profile) || png.has(.standardRGB) else { return nil }
    return png.has(.profile) && png.has(.standardRGB)
      ? [
        Finding("both are present", at: png.location(.standardRGB), fix: .correctStructure)
      ] : []
  }

  private static func srgbFallback(_ png: CheckedPNG) throws(ImageError) -> [Finding]? {
    guard let cicp = try ifReadable(try png.file.content(PNGCodePoints.self)?.cicp),
      cicp.isHighDynamicRange
    else { return nil }
    return png.has(.standardRGB)
      ? [
        Finding("has an sRGB chunk", at: png.location(.standardRGB), fix: .correctStructure)
      ] : []
  }

  private static func spelling(_ png: CheckedPNG) -> [Finding]? {
    let drafts: [PNGChunk.ChunkType: PNGChunk.ChunkType] = [
      PNGChunk.ChunkType("mDCv"): .masteringDisplay, PNGChunk.ChunkType("cLLi"): .contentLightLevel,
    ]
    return png.file.chunks.indices.compactMap { index in
      drafts[png.file.chunks[index].type].map {
        Finding(
          "type of a draft, now \($0)", at: png.location(ofChunk: index), fix: .correctStructure)
      }
    }
  }

  private static func profile(_ png: CheckedPNG) throws(ImageError) -> [Finding]? {
    guard png.has(.profile) else { return nil }
    return try findings(at: png.location(.profile)) { () throws(ImageError) in
      _ = try png.file.profile()
    }
  }

  private static func exif(_ png: CheckedPNG) throws(ImageError) -> [Finding]? {
    guard let index = png.file.chunks.firstIndex(where: { $0.type == .exif && !$0.isDamaged })
    else { return nil }
    let bytes = try png.file.data(of: png.file.chunks[index])
    let place = png.location(ofChunk: index)
    if ExifBlock.hasPrefix(bytes) {
      return [
        Finding(
          "begins with the prefix of JPEG segments", at: place, fix: .correctStructure,
          isHarmless: true)
      ]
    }
    return try findings(at: place) { () throws(ImageError) in
      _ = try ExifBlock(parsing: bytes)
    }
  }

  private static func xmp(_ png: CheckedPNG) throws(ImageError) -> [Finding]? {
    guard let packet = try ifReadable(try png.file.xmp()) else { return nil }
    return try findings(at: .init(path: ["iTXt", "XMP"])) { () throws(ImageError) in
      _ = try XMPPacket(parsing: packet)
    }
  }

  private static func gainMap(_ png: CheckedPNG) throws(ImageError) -> [Finding]? {
    let file = png.file
    let types: [PNGChunk.ChunkType] = [.gainMap, .gainMapMetadata]
    let places = file.chunks.indices.filter { types.contains(file.chunks[$0].type) }
    guard !places.isEmpty else { return nil }
    let data = file.chunks.firstIndex { $0.type == .imageData } ?? file.chunks.count
    var findings = places.filter { $0 > data }.map {
      Finding("after IDAT", at: png.location(ofChunk: $0), fix: .correctStructure)
    }
    findings += types.compactMap { type in
      guard places.count(where: { file.chunks[$0].type == type }) > 1 else { return nil }
      return Finding("duplicate chunk", at: png.location(type), fix: .correctStructure)
    }
    guard png.has(.gainMap) else {
      // A gain map in a file of its own has the metadata.
      if try file.gainMapPayload == nil {
        findings.append(
          Finding("no gain map follows", at: png.location(.gainMapMetadata), fix: .correctStructure)
        )
      }
      return findings
    }
    do throws(ImageError) {
      if let map = try file.gainMapImage(), try map.gainMapPayload == nil {
        findings.append(
          Finding(
            "metadata of the gain map are missing", at: png.location(.gainMap),
            fix: try file.gainMapPayload == nil ? .dropGainMap : .correctStructure))
      }
    } catch {
      guard !error.endsJob else { throw error }
      findings.append(Finding(error.message, at: png.location(.gainMap), fix: .correctStructure))
    }
    if !png.has(.gainMapMetadata) {
      findings.append(Finding("no 'gmAP'", at: png.location(.gainMap), isHarmless: true))
    }
    return findings
  }

  private static func end(_ png: CheckedPNG) throws(ImageError) -> [Finding]? {
    let map = try ifReadable(try png.file.gainMapImage())
    let places = [
      (png.file, ImageError.Location(offset: png.byteCount)), (map, png.location(.gainMap)),
    ]
    return places.compactMap { file, place in
      file?.notices.contains { $0.code == .pngEndMissing } == true
        ? Finding("no IEND", at: place, fix: .correctStructure) : nil
    }
  }

  private static func trailer(_ png: CheckedPNG) -> [Finding]? {
    png.file.trailer.map {
      [Finding("\($0.count) bytes", at: .init(path: ["IEND"], offset: $0.lowerBound))]
    } ?? []
  }
}
