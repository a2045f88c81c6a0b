#if TIFF
internal import CShims
internal import HDRCore
internal import ImageContainers

/// The strips or tiles of a TIFF file, decompressed by libtiff.
@safe struct TIFFChunks: ~Copyable {
  /// What libtiff makes of the directory.
  struct Layout {
    var width = 0
    var height = 0
    var channels = 0
    var bits = 0
    var isPlanar = false
    /// `nil` for strips.
    var tile: (width: Int, height: Int)?
    var rowsPerStrip = 0
    /// Bytes of a row; of one plane if planar.
    var rowSize = 0
    /// Bytes of a strip or tile.
    var chunkSize = 0
  }

  private let handle: OpaquePointer
  private let input: TIFFInput
  private(set) var layout = Layout()

  private init(handle: OpaquePointer, input: TIFFInput) {
    unsafe self.handle = handle
    self.input = input
  }

  /// Opens the first directory of a file; libtiff then allocates at most `memory` bytes at a time.
  static func open(_ source: ByteSource, memory: Int) throws(ImageError) -> TIFFChunks {
    let input = TIFFInput(source)
    // SAFETY: libtiff uses `input` until `deinit` frees the reader, and `input` lives as long.
    let context = unsafe Unmanaged.passUnretained(input).toOpaque()
    guard
      let handle = unsafe tiff_reader_create(context, readBytes, UInt64(source.count))
    else { throw ImageError(.limitExceeded, "not enough memory for libtiff") }
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

  deinit { unsafe tiff_reader_free(handle) }

  /// Decodes one row of a file in strips.
  func readRow(_ row: Int, plane: Int, into bytes: inout [UInt8]) throws(ImageError) {
    // SAFETY: `bytes` has the size of a row.
    let status = unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return Int32(1) }
      return unsafe tiff_reader_row(
        handle, UInt32(clamping: row), UInt16(clamping: plane), start)
    }
    try check(status)
  }

  /// Decodes the strip that begins with this row.
  func readStrip(row: Int, plane: Int, into bytes: inout [UInt8]) throws(ImageError) {
    // SAFETY: libtiff writes at most the bytes it is told of.
    let status = unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return Int32(1) }
      return unsafe tiff_reader_strip(
        handle, UInt32(clamping: row), UInt16(clamping: plane), start, bytes.count)
    }
    try check(status)
  }

  /// Decodes the tile with this upper left pixel.
  func readTile(x: Int, y: Int, plane: Int, into bytes: inout [UInt8]) throws(ImageError) {
    // SAFETY: libtiff writes at most the bytes it is told of.
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
      .malformed, "libtiff: \(message.isEmpty ? "no reason given" : message)",
      at: .init(offset: input.lastOffset))
  }
}

/// What libtiff reads from.
private final class TIFFInput {
  private let source: ByteSource
  private(set) var lastOffset = 0
  private(set) var failure: ImageError?

  init(_ source: ByteSource) { self.source = source }

  /// The bytes from `offset` on, or `nil` after noting why not.
  func bytes(at offset: UInt64, count: Int) -> [UInt8]? {
    do throws(ImageError) {
      let start = Int(clamping: offset)
      lastOffset = start
      return try source.bytes(in: start..<start + count)
    } catch {
      failure = failure ?? error
      return nil
    }
  }
}

private func readBytes(
  context: UnsafeMutableRawPointer, offset: UInt64, target: UnsafeMutableRawPointer, count: Int
) -> Int32 {
  // SAFETY: `context` is the `TIFFInput` that outlives the reader, `target` has `count` bytes, and
  // these lie within the file.
  let input = unsafe Unmanaged<TIFFInput>.fromOpaque(context).takeUnretainedValue()
  guard let bytes = input.bytes(at: offset, count: count) else { return 1 }
  unsafe bytes.withUnsafeBytes { source in
    guard let start = source.baseAddress else { return }
    unsafe target.copyMemory(from: start, byteCount: source.count)
  }
  return 0
}
#endif
