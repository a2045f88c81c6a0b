// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// The strips or tiles of a raw image, with their locations in the file and in the image.
struct RawChunkGrid: Sendable {
  /// A strip or tile.
  struct Chunk: Sendable {
    var index: Int
    /// Bytes in the file.
    var bytes: Range<Int>
    /// The byte count of the directory, which may be 0 or exceed the file.
    var declaredSize: Int
    /// First pixel in the stored image.
    var x: Int
    var y: Int
    /// The plane of its samples; `nil` for all planes.
    var plane: Int?
    /// Size of the part within the image.
    var width: Int
    var height: Int
  }

  /// Size of a chunk in pixels; the last strip may have fewer rows.
  let chunkWidth: Int
  let chunkHeight: Int
  let isTiled: Bool
  let planesPerChunk: Int
  let chunks: [Chunk]

  /// Limit of the sides of tiles.
  private static let maximumSide = 1 << 17

  /// Reads the layout of chunks, whose bytes must be within the file.
  ///
  /// With `isClipped`, chunks are clipped to the end of the file, and those with a byte count of 0
  /// are as large as their samples can be.
  ///
  /// - Throws: `.malformed` and `.truncated` for contradictions, `.unsupported` for an unknown
  ///   arrangement of planes.
  init(
    _ directory: DNGDirectory, width: Int, height: Int, planes: Int, isClipped: Bool = false
  ) throws(ImageError) {
    let arrangement = try directory.integer(.planarConfiguration) ?? 1
    guard arrangement == 1 || arrangement == 2 else {
      throw directory.error(
        .unsupportedValue, .planarConfiguration,
        ["field": "arrangement of planes", "value": "\(arrangement)"])
    }
    let isPlanar = arrangement == 2 && planes > 1
    planesPerChunk = isPlanar ? 1 : planes
    let tile = (try directory.integer(.tileWidth), try directory.integer(.tileLength))
    if case (let tileWidth?, let tileHeight?) = tile {
      (chunkWidth, chunkHeight, isTiled) = (tileWidth, tileHeight, true)
    } else {
      let rows = try directory.integer(.rowsPerStrip) ?? height
      (chunkWidth, chunkHeight, isTiled) = (width, min(rows, height), false)
    }
    let tag: TIFFTag = isTiled ? .tileWidth : .rowsPerStrip
    guard (1...Self.maximumSide).contains(chunkWidth), (1...Self.maximumSide).contains(chunkHeight)
    else {
      throw directory.error(
        .invalidValue, tag, ["field": "size of chunks", "value": "\(chunkWidth)x\(chunkHeight)"])
    }
    let columns = (width - 1) / chunkWidth + 1
    let rows = (height - 1) / chunkHeight + 1
    let places = try Self.places(
      directory, isTiled: isTiled, count: columns * rows * (isPlanar ? planes : 1))
    let fileSize = directory.file.source.count
    let largest = chunkWidth * chunkHeight * planesPerChunk * MemoryLayout<Float>.size
    var chunks: [Chunk] = []
    chunks.reserveCapacity(places.count)
    for (index, (offset, size)) in places.enumerated() {
      let start = min(offset, fileSize)
      let wanted = isClipped && size == 0 && offset > 0 ? largest : size
      let bytes = start..<start + min(wanted, fileSize - start)
      guard isClipped || bytes.count == size else {
        throw ImageError(
          .truncated, "truncated: needs {size byte}; the file has {available byte}",
          ["size": size, "available": fileSize],
          at: .init(path: directory.path + [Self.name(of: index, isTiled: isTiled)], offset: offset)
        )
      }
      let cell = index % (columns * rows)
      let (x, y) = (cell % columns * chunkWidth, cell / columns * chunkHeight)
      chunks.append(
        Chunk(
          index: index, bytes: bytes, declaredSize: size, x: x, y: y,
          plane: isPlanar ? index / (columns * rows) : nil,
          width: min(chunkWidth, width - x), height: min(chunkHeight, height - y)))
    }
    self.chunks = chunks
  }

  /// Offsets and byte counts.
  private static func places(
    _ directory: DNGDirectory, isTiled: Bool, count: Int
  ) throws(ImageError) -> [(offset: Int, size: Int)] {
    let tags =
      isTiled
      ? (TIFFTag.tileOffsets, TIFFTag.tileByteCounts) : (.stripOffsets, .stripByteCounts)
    // The number of offsets is limited by the size of the file.
    let limit = directory.file.source.count
    let offsets = try directory.integers(tags.0, atMost: limit) ?? []
    let sizes = try directory.integers(tags.1, atMost: limit) ?? []
    guard offsets.count == count, sizes.count == count else {
      throw directory.error(
        .malformed, "{offsets offset} and {sizes size} do not match {chunks strip or tile}",
        tags.0, ["offsets": offsets.count, "sizes": sizes.count, "chunks": count])
    }
    return Array(zip(offsets, sizes))
  }

  /// Name of a chunk in error locations.
  static func name(of index: Int, isTiled: Bool) -> String {
    "\(isTiled ? "tile" : "strip") \(index)"
  }
}
