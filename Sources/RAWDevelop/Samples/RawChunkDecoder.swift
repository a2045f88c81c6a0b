// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Decoder of the strips or tiles of a raw image.
struct RawChunkDecoder: Sendable {
  let layout: RawLayout
  private let source: ByteSource
  /// Receives notices of strips and tiles that are not padded, or whose byte counts are wrong.
  private let notices: DecodingNotices
  /// Image rows and columns of stored rows and columns, for interleaved fields.
  private let targetRows: [Int]
  private let targetColumns: [Int]

  init(_ layout: RawLayout, _ source: ByteSource, notices: DecodingNotices = DecodingNotices()) {
    self.layout = layout
    self.notices = notices
    self.source = source
    targetRows = Self.order(layout.height, fields: layout.interleaving.rows)
    targetColumns = Self.order(layout.width, fields: layout.interleaving.columns)
  }

  /// Image rows of stored rows: the rows of the first field come first.
  ///
  /// Source: DNG 1.7.1, RowInterleaveFactor and ColumnInterleaveFactor.
  private static func order(_ count: Int, fields: Int) -> [Int] {
    (0..<fields).flatMap { stride(from: $0, to: count, by: fields) }
  }

  /// Decodes the whole image.
  ///
  /// - Parameter damage: Receives the errors of chunks that are left black, all or the rows after the
  ///   error, if the layout allows that.
  /// - Returns: The samples.
  /// - Throws: The error of a damaged chunk; if damage is allowed, only if all chunks are damaged.
  func decode(damage: inout [ImageError]) throws(ImageError) -> RawSamples {
    if !layout.salvages { try checkSizes() }
    let (width, height) = (layout.width * layout.planes, layout.height)
    let samples: RawSamples
    switch layout.coding {
    case .integer:
      var plane = Plane<UInt16>(width: width, height: height, filledWith: 0)
      damage = try decode(into: &plane) { (chunk, damage) throws(ImageError) in
        try integers(of: chunk, &damage)
      }
      samples = RawSamples(planeCount: layout.planes, rows: .integer(plane))
    case .float:
      var plane = Plane<Float>(width: width, height: height, filledWith: 0)
      damage = try decode(into: &plane) { (chunk, damage) throws(ImageError) in
        try floats(of: chunk, &damage)
      }
      samples = RawSamples(planeCount: layout.planes, rows: .float(plane))
    }
    return samples
  }

  /// Validates the sizes of chunks before samples are allocated.
  ///
  /// - Throws: `.truncated` if the bytes of a chunk cannot hold its samples, or those of the file all
  ///   samples, because chunks share bytes.
  private func checkSizes() throws(ImageError) {
    var sum = 0
    for chunk in layout.grid.chunks {
      let needed = leastSize(of: chunk)
      guard needed <= chunk.bytes.count else {
        throw locate(
          ImageError(.rawChunkTruncated, ["size": chunk.bytes.count, "needed": needed]), chunk)
      }
      sum += needed
      let isUnpadded =
        layout.compression == .none && chunk.bytes.count < rowSize * storedHeight(chunk)
      if chunk.bytes.count != chunk.declaredSize, !isUnpadded {
        notices.add(
          Notice(
            .tiffByteCountIgnored, ["size": chunk.declaredSize],
            at: .init(path: [RawChunkGrid.name(of: chunk.index, isTiled: layout.grid.isTiled)])))
      }
    }
    if let first = layout.grid.chunks.first, sum > source.count {
      throw locate(ImageError(.rawChunkTruncated, ["size": source.count, "needed": sum]), first)
    }
  }

  /// The least bytes that hold the samples of a chunk.
  private func leastSize(of chunk: RawChunkGrid.Chunk) -> Int {
    let samples = chunk.width * chunk.height * layout.grid.planesPerChunk
    return switch layout.compression {
    case .none: unpaddedRowSize(chunk) * chunk.height
    // At least one bit for each sample.
    case .losslessJPEG: samples / 8
    // The maximum compression of deflate, RFC 1951.
    case .deflate: samples * layout.coding.bits / 8 / 1032
    // At least one bit for each block.
    case .lossyJPEG: samples / 64 / 8
    // A header; flat areas take no bytes.
    case .jpegXL: 2
    }
  }

  /// Chunks that are decoded before they are copied: enough for all threads, within a few
  /// megabytes.
  private static func groupSize(of grid: RawChunkGrid) -> Int {
    let samples = grid.chunkWidth * grid.chunkHeight * grid.planesPerChunk
    return min(max((1 << 22) / samples, 2), 8) * Execution.current.threads
  }

  /// Decodes a chunk, also in part.
  private typealias ChunkDecoder<Sample> =
    @Sendable (RawChunkGrid.Chunk, _ damage: inout ImageError?) throws(ImageError) -> [Sample]

  /// Decodes chunks in parallel.
  ///
  /// - Returns: Errors of chunks that are left black.
  /// - Throws: As `decode(damage:)`.
  private func decode<Sample>(
    into plane: inout Plane<Sample>, _ body: ChunkDecoder<Sample>
  ) throws(ImageError) -> [ImageError] {
    let grid = layout.grid
    let chunks = grid.chunks
    let group = Self.groupSize(of: grid)
    // Coded and decoded samples of the chunks that are decoded at a time.
    let chunk = grid.chunkWidth * grid.chunkHeight * grid.planesPerChunk
    let size = MemoryLayout<Sample>.stride
    let memory = 2 * size * chunk * min(group, chunks.count)
    return try Execution.current.budget.reserving(memory: memory, for: "strips or tiles") {
      () throws(ImageError) in
      try decode(chunks, inGroupsOf: group, into: &plane, body)
    }
  }

  private func decode<Sample>(
    _ chunks: [RawChunkGrid.Chunk], inGroupsOf group: Int, into plane: inout Plane<Sample>,
    _ body: ChunkDecoder<Sample>
  ) throws(ImageError) -> [ImageError] {
    var damage: [ImageError] = []
    var hasSamples = false
    for start in stride(from: 0, to: chunks.count, by: group) {
      try Execution.current.report(Double(start) / Double(chunks.count))
      let part = chunks[start..<min(start + group, chunks.count)]
      let decoded: [(samples: [Sample]?, damage: ImageError?)] = try concurrentMap(
        part.count
      ) { (index) throws(ImageError) in
        let chunk = part[start + index]
        var damage: ImageError?
        do throws(ImageError) {
          let samples = try body(chunk, &damage)
          return (samples, damage.map { locate($0, chunk) })
        } catch {
          let error = locate(error, chunk)
          guard layout.salvages, !error.endsJob else { throw error }
          return (nil, error)
        }
      }
      for (chunk, result) in zip(part, decoded) {
        if let samples = result.samples {
          place(samples, of: chunk, in: &plane)
          hasSamples = true
        }
        damage += [result.damage].compactMap { $0 }
      }
    }
    if !hasSamples, let first = damage.first { throw first }
    return damage
  }

  /// Copies the part of a chunk within the image.
  private func place<Sample>(
    _ samples: [Sample], of chunk: RawChunkGrid.Chunk, in plane: inout Plane<Sample>
  ) {
    let perPixel = layout.grid.planesPerChunk
    let source = samples.span
    for y in 0..<chunk.height {
      var row = plane.mutableRow(targetRows[chunk.y + y])
      let first = y * layout.grid.chunkWidth * perPixel
      if perPixel == layout.planes, layout.interleaving.columns == 1 {
        let target = chunk.x * perPixel
        for index in 0..<chunk.width * perPixel { row[target + index] = source[first + index] }
        continue
      }
      for x in 0..<chunk.width {
        let target = targetColumns[chunk.x + x] * layout.planes + (chunk.plane ?? 0)
        for index in 0..<perPixel { row[target + index] = source[first + x * perPixel + index] }
      }
    }
  }

  private func locate(_ error: ImageError, _ chunk: RawChunkGrid.Chunk) -> ImageError {
    var error = error
    error.location.offset = error.location.offset ?? chunk.bytes.lowerBound
    return error.inside(RawChunkGrid.name(of: chunk.index, isTiled: layout.grid.isTiled))
  }

  /// Samples of a row of a chunk.
  private var rowCount: Int { layout.grid.chunkWidth * layout.grid.planesPerChunk }

  /// Bytes of a row of a chunk that is not compressed.
  private var rowSize: Int { (rowCount * layout.coding.bits + 7) / 8 }

  /// Bytes of a row of the part of a chunk within the image, if it is not compressed.
  private func unpaddedRowSize(_ chunk: RawChunkGrid.Chunk) -> Int {
    (chunk.width * layout.grid.planesPerChunk * layout.coding.bits + 7) / 8
  }

  /// Returns the rows of a tile with the padding that its encoder omitted.
  ///
  /// Tiles at the right and bottom edges should be padded to their full size; some programs store
  /// only the rows, or only the rows and columns, within the image. Other readers show them.
  ///
  /// - Parameters:
  ///   - samples: Stored samples or bytes.
  ///   - rowCount: Number of samples or bytes in a row of the full size.
  ///   - unpadded: Number of those in a row within the image.
  ///   - chunk: The tile.
  /// - Returns: The samples of the full size; unchanged if they have another size.
  private func padded<Sample: ExpressibleByIntegerLiteral>(
    _ samples: [Sample], rowCount: Int, unpadded: Int, _ chunk: RawChunkGrid.Chunk
  ) -> [Sample] {
    let height = storedHeight(chunk)
    guard samples.count < rowCount * height else { return samples }
    let isNarrow = samples.count == unpadded * chunk.height && unpadded < rowCount
    guard isNarrow || samples.count >= rowCount * chunk.height else { return samples }
    notices.add(
      Notice(
        .rawChunkUnpadded, ["size": .size(layout.grid.chunkWidth, height)],
        at: .init(path: [RawChunkGrid.name(of: chunk.index, isTiled: layout.grid.isTiled)])))
    guard isNarrow else {
      return samples + [Sample](repeating: 0, count: rowCount * height - samples.count)
    }
    var result = [Sample](repeating: 0, count: rowCount * height)
    for y in 0..<chunk.height {
      for x in 0..<unpadded { result[y * rowCount + x] = samples[y * unpadded + x] }
    }
    return result
  }

  /// Returns the samples of a tile with the padding that its encoder omitted.
  func padded<Sample: ExpressibleByIntegerLiteral>(
    _ samples: [Sample], _ chunk: RawChunkGrid.Chunk
  ) -> [Sample] {
    padded(samples, rowCount: rowCount, unpadded: chunk.width * layout.grid.planesPerChunk, chunk)
  }

  /// Stored rows of a chunk: all rows of a tile, or the rows of a strip within the image.
  func storedHeight(_ chunk: RawChunkGrid.Chunk) -> Int {
    layout.grid.isTiled ? layout.grid.chunkHeight : chunk.height
  }
}

extension RawChunkDecoder {
  /// The bytes of a chunk; missing bytes of uncompressed samples are 0 if damage is allowed.
  private func bytes(
    of chunk: RawChunkGrid.Chunk, _ damage: inout ImageError?
  ) throws(ImageError) -> [UInt8] {
    var bytes = try source.bytes(in: chunk.bytes)
    if layout.compression == .none {
      let size = bytes.count
      bytes = padded(bytes, rowCount: rowSize, unpadded: unpaddedRowSize(chunk), chunk)
      let needed = rowSize * storedHeight(chunk)
      if bytes.count < needed {
        let error = ImageError(.rawChunkTruncated, ["size": size, "needed": needed])
        guard layout.salvages, !bytes.isEmpty else { throw error }
        damage = error
        bytes += [UInt8](repeating: 0, count: needed - bytes.count)
      }
    }
    return bytes
  }

  private func integers(
    of chunk: RawChunkGrid.Chunk, _ damage: inout ImageError?
  ) throws(ImageError) -> [UInt16] {
    let bytes = try bytes(of: chunk, &damage)
    switch layout.compression {
    case .losslessJPEG: return try losslessJPEG(bytes, chunk, &damage)
    case .lossyJPEG: return try lossyJPEG(bytes, chunk)
    case .jpegXL: return try jpegXL(bytes, chunk)
    case .none: return integers(bytes, chunk)
    case .deflate: return integers(try inflate(bytes, chunk), chunk)
    }
  }

  private func floats(
    of chunk: RawChunkGrid.Chunk, _ damage: inout ImageError?
  ) throws(ImageError) -> [Float] {
    let stored = try bytes(of: chunk, &damage)
    if layout.compression == .jpegXL { return try jpegXL(stored, chunk) }
    let bytes = layout.compression == .deflate ? try inflate(stored, chunk) : stored
    let size = layout.coding.bits / 8
    var samples: [Float] = []
    samples.reserveCapacity(rowCount * storedHeight(chunk))
    for row in 0..<storedHeight(chunk) {
      guard layout.predictor.method == .floatingPoint else {
        samples += SampleUnpacking.floats(
          bytes, from: row * rowSize, count: rowCount, size: size, order: layout.byteOrder)
        continue
      }
      let ordered = layout.predictor.undoFloatingPoint(
        Array(bytes[row * rowSize..<(row + 1) * rowSize]), planes: layout.grid.planesPerChunk,
        size: size)
      samples += SampleUnpacking.floats(
        ordered, from: 0, count: rowCount, size: size, order: .bigEndian)
    }
    return samples
  }

  private func integers(_ bytes: [UInt8], _ chunk: RawChunkGrid.Chunk) -> [UInt16] {
    var samples: [UInt16] = []
    samples.reserveCapacity(rowCount * storedHeight(chunk))
    for row in 0..<storedHeight(chunk) {
      var unpacked = SampleUnpacking.integers(
        bytes, from: row * rowSize, count: rowCount, bits: layout.coding.bits,
        order: layout.byteOrder)
      layout.predictor.undo(&unpacked, planes: layout.grid.planesPerChunk, bits: layout.coding.bits)
      samples += unpacked
    }
    return samples
  }

  private func inflate(
    _ bytes: [UInt8], _ chunk: RawChunkGrid.Chunk
  ) throws(ImageError) -> [UInt8] {
    let size = rowSize * storedHeight(chunk)
    // The predictor of floating-point samples divides whole rows into planes of bytes.
    let isWhole = layout.predictor.method == .floatingPoint
    let inflated = padded(
      try Zlib.inflate(bytes, limit: size, isKept: false), rowCount: rowSize,
      unpadded: isWhole ? rowSize : unpaddedRowSize(chunk), chunk)
    guard inflated.count == size else {
      throw ImageError(
        .truncated, "inflates to {size byte}; its samples require {needed}",
        ["size": inflated.count, "needed": size])
    }
    return inflated
  }

  private func lossyJPEG(
    _ bytes: [UInt8], _ chunk: RawChunkGrid.Chunk
  ) throws(ImageError) -> [UInt16] {
    guard let library = CodecRegistry.current.jpeg else {
      throw ImageError(.codecNotBuilt, ["codec": "libjpeg", "format": "raw samples in lossy JPEG"])
    }
    let (width, height) = (layout.grid.chunkWidth, storedHeight(chunk))
    let limits = ImageLimits(pixels: width * height, side: max(width, height))
    let tile = try library.tile(bytes, limits: limits)
    guard isSize(tile.width, tile.height, of: chunk) else {
      throw ImageError(
        .malformed, "image of {found}, not {expected}",
        ["found": .size(tile.width, tile.height), "expected": .size(width, height)])
    }
    let planes = layout.grid.planesPerChunk
    let samples = stride(from: 0, to: tile.samples.count, by: 3 / planes).map {
      UInt16(tile.samples[$0])
    }
    return padded(samples, chunk)
  }

  /// Decodes lossless JPEG, whose frame may have another shape than the tile with as many samples.
  ///
  /// The precision of the frame may also differ, since it only determines the initial prediction:
  /// cameras write samples of 12 bits in frames of 14 or 16.
  ///
  /// Source: DNG 1.7.1, chapter 3, "Compression".
  private func losslessJPEG(
    _ bytes: [UInt8], _ chunk: RawChunkGrid.Chunk, _ damage: inout ImageError?
  ) throws(ImageError) -> [UInt16] {
    let jpeg = try LosslessJPEG(
      parsing: bytes, fileOffset: chunk.bytes.lowerBound,
      hasBitsAfter32768: layout.hasBitsAfter32768)
    let frame = jpeg.header
    let wanted = rowCount * storedHeight(chunk)
    let isSameWidth = frame.width * frame.componentCount == rowCount
    let isEnough = isSameWidth && jpeg.sampleCount >= rowCount * chunk.height
    let unpadded = chunk.width * layout.grid.planesPerChunk * chunk.height
    guard jpeg.sampleCount == wanted || isEnough || jpeg.sampleCount == unpadded
    else {
      throw ImageError(
        .malformed, "frame of {size pixel} with {components component}, for {samples sample}",
        [
          "size": .size(frame.width, frame.height), "components": frame.componentCount,
          "samples": wanted,
        ])
    }
    guard layout.salvages else { return padded(try jpeg.decode(), chunk) }
    let (samples, error) = try jpeg.salvage()
    damage = error
    return padded(samples, chunk)
  }

  /// Whether a coded image has the size of a tile, or of its part within the image.
  func isSize(_ width: Int, _ height: Int, of chunk: RawChunkGrid.Chunk) -> Bool {
    (width, height) == (layout.grid.chunkWidth, storedHeight(chunk))
      || (width, height) == (chunk.width, chunk.height)
      || (width, height) == (layout.grid.chunkWidth, chunk.height)
  }
}
