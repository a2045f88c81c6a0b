// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Storage layout of the samples of a raw image.
struct RawLayout: Sendable {
  /// Type of a decompressed sample.
  enum Coding: Hashable, Sendable {
    /// Integers packed from the most significant bit; 16 bits are in the byte order of the file.
    case integer(bits: Int)
    /// Floating point of 16, 24 or 32 bits in the byte order of the file.
    case float(bits: Int)

    var bits: Int {
      switch self {
      case .integer(let bits), .float(let bits): bits
      }
    }
  }

  /// Source: DNG 1.7.1, chapter 3, "Compression".
  enum Compression: Int, Hashable, Sendable {
    case none = 1
    case losslessJPEG = 7
    case deflate = 8
    case lossyJPEG = 34_892
    case jpegXL = 52_546
  }

  let width: Int
  let height: Int
  /// Samples per pixel.
  let planes: Int
  let coding: Coding
  let compression: Compression
  let predictor: TIFFPredictor
  let byteOrder: TIFFFile.ByteOrder
  let grid: RawChunkGrid
  /// Numbers of interleaved fields of rows and columns.
  let interleaving: (rows: Int, columns: Int)
  /// Whether lossless JPEG has unused bits after differences of 32768.
  let hasBitsAfter32768: Bool
  /// Whether damaged strips or tiles become black instead of errors.
  let salvages: Bool

  /// Reads the sample layout of a directory.
  ///
  /// - Throws: `.unsupported` for samples that cannot be decoded, `.malformed` and `.truncated`
  ///   for contradictions, `.limitExceeded` for more memory than allowed.
  init(
    of image: DNGImage, version: DNGVersion, limits: ImageLimits, salvages: Bool = false
  ) throws(ImageError) {
    let directory = image.directory
    self.salvages = salvages
    (width, height) = (image.width, image.height)
    byteOrder = directory.file.byteOrder
    hasBitsAfter32768 = version < DNGVersion([1, 1, 0, 0])
    planes = try directory.integer(.samplesPerPixel) ?? 1
    let allowed = image.photometric == .colorFilterArray ? [1] : [1, 3]
    guard allowed.contains(planes) else {
      throw directory.error(
        .unsupportedValue, .samplesPerPixel, ["field": "samples per raw pixel", "value": planes])
    }
    let code = try directory.integer(.compression) ?? 1
    guard let compression = Compression(rawValue: code) else {
      throw directory.error(
        .rawCompressionUnsupported, .compression, ["compression": Self.name(ofCompression: code)])
    }
    self.compression = compression
    coding = try Self.coding(directory, compression, planes: planes)
    predictor = try TIFFPredictor(directory, compression: compression)
    grid = try RawChunkGrid(
      directory, width: width, height: height, planes: planes, isClipped: true)
    interleaving = try Self.interleaving(directory)
    try Self.check(predictor, coding, compression, directory)
    try checkMemory(limits, directory)
  }

  /// The name of a compression with its code.
  static func name(ofCompression code: Int) -> String {
    switch code {
    case 9: "VC-5 (9)"
    default: "\(code)"
    }
  }

  private static func coding(
    _ directory: DNGDirectory, _ compression: Compression, planes: Int
  ) throws(ImageError) -> Coding {
    let depths = try directory.integers(.bitsPerSample, atMost: planes) ?? [1]
    let formats = try directory.integers(.sampleFormat, atMost: planes) ?? [1]
    guard Set(depths).count == 1, Set(formats).count == 1 else {
      throw directory.error(
        .unsupportedValue, .bitsPerSample, ["field": "depths of planes", "value": "\(depths)"])
    }
    switch (formats[0], depths[0]) {
    case (1, 8...16): return .integer(bits: depths[0])
    // Not in DNG, but in lossless JPEG.
    case (1, 2...7) where compression == .losslessJPEG: return .integer(bits: depths[0])
    case (3, 16), (3, 24), (3, 32): return .float(bits: depths[0])
    default:
      throw directory.error(
        .unsupported, "raw samples of {bits bit} in format {format} are not supported",
        .bitsPerSample, ["bits": depths[0], "format": formats[0]])
    }
  }

  private static func interleaving(
    _ directory: DNGDirectory
  ) throws(ImageError) -> (rows: Int, columns: Int) {
    let blocks = try directory.integers(.subTileBlockSize, atMost: 2) ?? [1, 1]
    guard blocks.allSatisfy({ $0 == 1 }) else {
      throw directory.error(
        .unsupportedValue, .subTileBlockSize,
        ["field": "size of blocks within tiles", "value": "\(blocks)"])
    }
    let rows = try directory.integer(.rowInterleaveFactor) ?? 1
    let columns = try directory.integer(.columnInterleaveFactor) ?? 1
    for (tag, factor) in [(TIFFTag.rowInterleaveFactor, rows), (.columnInterleaveFactor, columns)]
    where !(1...64).contains(factor) {
      throw directory.error(
        .invalidValue, tag, ["field": "number of interleaved fields", "value": "\(factor)"])
    }
    return (rows, columns)
  }

  private static func check(
    _ predictor: TIFFPredictor, _ coding: Coding, _ compression: Compression,
    _ directory: DNGDirectory
  ) throws(ImageError) {
    let fits =
      switch (predictor.method, coding) {
      case (.none, _): true
      case (.horizontal, .integer(let bits)): bits == 8 || bits == 16
      case (.horizontal, .float): false
      case (.floatingPoint, .float): true
      case (.floatingPoint, .integer): false
      }
    guard fits else {
      throw directory.error(
        .unsupported, "this predictor with samples of {bits bit} is not supported",
        .predictor, ["bits": coding.bits])
    }
    let isJPEG = compression == .losslessJPEG || compression == .lossyJPEG
    if case .float = coding, isJPEG {
      throw directory.error(.malformed, "floating-point samples in JPEG", .compression)
    }
    if compression == .lossyJPEG, coding != .integer(bits: 8) {
      throw directory.error(
        .malformed, "samples of {bits bit} in lossy JPEG, which has 8", .compression,
        ["bits": coding.bits])
    }
  }

  /// Default white level of integer samples.
  ///
  /// JPEG XL of more than 8 bits is decoded to 16.
  ///
  /// Source: DNG 1.7.1, WhiteLevel.
  var largestCode: Int { compression == .jpegXL && coding.bits > 8 ? 65_535 : 1 << coding.bits - 1 }

  /// Validates the memory of all samples, and of one strip or tile.
  private func checkMemory(_ limits: ImageLimits, _ directory: DNGDirectory) throws(ImageError) {
    let size = if case .float = coding { 4 } else { 2 }
    let image = width.multipliedReportingOverflow(by: height * planes * size)
    let chunk = grid.chunkWidth.multipliedReportingOverflow(
      by: grid.chunkHeight * grid.planesPerChunk * size)
    guard !image.overflow, !chunk.overflow,
      max(image.partialValue, chunk.partialValue) <= limits.memory
    else {
      throw directory.error(.rawSamplesLimitExceeded, .imageWidth, ["limit": limits.memory])
    }
  }
}

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
