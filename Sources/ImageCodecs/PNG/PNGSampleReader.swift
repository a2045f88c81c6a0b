// SPDX-License-Identifier: Apache-2.0
#if PNG
internal import CShims
internal import HDRCore
internal import ImageFiles

/// The samples of a PNG file, decoded row by row: by `PNGRowInflater`, or by libpng if the file
/// does not suit that or is irregular.
///
/// libpng receives only the chunks that code the samples.
@safe final class PNGSampleReader {
  private let handle: OpaquePointer
  private let input: PieceReader
  /// Reads the rows; `nil` if libpng does.
  private var inflater: PNGRowInflater?
  /// Number of rows that `inflater` has read.
  private var inflatedRows = 0
  /// Size of a decoded row, in bytes.
  let rowSize: Int

  /// Reads the headers of a file that contains only the chunks that code the samples.
  init(_ file: SplicedBytes) throws(ImageError) {
    input = PieceReader(file)
    // SAFETY: libpng uses `input` until `deinit` frees its reader; this object retains `input` that
    // long; `size` lives for the call.
    let context = unsafe Unmanaged.passUnretained(input).toOpaque()
    guard let handle = unsafe png_reader_create(context, readBytes) else {
      throw ImageError(.outOfMemory, ["library": "libpng"])
    }
    unsafe self.handle = handle
    var size = 0
    let status = unsafe png_reader_begin(handle, &size)
    rowSize = size
    try check(status)
    // SAFETY: this reader owns the handle.
    let step = unsafe png_reader_pixel_size(handle)
    if step > 0 { inflater = PNGRowInflater(file, rowSize: size, step: step) }
  }

  deinit {
    // SAFETY: `handle` is not shared.
    unsafe png_reader_free(handle)
  }

  /// Decodes the next row into `row`, which has `rowSize` bytes.
  func readRow(into row: inout [UInt8]) throws(ImageError) {
    precondition(row.count == rowSize, "a row has \(rowSize) bytes")
    if let inflater, inflater.readRow(into: &row) {
      inflatedRows += 1
    } else {
      try decodeInflatedRows()
      try decodeRow(into: &row)
    }
  }

  /// Lets libpng read the rows that were inflated, so that it continues after them.
  private func decodeInflatedRows() throws(ImageError) {
    guard let failed = inflater else { return }
    inflater = nil
    if let failure = failed.failure, failure.endsJob { throw failure.inside("IDAT") }
    var row = [UInt8](repeating: 0, count: rowSize)
    for _ in 0..<inflatedRows { try decodeRow(into: &row) }
  }

  private func decodeRow(into row: inout [UInt8]) throws(ImageError) {
    // SAFETY: libpng writes `rowSize` bytes, for which `row` has room.
    let status = unsafe row.withUnsafeMutableBufferPointer { row in
      guard let start = row.baseAddress else { return Int32(1) }
      return unsafe png_reader_row(handle, start)
    }
    try check(status)
  }

  /// Decodes all rows of an interlaced file.
  func readImage(height: Int) throws(ImageError) -> [UInt8] {
    var rows = [UInt8](repeating: 0, count: rowSize * height)
    // SAFETY: libpng writes `rowSize` bytes for each of the `height` rows of its header.
    let status = unsafe rows.withUnsafeMutableBufferPointer { rows in
      guard let start = rows.baseAddress else { return Int32(1) }
      return unsafe png_reader_image(handle, start, rowSize)
    }
    try check(status)
    return rows
  }

  /// Validates the data after the last row.
  func finish() throws(ImageError) {
    if let inflater, inflater.finish() { return }
    try decodeInflatedRows()
    // SAFETY: this reader owns the handle.
    try check(unsafe png_reader_finish(handle))
  }

  var warning: String? {
    // SAFETY: the message lives as long as the reader, and is copied.
    let text = unsafe String(cString: png_reader_warning(handle))
    return text.isEmpty ? nil : text
  }

  private func check(_ status: Int32) throws(ImageError) {
    guard status != 0 else { return }
    if let failure = input.failure { throw failure.inside("IDAT") }
    // SAFETY: the message lives as long as the reader.
    let message = unsafe String(cString: png_reader_message(handle))
    throw ImageError(
      .libraryRejectedData, ["library": "libpng", "detail": message],
      at: .init(path: ["IDAT"], offset: input.offset))
  }
}

private func readBytes(
  context: UnsafeMutableRawPointer, target: UnsafeMutablePointer<UInt8>, count: Int
) -> Int32 {
  // SAFETY: `context` is the `PieceReader`, which outlives libpng's reader; `target` has `count`
  // bytes, and exactly that many are read.
  let input = unsafe Unmanaged<PieceReader>.fromOpaque(context).takeUnretainedValue()
  guard let bytes = input.read(count) else { return 1 }
  unsafe bytes.withUnsafeBufferPointer { source in
    guard let start = source.baseAddress else { return }
    unsafe target.update(from: start, count: source.count)
  }
  return 0
}
#endif
