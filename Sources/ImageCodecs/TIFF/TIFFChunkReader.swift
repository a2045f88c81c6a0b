// SPDX-License-Identifier: Apache-2.0
#if TIFF
internal import CShims
internal import HDRCore
internal import ImageFiles

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
    let status = unsafe tiff_reader_open(
      handle, memory, UInt64(clamping: directory), &found)
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
