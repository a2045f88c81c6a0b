// SPDX-License-Identifier: Apache-2.0
package import HDRCore

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
      node.children = try block.structure.structure(
        base: offset + bytes.count - block.bytes.count)
    case _ where type.isText: node.fields.add("keyword", try reader.readKeyword())
    default: break
    }
  }
}
