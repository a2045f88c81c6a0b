internal import HDRCore

/// Walks the chunks of a file and holds them against the rules.
struct PNGParser {
  let source: ByteSource
  let limits: ImageLimits
  var position: Int
  var chunks: [PNGChunk] = []
  var notices: [Notice] = []
  var header = PNGHeader(width: 1, height: 1, bitDepth: 8, colorType: .gray)

  private var seen: Set<PNGChunk.Kind> = []
  private var samplesEnded = false
  private var otherChunks = 0

  init(source: ByteSource, limits: ImageLimits, position: Int) {
    self.source = source
    self.limits = limits
    self.position = position
  }

  /// Reads up to and including `IEND`.
  mutating func parseChunks() throws(ImageError) {
    repeat { try parseChunk() } while chunks.last?.kind != .end
    guard seen.contains(.imageData) else {
      throw ImageError(.malformed, "no IDAT chunk", at: .init(offset: position))
    }
    if position < source.count {
      notices.append(
        Notice(
          .irregular, "\(source.count - position) bytes after the end", at: .init(offset: position))
      )
    }
  }

  private mutating func parseChunk() throws(ImageError) {
    let start = position
    let head = try source.bytes(in: start..<min(source.count, start + 8))
    guard head.count == 8 else {
      throw ImageError(
        .truncated, "ends before IEND: needs 12 bytes, has \(head.count)", at: .init(offset: start))
    }
    let count = head[..<4].reduce(0) { $0 << 8 | Int($1) }
    let kind = PNGChunk.Kind(rawValue: head[4...].reduce(0) { $0 << 8 | UInt32($1) })
    guard kind.isValid else {
      throw ImageError(.malformed, "a chunk whose name is not letters", at: .init(offset: start))
    }
    let place = ImageError.Location(path: ["\(kind)"], offset: start)
    guard count <= PNGChunk.longest else {
      throw ImageError(.malformed, "\(count) bytes; at most 2^31 - 1 are allowed", at: place)
    }
    guard count <= source.count - start - PNGChunk.overhead else {
      throw ImageError(
        .truncated,
        "needs \(count + PNGChunk.overhead) bytes, has \(source.count - start)", at: place)
    }
    position = start + count + PNGChunk.overhead
    guard kind == .imageHeader || !chunks.isEmpty else {
      throw ImageError(.malformed, "the first chunk is not IHDR", at: place)
    }
    try checkNumber(of: kind, at: place)

    if kind == .imageData || kind == .frameData {
      try accept(PNGChunk(kind, stored: start..<position), at: place)
    } else if let bytes = try verifiedData(of: kind, in: start + 8..<position - 4, at: place) {
      try accept(PNGChunk(kind, bytes), at: place)
    } else {
      var damaged = PNGChunk(kind, stored: start..<position)
      damaged.isDamaged = true
      chunks.append(damaged)
    }
  }

  /// The data; `nil` for an ancillary chunk whose checksum is wrong.
  private mutating func verifiedData(
    of kind: PNGChunk.Kind, in range: Range<Int>, at place: ImageError.Location
  ) throws(ImageError) -> [UInt8]? {
    guard range.count <= limits.memory else {
      throw ImageError(.limitExceeded, "\(range.count) bytes in one chunk", at: place)
    }
    var bytes = try source.bytes(in: range.lowerBound..<range.upperBound + 4)
    let stored = bytes.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
    bytes.removeLast(4)
    guard stored != kind.checksum(of: bytes) else { return bytes }
    guard !kind.isCritical else { throw ImageError(.malformed, "wrong checksum", at: place) }
    notices.append(Notice(.irregular, "wrong checksum: chunk ignored", at: place))
    return nil
  }

  /// Coded samples come in many small chunks, so that they have a limit of their own.
  private mutating func checkNumber(
    of kind: PNGChunk.Kind, at place: ImageError.Location
  ) throws(ImageError) {
    guard kind == .imageData || kind == .frameData else {
      otherChunks += 1
      guard otherChunks <= limits.items else {
        throw ImageError(.limitExceeded, "more than \(limits.items) chunks", at: place)
      }
      return
    }
    guard (chunks.count - otherChunks) / 16 <= limits.items else {
      throw ImageError(.limitExceeded, "more than 16 * \(limits.items) data chunks", at: place)
    }
  }

  private mutating func accept(
    _ chunk: PNGChunk, at place: ImageError.Location
  ) throws(ImageError) {
    let kind = chunk.kind
    if chunks.isEmpty, case .bytes(let bytes) = chunk.content {
      var reader = ByteReader(bytes.span, fileOffset: (place.offset ?? 0) + 8)
      do { header = try PNGHeader(parsing: &reader) } catch { throw error.inside("IHDR") }
      guard reader.isAtEnd else { throw ImageError(.malformed, "IHDR is too long", at: place) }
    } else if kind.isCritical {
      try checkCritical(kind, at: place)
    } else {
      checkAncillary(kind, at: place)
    }
    if seen.contains(.imageData), kind != .imageData { samplesEnded = true }
    seen.insert(kind.modernized)
    chunks.append(chunk)
  }

  private func checkCritical(
    _ kind: PNGChunk.Kind, at place: ImageError.Location
  ) throws(ImageError) {
    switch kind {
    case .palette:
      guard !seen.contains(.palette), !seen.contains(.imageData) else {
        throw ImageError(.malformed, "a second or late palette", at: place)
      }
    case .imageData:
      guard !samplesEnded else {
        throw ImageError(.malformed, "data chunks are not in one run", at: place)
      }
      guard header.colorType != .palette || seen.contains(.palette) else {
        throw ImageError(.malformed, "palette indices without a palette", at: place)
      }
    case .end: break
    case .imageHeader: throw ImageError(.malformed, "a second header", at: place)
    default: throw ImageError(.unsupported, "an unknown critical chunk", at: place)
    }
  }

  private mutating func checkAncillary(_ kind: PNGChunk.Kind, at place: ImageError.Location) {
    let isLate =
      kind.zone < .palette && seen.contains(.palette)
      || kind.zone < .imageData && seen.contains(.imageData)
    if isLate {
      notices.append(Notice(.irregular, "too late in the file: chunk ignored", at: place))
    } else if seen.contains(kind.modernized), !kind.isRepeatable {
      notices.append(Notice(.irregular, "the first chunk of this kind counts", at: place))
    }
  }
}
