// SPDX-License-Identifier: Apache-2.0
#if TIFF
internal import CShims
internal import HDRCore
internal import ImageFiles

/// Yields the rows of a TIFF image as planes.
///
/// Strips of interleaved samples are decoded row by row, unless they must be decoded as a whole. Of
/// other strips and of tiles, those that contain the current row are cached.
final class TIFFReader: SequentialRowReader {
  private let coded: TIFFLayout
  private let chunks: TIFFChunkReader
  private let unpacker: TIFFUnpacker
  /// Receives warnings of libtiff.
  private let notices: DecodingNotices
  private var cache = Cache()
  /// The last decoded row, and the number of the row that libtiff decodes next.
  private var row: [UInt8] = []
  private var nextRow = 0

  var layout: ImageLayout { coded.format }

  /// The chunks that cover some rows: those of the first plane, then those of the next.
  private struct Cache {
    var rows = 0..<0
    var chunks: [[UInt8]] = []
    /// The memory of the chunks.
    var memory: Execution.Reservation?
  }

  init(
    _ source: ByteSource, as coded: TIFFLayout, memory: Int, notices: DecodingNotices
  ) throws(ImageError) {
    self.coded = coded
    self.notices = notices
    chunks = try TIFFChunkReader(source, memory: memory, directory: coded.directoryOffset)
    unpacker = TIFFUnpacker(coded, isPlanar: chunks.layout.isPlanar)
    do throws(ImageError) {
      try checkLibrary(memory: memory)
    } catch {
      throw error.located(in: "directory", at: coded.directoryOffset)
    }
  }

  func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    let strip = layout.strip(height: rows.count)
    var planes: ImagePlanes.Planes =
      strip.samples == .float
      ? .float(strip.zeroPlanes(of: Float.self)) : .integer(strip.zeroPlanes(of: UInt16.self))
    for y in rows {
      do throws(ImageError) {
        try read(y, into: &planes, at: y - rows.lowerBound)
      } catch {
        throw error.inside("row \(y)")
      }
    }
    if let warning = chunks.warning {
      notices.add(Notice(.libraryWarned, ["library": "libtiff", "detail": warning]))
    }
    return ImagePlanes(layout: strip, planes: planes)
  }

  private func read(
    _ y: Int, into planes: inout ImagePlanes.Planes, at target: Int
  ) throws(ImageError) {
    let found = chunks.layout
    guard found.isPlanar || found.tile != nil || coded.needsWholeStrips else {
      try readRow(y)
      unpacker.unpack(row, from: 0, columns: 0..<layout.width, plane: nil, &planes, target)
      return
    }
    if !cache.rows.contains(y) { try load(y) }
    let across = found.tile.map { (layout.width - 1) / $0.width + 1 } ?? 1
    let chunkWidth = found.tile?.width ?? layout.width
    let rowSize = found.tile == nil ? found.rowSize : unpacker.rowSize(pixels: chunkWidth)
    for (index, chunk) in cache.chunks.enumerated() {
      let left = index % across * chunkWidth
      unpacker.unpack(
        chunk, from: (y - cache.rows.lowerBound) * rowSize,
        columns: left..<min(left + chunkWidth, layout.width),
        plane: found.isPlanar ? index / across : nil, &planes, target)
    }
  }

  /// Decodes row `y` of a strip after the preceding rows, since most codings do not allow random
  /// access.
  private func readRow(_ y: Int) throws(ImageError) {
    if row.isEmpty { row = [UInt8](repeating: 0, count: chunks.layout.rowSize) }
    let first = y / chunks.layout.rowsPerStrip * chunks.layout.rowsPerStrip
    if !(first...y).contains(nextRow) { nextRow = first }
    while nextRow <= y {
      try chunks.readRow(nextRow, plane: 0, into: &row)
      nextRow += 1
    }
  }

  /// Decodes the chunks that contain row `y`.
  private func load(_ y: Int) throws(ImageError) {
    let found = chunks.layout
    cache = Cache()
    let height = found.tile?.height ?? found.rowsPerStrip
    let first = y / height * height
    let across = found.tile.map { (layout.width - 1) / $0.width + 1 } ?? 1
    let count = across * (found.isPlanar ? coded.usedChannels.count : 1)
    let memory = try Execution.current.budget.reserve(
      memory: found.chunkSize * count, for: "strips or tiles")
    var loaded: [[UInt8]] = []
    for plane in found.isPlanar ? coded.usedChannels : [0] {
      for left in stride(from: 0, to: layout.width, by: found.tile?.width ?? layout.width) {
        try Execution.current.budget.debit(steps: 1 + found.chunkSize >> 10, for: "tiles")
        var bytes = [UInt8](repeating: 0, count: found.chunkSize)
        if found.tile == nil {
          try chunks.readStrip(row: first, plane: plane, into: &bytes)
        } else {
          try chunks.readTile(x: left, y: first, plane: plane, into: &bytes)
        }
        loaded.append(bytes)
      }
    }
    cache = Cache(rows: first..<min(first + height, layout.height), chunks: loaded, memory: memory)
  }

  /// Checks that libtiff finds the same layout as this module and that its memory is within the
  /// limit.
  private func checkLibrary(memory: Int) throws(ImageError) {
    let found = chunks.layout
    guard found.width == layout.width, found.height == layout.height,
      found.channels == coded.channels, found.bits == coded.coding.bits,
      found.tile != nil || found.rowSize == unpacker.rowSize(pixels: layout.width)
    else {
      throw ImageError(
        .malformed,
        "contradictory tags: libtiff finds {size pixel} of {channels sample} with {bits bit}",
        [
          "size": .size(Int(found.width), Int(found.height)), "channels": found.channels,
          "bits": found.bits,
        ])
    }
    var chunks = found.isPlanar ? coded.usedChannels.count : 1
    if let tile = found.tile {
      guard tile.width > 0, tile.height > 0,
        found.chunkSize / tile.height >= unpacker.rowSize(pixels: tile.width)
      else {
        throw ImageError(
          .invalidValue, ["field": "size of tiles", "value": "\(tile.width)x\(tile.height)"])
      }
      chunks *= (layout.width - 1) / tile.width + 1
    } else {
      guard found.rowsPerStrip > 0,
        found.chunkSize / min(found.rowsPerStrip, layout.height) >= found.rowSize
      else {
        throw ImageError(.invalidValue, ["field": "rows per strip", "value": found.rowsPerStrip])
      }
    }
    let (size, overflow) = found.chunkSize.multipliedReportingOverflow(by: chunks)
    guard !overflow, size <= memory else {
      throw ImageError(.tiffChunkLimitExceeded, ["size": found.chunkSize])
    }
  }
}

/// TIFF images: directories by `TIFFFile`, samples by libtiff and, for encoding, `Deflater`.
enum TIFFCodec: ImageDecoder, ImageEncoder {
  static let format = FileFormat.tiff

  /// The libraries that decode and encode samples, with their versions.
  static var libraries: [String] {
    // SAFETY: the string is a constant of the library.
    let text = unsafe String(cString: tiff_library())
    // "LIBTIFF, Version 4.5.0" and a copyright notice.
    let version = text.split(separator: "\n").first?.split(separator: " ").last ?? ""
    return ["libtiff \(version)"] + Deflater.libraries
  }
  static func decode(
    _ image: DeclaredImage, in file: ImageFile, notices: inout [Notice]
  ) throws(ImageError) -> Image {
    guard case .tiff(let tiff) = file.container, case .tiff(let layout) = image.samples else {
      throw file.format.missingCodec
    }
    let directory = tiff.mainDirectory
    guard directory[.dngVersion] == nil else {
      throw ImageError(
        .unsupported, "DNG files must be developed",
        at: .init(path: ["tag 50706"], offset: directory.offset))
    }
    let memory = file.options.limits.memory
    let warnings = file.decodingNotices
    return Image(coded: layout.format) { () throws(ImageError) in
      let source = try layout.checkedSource(of: tiff, notices: warnings)
      return try TIFFReader(source, as: layout, memory: memory, notices: warnings)
    }
  }
}

/// A directory as libtiff interprets it.
struct TIFFChunkLayout {
  struct Size {
    var width: Int
    var height: Int
  }

  var width = 0
  var height = 0
  var channels = 0
  var bits = 0
  var isPlanar = false
  /// `nil` for strips.
  var tile: Size?
  var rowsPerStrip = 0
  /// Size of a row, in bytes; of one plane if planar.
  var rowSize = 0
  /// Size of a strip or tile, in bytes.
  var chunkSize = 0
}

/// The strips or tiles of a TIFF file, decompressed by libtiff.
@safe final class TIFFChunkReader {
  private let handle: OpaquePointer
  private let input: SourceReader
  let layout: TIFFChunkLayout

  /// Opens a directory of a file; a single allocation of libtiff is at most `memory` bytes.
  init(_ source: ByteSource, memory: Int, directory: Int) throws(ImageError) {
    input = SourceReader(source)
    // SAFETY: libtiff uses `input` until `deinit` frees its reader; this object retains `input`
    // that long; `found` lives for the call.
    let context = unsafe Unmanaged.passUnretained(input).toOpaque()
    guard
      let handle = unsafe tiff_reader_create(context, readSource, UInt64(source.count))
    else { throw ImageError(.outOfMemory, ["library": "libtiff"]) }
    unsafe self.handle = handle
    var found = tiff_layout()
    let status = unsafe tiff_reader_open(handle, memory, UInt64(clamping: directory), &found)
    layout = TIFFChunkLayout(
      width: Int(found.width), height: Int(found.height),
      channels: Int(found.samples_per_pixel), bits: Int(found.bits_per_sample),
      isPlanar: found.is_planar != 0,
      tile: found.is_tiled == 0
        ? nil : .init(width: Int(found.tile_width), height: Int(found.tile_height)),
      rowsPerStrip: Int(found.rows_per_strip), rowSize: Int(clamping: found.row_size),
      chunkSize: Int(clamping: found.chunk_size))
    try check(status)
  }

  deinit {
    // SAFETY: `handle` is not shared.
    unsafe tiff_reader_free(handle)
  }

  /// Decodes one row of a file with strips.
  func readRow(_ row: Int, plane: Int, into bytes: inout [UInt8]) throws(ImageError) {
    precondition(bytes.count >= layout.rowSize, "a row has \(layout.rowSize) bytes")
    // SAFETY: libtiff writes the `rowSize` bytes of a row, for which `bytes` has room.
    let status = unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return Int32(1) }
      return unsafe tiff_reader_row(handle, UInt32(clamping: row), UInt16(clamping: plane), start)
    }
    try check(status)
  }

  /// Decodes the strip that begins with this row.
  func readStrip(row: Int, plane: Int, into bytes: inout [UInt8]) throws(ImageError) {
    // SAFETY: libtiff writes at most the given number of bytes.
    let status = unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return Int32(1) }
      return unsafe tiff_reader_strip(
        handle, UInt32(clamping: row), UInt16(clamping: plane), start, bytes.count)
    }
    try check(status)
  }

  /// Decodes the tile with this upper left pixel.
  func readTile(x: Int, y: Int, plane: Int, into bytes: inout [UInt8]) throws(ImageError) {
    // SAFETY: libtiff writes at most the given number of bytes.
    let status = unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return Int32(1) }
      return unsafe tiff_reader_tile(
        handle, UInt32(clamping: x), UInt32(clamping: y), UInt16(clamping: plane), start,
        bytes.count)
    }
    try check(status)
  }

  var warning: String? {
    // SAFETY: the message lives as long as the reader, and is copied.
    let text = unsafe String(cString: tiff_reader_warning(handle))
    return text.isEmpty ? nil : text
  }

  private func check(_ status: Int32) throws(ImageError) {
    guard status != 0 else { return }
    if let failure = input.failure { throw failure }
    // SAFETY: the message lives as long as the reader.
    let message = unsafe String(cString: tiff_reader_message(handle))
    throw ImageError(
      .libraryRejectedData,
      ["library": "libtiff", "detail": message.isEmpty ? "no reason given" : message],
      at: .init(offset: input.lastOffset))
  }
}
#endif
