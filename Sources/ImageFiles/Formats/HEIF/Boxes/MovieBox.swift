// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// The tracks of an image sequence in a file with a still image.
///
/// Tracks are kept verbatim, except for file offsets, which are updated if media data move.
///
/// Source: ISO/IEC 14496-12, 8.2.1 and 8.7.5.
package struct MovieBox: Sendable {
  /// A file offset stored in the box.
  struct FileOffset: Equatable, Sendable {
    /// Position of the field in `bytes`.
    var place: Int
    /// Size of the field in bytes.
    var size: Int
    /// Stored value.
    var stored: UInt64
    /// Offset from the start of the file; `nil` for a base offset.
    var value: UInt64?
    /// Position of the type of the enclosing `meta` box, if the offset is that of metadata.
    var meta: Int?
  }

  let header: BoxHeader
  /// Content with all file offsets set to zero.
  private(set) var bytes: [UInt8]
  private let fileOffsets: [FileOffset]

  init(
    parsing content: [UInt8], fileOffset: Int, header: BoxHeader, limits: ImageLimits
  ) throws(ImageError) {
    self.header = header
    var scanner = FileOffsetScanner(start: fileOffset, limits: limits)
    var reader = ByteReader(content.span, fileOffset: fileOffset)
    try scanner.scan(&reader, depth: 0)
    fileOffsets = scanner.found
    bytes = Self.masked(content, fileOffsets)
  }

  /// Removes metadata of the tracks in place.
  ///
  /// - Returns: The edited content, with file offsets.
  /// - Throws: Errors that end the whole job.
  mutating func remove(_ removal: VideoMetadata.Removal) throws(ImageError) -> MovieEditor {
    try Execution.current.budget.debit(steps: bytes.count >> 4, for: "boxes of a video")
    var editor = MovieEditor(try content(isDropped: { _ in false }, moving: { $0 }), removal)
    try editor.edit()
    bytes = Self.masked(editor.bytes, fileOffsets)
    return editor
  }

  private static func masked(_ content: [UInt8], _ offsets: [FileOffset]) -> [UInt8] {
    var masked = content
    for offset in offsets {
      for index in offset.place..<offset.place + offset.size { masked[index] = 0 }
    }
    return masked
  }

  /// Returns the content with updated file offsets.
  ///
  /// A track may share Exif and XMP with the still image. If such data are dropped, the metadata
  /// box of the track becomes a `free` box.
  ///
  /// - Parameters:
  ///   - isDropped: Returns whether the data at an offset are dropped.
  ///   - move: Returns the new offset of data.
  /// - Returns: The content; its size does not change.
  /// - Throws: `.unsupported` if an offset exceeds its field.
  func content(
    isDropped: (UInt64) -> Bool, moving move: (UInt64) -> UInt64
  ) throws(ImageError) -> [UInt8] {
    var moved = bytes
    let isMoved = fileOffsets.contains { offset in offset.value.map(move) != offset.value }
    for offset in fileOffsets {
      guard let meta = offset.meta, let value = offset.value, isDropped(value) else { continue }
      moved.replaceSubrange(meta..<meta + 4, with: Array("free".utf8))
    }
    for offset in fileOffsets {
      // If data move, offsets are stored relative to the start of the file.
      let value = isMoved ? offset.value.map(move) ?? 0 : offset.stored
      guard offset.size == 8 || value <= UInt32.max else {
        throw ImageError(
          .unsupported, "an offset of the sequence does not fit its field",
          at: .init(path: ["moov"]))
      }
      for index in 0..<offset.size {
        let shift = UInt64(8 * (offset.size - 1 - index))
        moved[offset.place + index] = UInt8(truncatingIfNeeded: value >> shift)
      }
    }
    return moved
  }
}

extension MovieBox: Equatable {
  /// Compares everything except file offsets, which depend on the layout of the file.
  package static func == (a: MovieBox, b: MovieBox) -> Bool { a.bytes == b.bytes }
}

/// Finds file offsets in `moov`: those of chunks, and those of items that describe a track.
private struct FileOffsetScanner {
  let start: Int
  let limits: ImageLimits
  var found: [MovieBox.FileOffset] = []
  /// Position of the type of the `meta` box being parsed.
  private var meta: Int?

  private static let containers: Set<FourCC> = ["trak", "mdia", "minf", "stbl"]

  init(start: Int, limits: ImageLimits) {
    self.start = start
    self.limits = limits
  }

  mutating func scan(_ reader: inout ByteReader, depth: Int) throws(ImageError) {
    guard depth <= limits.nesting else {
      throw reader.error(.nestedTooDeeply, ["elements": "boxes", "limit": limits.nesting])
    }
    while !reader.isAtEnd {
      let box = try BoxHeader(parsing: &reader, available: reader.remaining)
      var content = try reader.readSlice(box.contentSize)
      do throws(ImageError) {
        switch box.type {
        case "stco": try readChunkOffsets(&content, size: 4)
        case "co64": try readChunkOffsets(&content, size: 8)
        case "iloc": try readItemLocations(&content)
        case "meta":
          meta = content.fileOffset - box.headerSize + 4 - start
          _ = try FullBoxHeader(parsing: &content)
          try scan(&content, depth: depth + 1)
          meta = nil
        case _ where Self.containers.contains(box.type):
          try scan(&content, depth: depth + 1)
        default: break
        }
      } catch {
        throw error.inside(box.type.description)
      }
    }
  }

  private mutating func readChunkOffsets(_ reader: inout ByteReader, size: Int) throws(ImageError) {
    _ = try FullBoxHeader(parsing: &reader)
    let count = Int(try reader.readBigEndian(as: UInt32.self))
    try limits.claim(count, total: found.count + count, "chunks", reader)
    for _ in 0..<count { try readOffset(&reader, size: size) }
  }

  private mutating func readOffset(
    _ reader: inout ByteReader, size: Int, base: UInt64 = 0
  ) throws(ImageError) {
    guard size > 0 else { return }
    let place = reader.fileOffset - start
    let stored = try reader.readUnsigned(bytes: size)
    let (value, overflow) = base.addingReportingOverflow(stored)
    guard !overflow else {
      throw reader.error(
        .invalidValue, ["field": "chunk offset", "value": "\(stored) from \(base)"])
    }
    found.append(.init(place: place, size: size, stored: stored, value: value, meta: meta))
  }

  /// Records the fields of an `iloc` box that are file offsets; see `ItemLocationBox`.
  private mutating func readItemLocations(_ reader: inout ByteReader) throws(ImageError) {
    let version = try FullBoxHeader(parsing: &reader).version
    let sizes: UInt16 = try reader.readBigEndian()
    let (offsetSize, lengthSize) = (Int(sizes >> 12), Int(sizes >> 8 & 0xF))
    let (baseSize, indexSize) = (Int(sizes >> 4 & 0xF), version == 0 ? 0 : Int(sizes & 0xF))
    for size in [offsetSize, lengthSize, baseSize, indexSize] where ![0, 4, 8].contains(size) {
      throw reader.error(.invalidValue, ["field": "field size", "value": size])
    }
    let count = Int(try reader.readItemID(isWide: version == 2))
    try limits.claim(count, "items with a location", reader)
    var extentCount = 0
    for _ in 0..<count {
      try reader.skip(version == 2 ? 4 : 2)
      let method = version == 0 ? 0 : try reader.readBigEndian(as: UInt16.self) & 0xF
      try reader.skip(2)
      let basePlace = reader.fileOffset - start
      let base = try reader.readUnsigned(bytes: baseSize)
      if method == 0 && baseSize > 0 {
        // If extents do not have offsets, the base offset is updated.
        let value = offsetSize == 0 ? base : nil
        found.append(
          .init(place: basePlace, size: baseSize, stored: base, value: value, meta: meta))
      }
      let extents = Int(try reader.readBigEndian(as: UInt16.self))
      extentCount += extents
      try limits.claim(extents, total: found.count + extentCount, "extents", reader)
      for _ in 0..<extents {
        try reader.skip(indexSize)
        if method == 0 {
          try readOffset(&reader, size: offsetSize, base: base)
        } else {
          try reader.skip(offsetSize)
        }
        try reader.skip(lengthSize)
      }
    }
  }
}
