// SPDX-License-Identifier: Apache-2.0
#if PNG
internal import HDRCore
internal import ImageFiles

/// Yields the rows of a PNG image as planes.
///
/// Decodes row by row; a request for an earlier row restarts decoding. Interlaced files are decoded
/// as a whole and cached.
final class PNGReader: SequentialRowReader {
  private let coded: PNGLayout
  private let file: PNGFile
  private var samples: PNGSampleReader
  /// Receives warnings of libpng.
  private let notices: DecodingNotices
  private var row: [UInt8]
  private var nextRow = 0
  /// All rows of an interlaced file, as returned by libpng.
  private var whole: [UInt8]?
  /// The memory of `whole`.
  private var memory: Execution.Reservation?

  var layout: ImageLayout { coded.format }

  init(
    _ file: PNGFile, as coded: PNGLayout, notices: DecodingNotices
  ) throws(ImageError) {
    self.file = file
    self.coded = coded
    self.notices = notices
    try coded.requireData(of: file)
    samples = try PNGSampleReader(file.serializedSamples())
    row = [UInt8](repeating: 0, count: samples.rowSize)
    guard row.count == coded.rowSize else {
      throw ImageError(.libraryResultUnexpected, ["library": "libpng"])
    }
    if file.header.isInterlaced {
      memory = try Execution.current.budget.reserve(
        memory: row.count * layout.height, for: "interlaced image")
      whole = try samples.readImage(height: layout.height)
      try samples.finish()
    }
  }

  func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    if rows.lowerBound < nextRow, whole == nil {
      samples = try PNGSampleReader(file.serializedSamples())
      nextRow = 0
    }
    let strip = layout.strip(height: rows.count)
    var planes = strip.zeroPlanes(of: UInt16.self)
    if let whole {
      for y in rows {
        unpack(whole, from: y * row.count, into: &planes, at: y - rows.lowerBound)
      }
    } else {
      while nextRow < rows.upperBound {
        try samples.readRow(into: &row)
        if nextRow >= rows.lowerBound {
          unpack(row, from: 0, into: &planes, at: nextRow - rows.lowerBound)
        }
        nextRow += 1
        if nextRow == layout.height { try samples.finish() }
      }
    }
    if let warning = samples.warning {
      notices.add(
        Notice(
          .libraryWarned, ["library": "libpng", "detail": warning], at: .init(path: ["IDAT"])))
    }
    return ImagePlanes(layout: strip, planes: .integer(planes))
  }

  private func unpack(
    _ row: [UInt8], from start: Int, into planes: inout [Plane<UInt16>], at y: Int
  ) {
    if let notice = coded.unpack(row, from: start, into: &planes, at: y) { notices.add(notice) }
  }
}
#endif
