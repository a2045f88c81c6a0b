#if TIFF
internal import CShims
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// The strips or tiles of a TIFF file, decompressed by libtiff.
@safe struct TIFFChunks: ~Copyable {
  /// The directory as libtiff interprets it.
  struct Layout {
    var width = 0
    var height = 0
    var channels = 0
    var bits = 0
    var isPlanar = false
    /// `nil` for strips.
    var tile: (width: Int, height: Int)?
    var rowsPerStrip = 0
    /// Size of a row, in bytes; of one plane if planar.
    var rowSize = 0
    /// Size of a strip or tile, in bytes.
    var chunkSize = 0
  }

  private let handle: OpaquePointer
  private let input: SourceReader
  private(set) var layout = Layout()

  private init(handle: OpaquePointer, input: SourceReader) {
    // SAFETY: this value owns the handle until `deinit`.
    unsafe self.handle = handle
    self.input = input
  }

  /// Opens the first directory of a file; a single allocation of libtiff is at most `memory` bytes.
  static func open(_ source: ByteSource, memory: Int) throws(ImageError) -> TIFFChunks {
    let input = SourceReader(source)
    // SAFETY: libtiff uses `input` until `deinit` frees its reader; `chunks` retains `input` that
    // long; `layout` lives for the call.
    let context = unsafe Unmanaged.passUnretained(input).toOpaque()
    guard
      let handle = unsafe tiff_reader_create(context, readSource, UInt64(source.count))
    else { throw ImageError(.outOfMemory, ["library": "libtiff"]) }
    var chunks = unsafe TIFFChunks(handle: handle, input: input)
    var layout = tiff_layout()
    try chunks.check(unsafe tiff_reader_open(handle, memory, &layout))
    chunks.layout = Layout(
      width: Int(layout.width), height: Int(layout.height),
      channels: Int(layout.samples_per_pixel), bits: Int(layout.bits_per_sample),
      isPlanar: layout.is_planar != 0,
      tile: layout.is_tiled == 0 ? nil : (Int(layout.tile_width), Int(layout.tile_height)),
      rowsPerStrip: Int(layout.rows_per_strip), rowSize: Int(clamping: layout.row_size),
      chunkSize: Int(clamping: layout.chunk_size))
    return chunks
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
      return unsafe tiff_reader_row(
        handle, UInt32(clamping: row), UInt16(clamping: plane), start)
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
