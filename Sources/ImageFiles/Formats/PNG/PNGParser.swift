// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Parses the chunks of a file and checks their order, number and CRC.
struct PNGParser {
  let source: ByteSource
  let limits: ImageLimits
  var position: Int
  var chunks: [PNGChunk] = []
  var notices: [Notice] = []
  var header = PNGHeader(width: 1, height: 1, bitDepth: 8, colorType: .gray)
  /// Whether critical chunks may have a wrong CRC.
  var acceptsWrongChecksums = false

  private var seen: Set<PNGChunk.ChunkType> = []
  private var noted: Set<Noted> = []
  private var samplesEnded = false
  private var otherChunks = 0

  init(source: ByteSource, limits: ImageLimits, position: Int) {
    self.source = source
    self.limits = limits
    self.position = position
  }

  /// Parses chunks up to and including `IEND`.
  mutating func parseChunks() throws(ImageError) {
    repeat {
      if try endsWithoutEnd() {
        notices.append(Notice(.pngEndMissing, at: .init(offset: source.count)))
        chunks.append(PNGChunk(.end, []))
        position = source.count
      } else {
        try parseChunk()
      }
    } while chunks.last?.type != .end
    guard seen.contains(.imageData) else {
      throw ImageError(.missingElement, ["element": "IDAT"], at: .init(offset: position))
    }
    if position < source.count {
      notices.append(
        Notice(.pngTrailingBytes, ["size": source.count - position], at: .init(offset: position))
      )
    }
  }

  /// Whether nothing but `IEND`, or a part of it, is missing: the coded samples are complete, so that
  /// libpng and Pillow show the image.
  private func endsWithoutEnd() throws(ImageError) -> Bool {
    let end = PNGFile.serializedEnd
    guard seen.contains(.imageData), source.count - position < end.count,
      end.starts(with: try source.bytes(in: position..<source.count))
    else { return false }
    var data = chunks.filter { $0.type == .imageData }.reversed().map(\.content)
    let source = source
    return try Zlib.streamSize { () throws(ImageError) in
      guard case .stored(let range)? = data.popLast() else { return nil }
      return try source.bytes(in: range.lowerBound + 8..<range.upperBound - 4)
    } != nil
  }

  private mutating func parseChunk() throws(ImageError) {
    let start = position
    let head = try source.bytes(in: start..<min(source.count, start + 8))
    guard head.count == 8 else {
      throw ImageError(
        .truncated, "ends before IEND: needs 12 bytes, {available} available",
        ["available": head.count], at: .init(offset: start))
    }
    let count = head[..<4].reduce(0) { $0 << 8 | Int($1) }
    let type = PNGChunk.ChunkType(rawValue: head[4...].reduce(0) { $0 << 8 | UInt32($1) })
    guard type.isValid else {
      throw ImageError(
        .invalidValue, ["field": "chunk name", "value": "not four letters"],
        at: .init(offset: start))
    }
    let place = ImageError.Location(path: ["\(type)"], offset: start)
    guard count <= PNGChunk.longest else {
      throw ImageError(
        .malformed, "chunk of {size byte}; the limit is 2147483647", ["size": count], at: place)
    }
    guard count <= source.count - start - PNGChunk.overhead else {
      throw ImageError(
        .dataTruncated, ["needed": count + PNGChunk.overhead, "available": source.count - start],
        at: place)
    }
    position = start + count + PNGChunk.overhead
    guard type == .imageHeader || !chunks.isEmpty else {
      throw ImageError(.malformed, "the first chunk is not IHDR", at: place)
    }
    try checkNumber(of: type, at: place)

    if type == .imageData || type == .frameData {
      try accept(PNGChunk(type, stored: start..<position), at: place)
    } else {
      let (bytes, isCorrect) = try data(of: type, in: start + 8..<position - 4, at: place)
      guard isCorrect || type.isCritical else {
        var damaged = PNGChunk(type, stored: start..<position)
        damaged.isDamaged = true
        return chunks.append(damaged)
      }
      var chunk = PNGChunk(type, bytes)
      chunk.isDamaged = !isCorrect
      try accept(chunk, at: place)
    }
  }

  /// Returns the data of a chunk, and whether its CRC is correct.
  ///
  /// - Throws: `.malformed` for a critical chunk whose CRC is wrong, unless this is accepted.
  private mutating func data(
    of type: PNGChunk.ChunkType, in range: Range<Int>, at place: ImageError.Location
  ) throws(ImageError) -> (bytes: [UInt8], isCorrect: Bool) {
    guard range.count <= limits.memory else {
      throw ImageError(.pngChunkLimitExceeded, ["size": range.count], at: place)
    }
    try Execution.current.budget.debit(memory: range.count, for: "chunks", at: place)
    var bytes = try source.bytes(in: range.lowerBound..<range.upperBound + 4)
    let stored = bytes.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
    bytes.removeLast(4)
    guard stored != type.checksum(of: bytes) else { return (bytes, true) }
    guard !type.isCritical || acceptsWrongChecksums else {
      throw ImageError(.pngChecksumMismatch, at: place)
    }
    notices.append(Notice(.irregular, "wrong checksum: chunk ignored", at: place))
    return (bytes, false)
  }

  /// Checks the number of chunks; data chunks, which may be many and small, have a separate limit.
  private mutating func checkNumber(
    of type: PNGChunk.ChunkType, at place: ImageError.Location
  ) throws(ImageError) {
    try Execution.current.budget.debit(elements: 1, of: "chunks", at: place)
    guard type == .imageData || type == .frameData else {
      otherChunks += 1
      guard otherChunks <= limits.items else {
        throw ImageError(
          .tooManyElements, ["limit": limits.items, "elements": "chunks"], at: place)
      }
      return
    }
    guard (chunks.count - otherChunks) / 16 <= limits.items else {
      throw ImageError(
        .tooManyElements, ["limit": 16 * limits.items, "elements": "data chunks"], at: place)
    }
  }

  private mutating func accept(
    _ chunk: PNGChunk, at place: ImageError.Location
  ) throws(ImageError) {
    let type = chunk.type
    if chunks.isEmpty, case .bytes(let bytes) = chunk.content {
      var reader = ByteReader(bytes.span, fileOffset: (place.offset ?? 0) + 8)
      do { header = try PNGHeader(parsing: &reader) } catch { throw error.inside("IHDR") }
      guard reader.isAtEnd else {
        throw ImageError(.invalidValue, ["field": "IHDR", "value": "too long"], at: place)
      }
    } else if type.isCritical {
      try checkCritical(type, at: place)
    } else {
      checkAncillary(type, at: place)
    }
    if seen.contains(.imageData), type != .imageData { samplesEnded = true }
    seen.insert(type.modernized)
    chunks.append(chunk)
  }

  private func checkCritical(
    _ type: PNGChunk.ChunkType, at place: ImageError.Location
  ) throws(ImageError) {
    switch type {
    case .palette:
      guard !seen.contains(.palette), !seen.contains(.imageData) else {
        throw ImageError(.malformed, "duplicate or late palette", at: place)
      }
    case .imageData:
      guard !samplesEnded else {
        throw ImageError(.malformed, "data chunks are not contiguous", at: place)
      }
      guard header.colorType != .palette || seen.contains(.palette) else {
        throw ImageError(.pngPaletteMissing, at: place)
      }
    case .end: break
    case .imageHeader: throw ImageError(.duplicateElement, ["element": "IHDR"], at: place)
    default: throw ImageError(.unsupported, "unknown critical chunk", at: place)
    }
  }

  private mutating func checkAncillary(_ type: PNGChunk.ChunkType, at place: ImageError.Location) {
    let isLate =
      type.zone < .palette && seen.contains(.palette)
      || type.zone < .imageData && seen.contains(.imageData)
    if isLate {
      note(.pngChunkTooLate, type, at: place)
    } else if seen.contains(type.modernized), !type.isRepeatable {
      note(.pngChunkDuplicate, type, at: place)
    }
  }

  /// Adds a notice, once for all chunks of a type.
  private mutating func note(
    _ code: NoticeCode, _ type: PNGChunk.ChunkType, at place: ImageError.Location
  ) {
    guard noted.insert(.init(code: code.id, type: type)).inserted else { return }
    notices.append(Notice(code, at: place))
  }

  private struct Noted: Hashable {
    let code: String
    let type: PNGChunk.ChunkType
  }
}
