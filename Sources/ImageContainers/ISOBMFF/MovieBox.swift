internal import HDRCore

/// The tracks of an image sequence beside the still picture: kept as they are, except for the file
/// offsets in them, which follow the media data when it moves.
///
/// Source: ISO/IEC 14496-12, 8.2.1 and 8.7.5.
struct MovieBox: Sendable {
  /// A file offset that is stored in the box.
  struct ChunkOffset: Equatable, Sendable {
    /// Place in `bytes`.
    var place: Int
    /// 4 bytes (`stco`) or 8 (`co64`).
    var size: Int
    var value: UInt64
  }

  let header: BoxHeader
  /// The content, with all chunk offsets set to zero.
  let bytes: [UInt8]
  let chunkOffsets: [ChunkOffset]

  init(
    parsing content: [UInt8], fileOffset: Int, header: BoxHeader, limits: ImageLimits
  ) throws(ImageError) {
    self.header = header
    var scanner = ChunkOffsetScanner(base: fileOffset, limits: limits)
    var reader = ByteReader(content.span, fileOffset: fileOffset)
    try scanner.scan(&reader, depth: 0)
    chunkOffsets = scanner.found
    var masked = content
    for offset in scanner.found {
      for index in offset.place..<offset.place + offset.size { masked[index] = 0 }
    }
    bytes = masked
  }

  /// The content with each chunk offset replaced.
  ///
  /// - Throws: `.unsupported` if an offset outgrows its field.
  func content(moving move: (UInt64) -> UInt64) throws(ImageError) -> [UInt8] {
    var moved = bytes
    for offset in chunkOffsets {
      let value = move(offset.value)
      guard offset.size == 8 || value <= UInt32.max else {
        throw ImageError(
          .unsupported, "a chunk of the sequence would move beyond 4 GiB",
          at: .init(path: ["moov", "stco"]))
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
  /// Compares all but the chunk offsets, which depend on the layout of the file.
  static func == (a: MovieBox, b: MovieBox) -> Bool { a.bytes == b.bytes }
}

/// Finds chunk offsets in `moov`.
private struct ChunkOffsetScanner {
  let base: Int
  let limits: ImageLimits
  var found: [MovieBox.ChunkOffset] = []

  private static let containers: Set<FourCC> = ["trak", "mdia", "minf", "stbl"]

  init(base: Int, limits: ImageLimits) {
    self.base = base
    self.limits = limits
  }

  mutating func scan(_ reader: inout ByteReader, depth: Int) throws(ImageError) {
    while !reader.isAtEnd {
      let box = try BoxHeader(parsing: &reader, available: reader.remaining)
      var content = try reader.readSlice(box.contentSize)
      do throws(ImageError) {
        switch box.type {
        case "stco": try readOffsets(&content, size: 4)
        case "co64": try readOffsets(&content, size: 8)
        case _ where Self.containers.contains(box.type) && depth < limits.nesting:
          try scan(&content, depth: depth + 1)
        default: break
        }
      } catch {
        throw error.inside(box.type.description)
      }
    }
  }

  private mutating func readOffsets(
    _ reader: inout ByteReader, size: Int
  ) throws(ImageError) {
    _ = try FullBoxHeader(parsing: &reader)
    let count = Int(try reader.readBigEndian(as: UInt32.self))
    try limits.check(found.count + count, "chunks", reader)
    for _ in 0..<count {
      let place = reader.fileOffset - base
      let value = try reader.readUnsigned(bytes: size)
      found.append(MovieBox.ChunkOffset(place: place, size: size, value: value))
    }
  }
}
