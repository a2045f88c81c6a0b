package import HDRCore
package import ImageContainers

/// Coded data that no edit of metadata may touch: a coded picture, the recipe of a derived one, the
/// samples of a PNG file.
package struct CodedPayload: Sendable {
  /// What the data belong to: `item 7 'hvc1'`, `picture 1`, `IDAT`.
  package let name: String
  /// Where they lie, in order.
  package let parts: [SourceBytes]

  init(_ name: String, _ parts: [SourceBytes]) {
    self.name = name
    self.parts = parts
  }

  /// Number of bytes.
  package var count: Int { parts.reduce(0) { $0 + $1.count } }

  /// Whether all of them are there.
  var isWhole: Bool { parts.allSatisfy(\.isWhole) }

  /// The digest of the joined parts, in hexadecimal.
  ///
  /// - Throws: What reading the data throws.
  package func sha256() throws(ImageError) -> String {
    var digest = SHA256()
    let step = 1 << 20
    for part in parts {
      for start in stride(from: 0, to: part.count, by: step) {
        digest.update(try part.slice(start..<min(part.count, start + step)).bytes())
      }
    }
    return digest.hexadecimal()
  }

  /// Compares the joined parts, however they are cut.
  ///
  /// - Throws: What reading the data throws.
  func hasSameBytes(as other: CodedPayload) throws(ImageError) -> Bool {
    guard count == other.count else { return false }
    var (left, right) = (Cursor(parts), Cursor(other.parts))
    while let available = left.available, let most = right.available {
      let length = min(available, most, 1 << 20)
      guard try left.read(length) == right.read(length) else { return false }
    }
    return true
  }

  /// Reads parts one after the other.
  private struct Cursor {
    private let parts: [SourceBytes]
    private var index = 0
    private var position = 0

    init(_ parts: [SourceBytes]) { self.parts = parts.filter { !$0.isEmpty } }

    /// Bytes that are left in the present part; `nil` behind the last one.
    var available: Int? { index < parts.count ? parts[index].count - position : nil }

    mutating func read(_ length: Int) throws(ImageError) -> [UInt8] {
      let bytes = try parts[index].slice(position..<position + length).bytes()
      position += length
      if position == parts[index].count { (index, position) = (index + 1, 0) }
      return bytes
    }
  }
}

extension HEIFFile {
  /// The data of all items but Exif and XMP, and the media data that only a sequence uses.
  ///
  /// - Throws: What finding the data of an item throws.
  package func codedPayloads() throws(ImageError) -> [CodedPayload] {
    var payloads: [CodedPayload] = []
    for item in items {
      if let payload = try codedPayload(of: item) { payloads.append(payload) }
    }
    if let sequence = sequencePayload { payloads.append(sequence) }
    return payloads
  }

  /// Those of `codedPayloads()` whose data are in the file.
  func wholePayloads() -> [CodedPayload] {
    let items = items.compactMap { try? codedPayload(of: $0) }.filter(\.isWhole)
    return items + (sequencePayload.map { [$0] } ?? [])
  }

  private func codedPayload(of item: HEIFItem) throws(ImageError) -> CodedPayload? {
    guard !item.isEditableMetadata else { return nil }
    switch item.data {
    case .absent, .external: return nil
    case .file, .itemDataBox, .items:
      return CodedPayload("item \(item.id) '\(item.type)'", try dataParts(of: item.id))
    }
  }

  /// What tracks may point at.
  private var sequencePayload: CodedPayload? {
    guard layout.movie != nil, let origin = layout.origin else { return nil }
    let used = items.flatMap { item -> [Range<Int>] in
      if case .file(let parts) = item.data { return parts.map(\.range) }
      return []
    }
    let others = SortedRanges(joining: used)
    let parts = layout.topLevel.flatMap { box -> [SourceBytes] in
      guard case .mediaData(let box) = box else { return [] }
      return others.removed(from: box.content.range).map { SourceBytes(origin, $0) }
    }
    return CodedPayload("media data of the sequence", parts)
  }
}

extension HEIFItem {
  /// Whether the item is metadata that edits may change.
  var isEditableMetadata: Bool {
    type == "Exif" || type == "mime" && contentType == HEIFFile.xmpContentType
  }
}

extension PNGFile {
  /// The samples, joined, and each chunk of animation.
  package func codedPayloads() -> [CodedPayload] {
    let origin = SourceBytes.Origin(source)
    func parts(_ kind: PNGChunk.Kind) -> [SourceBytes] {
      chunks.compactMap { chunk in
        guard chunk.kind == kind, case .stored(let range) = chunk.content else { return nil }
        return SourceBytes(origin, range.lowerBound + 8..<range.upperBound - 4)
      }
    }
    let frames = parts(.frameData).enumerated().map { CodedPayload("fdAT \($0 + 1)", [$1]) }
    return [CodedPayload("IDAT", parts(.imageData))] + frames
  }
}

extension JPEGFile {
  /// Tables, headers and scans of each picture, and what follows the pictures but for padding.
  package func codedPayloads() -> [CodedPayload] {
    let origin = SourceBytes.Origin(source)
    let pictures = images.enumerated().map { index, image in
      CodedPayload(Self.nameOfImage(index), image.codedParts(of: origin))
    }
    let trailers = trailers.filter { $0.kind != .padding }.enumerated().map { index, trailer in
      CodedPayload(
        "trailer \(index + 1) (\(trailer.kind.rawValue))", [SourceBytes(origin, trailer.range)])
    }
    return pictures + trailers
  }
}

extension JPEGImage {
  fileprivate func codedParts(of origin: SourceBytes.Origin) -> [SourceBytes] {
    parts.compactMap { part in
      switch part {
      case .segment(let segment):
        guard !segment.marker.isApplication, segment.marker != .comment else { return nil }
        return segment.stored.map { SourceBytes(origin, $0) } ?? SourceBytes(segment.serialized())
      case .scan(let range), .stray(let range): return SourceBytes(origin, range)
      case .copied(let bytes): return SourceBytes(bytes)
      }
    }
  }
}
