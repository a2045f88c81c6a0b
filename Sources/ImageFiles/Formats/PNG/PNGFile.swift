// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// A PNG file as a sequence of chunks.
///
/// Coded samples, and ancillary chunks with a wrong CRC, stay in the source; other chunks are in
/// memory.
///
/// Source: PNG Third Edition (W3C Recommendation, 2025).
package struct PNGFile: Sendable {
  /// The first eight bytes of every file.
  package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// The file that was parsed; empty for a new one.
  package let source: ByteSource
  /// All chunks from `IHDR` to `IEND`, in file order; a missing `IEND` is added.
  package var chunks: [PNGChunk]
  /// Size and sample layout.
  package internal(set) var header: PNGHeader
  /// Range of the bytes after `IEND` in the source, which are not standardized; `nil` if missing.
  package var trailer: Range<Int>?
  /// Irregularities that did not prevent parsing.
  package internal(set) var notices: [Notice] = []

  /// Creates a file with a header and without samples.
  ///
  /// The samples of a codec are inserted as `IDAT` chunks.
  package init(header: PNGHeader) {
    source = ByteSource([])
    self.header = header
    chunks = [PNGChunk(header), PNGChunk(.end, [])]
    trailer = nil
  }

  /// Parses the structure of a file.
  ///
  /// - Parameters:
  ///   - source: The bytes of the file; coded samples are not read.
  ///   - limits: Limits; `items` applies to the number of chunks, 16 times as many to data chunks,
  ///     and `memory` to the size of a chunk in memory.
  ///   - acceptsWrongChecksums: Whether critical chunks in memory may have a wrong CRC, which
  ///     serializing corrects; false by default.
  /// - Throws: `.malformed`, `.truncated` or `.unsupported` if it is not a supported PNG file,
  ///   `.limitExceeded` for too many or too large chunks; errors of reading the source.
  package init(
    parsing source: ByteSource, limits: ImageLimits = ImageLimits(),
    acceptsWrongChecksums: Bool = false
  ) throws(ImageError) {
    guard try source.prefix(Self.signature.count) == Self.signature else {
      throw ImageError(.notOfFormat, ["format": "PNG"], at: .init(offset: 0))
    }
    var parser = PNGParser(source: source, limits: limits, position: Self.signature.count)
    parser.acceptsWrongChecksums = acceptsWrongChecksums
    try parser.parseChunks()
    self.source = source
    chunks = parser.chunks
    header = parser.header
    notices = parser.notices
    trailer = parser.position < source.count ? parser.position..<source.count : nil
  }

  /// Returns the data of a chunk; the CRC of one that is not in memory is verified.
  ///
  /// - Parameter chunk: One of `chunks`.
  /// - Returns: The bytes between type and CRC.
  /// - Throws: `.malformed` if the CRC is wrong; errors of reading the source.
  package func data(of chunk: PNGChunk) throws(ImageError) -> [UInt8] {
    switch chunk.content {
    case .bytes(let bytes): return bytes
    case .stored(let range):
      let bytes = try source.bytes(in: range.lowerBound + 8..<range.upperBound - 4)
      let stored = try source.bytes(in: range.upperBound - 4..<range.upperBound)
      guard stored.reduce(0, { $0 << 8 | UInt32($1) }) == chunk.type.checksum(of: bytes) else {
        throw ImageError(
          .pngChecksumMismatch, at: .init(path: ["\(chunk.type)"], offset: range.lowerBound))
      }
      return bytes
    }
  }

  /// Serializes the file with its edits.
  ///
  /// Chunks that were not edited keep their bytes, and bytes after `IEND` are kept.
  package func serialized() -> SplicedBytes {
    var output = serialized(chunks)
    if let trailer { output.append(trailer) }
    return output
  }

  /// Serializes only header, palette and samples, which are sufficient for a decoder.
  package func serializedSamples() -> SplicedBytes {
    serialized(chunks.filter { !$0.type.isMetadata })
  }

  /// Serializes signature, header and metadata, for callers that write the samples after them.
  ///
  /// The chunks have the order of a new file: all of them precede the samples.
  package func serializedStart() -> SplicedBytes {
    serialized(chunks.filter { $0.type == .imageHeader || $0.type.isMetadata })
  }

  /// The last chunk of a file.
  package static let serializedEnd = PNGChunk(.end, []).serialized([])

  private func serialized(_ chunks: [PNGChunk]) -> SplicedBytes {
    var output = SplicedBytes(source: source)
    output.append(Self.signature)
    append(chunks, to: &output)
    return output
  }

  private func append(_ chunks: [PNGChunk], to output: inout SplicedBytes) {
    for chunk in chunks {
      switch chunk.content {
      case .bytes(let bytes): output.append(chunk.serialized(bytes))
      case .stored(let range): output.append(range)
      }
    }
  }
}

extension PNGChunk.ChunkType {
  fileprivate var isMetadata: Bool { ![.imageHeader, .palette, .imageData, .end].contains(self) }
}

extension PNGFile {
  /// Range of a video after IEND; `nil` without one.
  ///
  /// - Throws: Errors that end the whole job.
  package var video: Range<Int>? {
    get throws(ImageError) {
      guard let trailer else { return nil }
      let pieces = try ifReadable(try JPEGTrailer.split(trailer, of: source))
      return pieces?.lazy.compactMap(\.video).first
    }
  }

  /// Removes a video after IEND, and what follows it.
  ///
  /// - Throws: Errors that end the whole job.
  package mutating func removeVideo() throws(ImageError) {
    guard let trailer, let start = try video?.lowerBound else { return }
    self.trailer = start > trailer.lowerBound ? trailer.lowerBound..<start : nil
  }
}

extension PNGFile {
  /// Returns the first chunk of a type in the zone that the standard allows; `nil` if missing.
  ///
  /// Ancillary chunks with a wrong CRC are skipped. `mDCV` and `cLLI` are also found by the names
  /// of drafts, `mDCv` and `cLLi`.
  ///
  /// - Parameter type: The type, by its name in the standard.
  /// - Returns: The chunk, whose `type` is that in the file.
  ///
  /// Source: PNG Third Edition, 5.6.
  package func chunk(_ type: PNGChunk.ChunkType) -> PNGChunk? {
    chunks[..<end(of: type.zone)].first {
      $0.type.modernized == type && (!$0.isDamaged || type.isCritical)
    }
  }

  /// Parses the first chunk of a type; `nil` if missing.
  ///
  /// - Throws: `.truncated` or `.malformed` if its data are invalid.
  package func content<Content: PNGChunkContent>(
    _ type: Content.Type = Content.self
  ) throws(ImageError) -> Content? {
    guard let chunk = chunk(type.chunkType) else { return nil }
    let bytes = try data(of: chunk)
    do throws(ImageError) {
      var reader = ByteReader(bytes.span)
      let content = try Content(parsing: &reader)
      guard reader.isAtEnd else {
        throw reader.error(.invalidValue, ["field": "chunk length", "value": bytes.count])
      }
      return content
    } catch {
      throw error.inside("\(chunk.type)")
    }
  }

  /// Parses the first chunk of a type; invalid data are ignored with a notice.
  ///
  /// - Throws: Errors that end the whole job.
  package func content<Content: PNGChunkContent>(
    _ type: Content.Type = Content.self, notices: inout [Notice]
  ) throws(ImageError) -> Content? {
    do throws(ImageError) {
      return try content(type)
    } catch {
      guard !error.endsJob else { throw error }
      notices.append(
        Notice(
          .irregular, "chunk ignored: {cause}", ["cause": error],
          at: .init(path: error.location.path)))
      return nil
    }
  }

  /// Replaces all chunks of a type by one, in an allowed zone.
  package mutating func set(_ content: some PNGChunkContent) {
    set(PNGChunk(content))
  }

  /// Replaces all chunks of a type by one, in an allowed zone.
  package mutating func set(_ chunk: PNGChunk) {
    precondition(!chunk.type.isCritical || chunk.type == .palette, "the layout is not metadata")
    let place = chunks[..<end(of: chunk.type.zone)]
      .firstIndex { $0.type.modernized == chunk.type }
    remove(chunk.type)
    chunks.insert(chunk, at: place ?? end(of: chunk.type.insertionZone))
  }

  /// Removes all chunks of a type, including draft names.
  package mutating func remove(_ type: PNGChunk.ChunkType) {
    chunks.removeAll { $0.type.modernized == type }
  }

  /// Adds a chunk of a type that may occur several times, such as text, at the end of its zone.
  package mutating func insert(_ chunk: PNGChunk) {
    chunks.insert(chunk, at: end(of: chunk.type.insertionZone))
  }

  /// Index after the last chunk of a zone.
  func end(of zone: PNGChunk.ChunkType.Zone) -> Int {
    chunks.firstIndex { $0.type.ends(zone) } ?? chunks.count
  }
}

extension PNGFile {
  /// Offset of each chunk in the parsed file.
  package var chunkOffsets: [Int] {
    var offset = Self.signature.count
    return chunks.map { chunk in
      defer { offset += chunk.count + PNGChunk.overhead }
      return offset
    }
  }

  /// Describes the chunks of the parsed file; consecutive data chunks form one node.
  ///
  /// - Returns: A node for each chunk, or run of `IDAT` chunks, in file order, then the bytes after
  ///   `IEND`.
  /// - Throws: Never; data that cannot be parsed are noted in their node.
  package func structure() throws(ImageError) -> [StructureNode] {
    var nodes: [StructureNode] = []
    for (chunk, offset) in zip(chunks, chunkOffsets) {
      let range = offset..<offset + chunk.count + PNGChunk.overhead
      // The file may end without IEND.
      if chunk.type == .end, range.upperBound > source.count { continue }
      if chunk.type == .imageData, let last = nodes.last, last.name == "IDAT",
        let start = last.range?.lowerBound
      {
        nodes[nodes.count - 1].range = start..<range.upperBound
        let count = last.field("chunks").flatMap(Int.init) ?? 1
        nodes[nodes.count - 1].fields = [.init("chunks", "\(count + 1)")]
        continue
      }
      nodes.append(node(of: chunk, range))
    }
    if let trailer { nodes.append(StructureNode("trailer", trailer)) }
    return nodes
  }

  private func node(of chunk: PNGChunk, _ range: Range<Int>) -> StructureNode {
    var node = StructureNode("\(chunk.type)", range)
    if chunk.isDamaged {
      node.fields.addUnreadable("wrong checksum")
      return node
    }
    guard case .bytes(let bytes) = chunk.content else { return node }
    do throws(ImageError) {
      try describe(&node, chunk.type.modernized, bytes, at: range.lowerBound + 8)
    } catch {
      node.fields.addUnreadable(error.message)
    }
    return node
  }

  private func describe(
    _ node: inout StructureNode, _ type: PNGChunk.ChunkType, _ bytes: [UInt8], at offset: Int
  ) throws(ImageError) {
    var reader = ByteReader(bytes.span, fileOffset: offset)
    switch type {
    case .imageHeader:
      let header = try PNGHeader(parsing: &reader)
      node.fields.add("size", "\(header.width)x\(header.height)")
      node.fields.add("bits", header.bitDepth)
      node.fields.add("color type", "\(header.colorType)")
      if header.isInterlaced { node.fields.add("interlaced", "yes") }
    case .codePoints: node.fields.add("cicp", try PNGCodePoints(parsing: &reader).cicp.title)
    case .masteringDisplay:
      let display = try PNGMasteringDisplay(parsing: &reader).display
      node.fields.add(
        "luminance", "\(display.minimumLuminance)...\(display.maximumLuminance) cd/m²")
    case .contentLightLevel:
      let level = try PNGContentLightLevel(parsing: &reader).level
      node.fields.add("MaxCLL", "\(level.maximum) cd/m²")
      node.fields.add("MaxFALL", "\(level.maximumAverage) cd/m²")
    case .gamma: node.fields.add("exponent", "\(try PNGGamma(parsing: &reader).exponent)")
    case .standardRGB:
      node.fields.add("rendering intent", try PNGStandardRGB(parsing: &reader).renderingIntent)
    case .significantBits:
      node.fields.add(
        "bits",
        try PNGSignificantBits(parsing: &reader).bits.map(String.init).joined(separator: ", "))
    case .chromaticities:
      let primaries = try PNGChromaticities(parsing: &reader).primaries
      node.fields.add(
        "red, green, blue, white",
        [primaries.red, primaries.green, primaries.blue, primaries.white]
          .map { "\($0.x),\($0.y)" }.joined(separator: " "))
    case .profile:
      node.fields.add("name", try reader.readKeyword())
      node.children = [try ICCProfile(parsing: try reader.readDeflated()).structure(base: nil)]
    case .exif:
      let block = try ExifBlock(parsing: bytes)
      node.children = try block.structure.structure(base: offset + bytes.count - block.bytes.count)
    case _ where type.isText: node.fields.add("keyword", try reader.readKeyword())
    default: break
    }
  }
}
