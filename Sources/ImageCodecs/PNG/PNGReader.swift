#if PNG
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// Yields the rows of a PNG picture as planes.
///
/// Decodes row after row; asking for an earlier row starts over. Interlaced files are decoded whole
/// and kept.
final class PNGReader: RowReader {
  private let layout: PNGLayout
  private let file: PNGFile
  private var samples: PNGSampleReader
  private var row: [UInt8]
  private var nextRow = 0
  /// All rows of an interlaced file, as libpng gives them.
  private var whole: [UInt8]?

  var format: ImageLayout { layout.format }

  init(_ file: PNGFile, layout: PNGLayout) throws(ImageError) {
    self.file = file
    self.layout = layout
    samples = try PNGSampleReader.open(file)
    row = [UInt8](repeating: 0, count: samples.rowSize)
    guard row.count == layout.rowSize else {
      throw ImageError(.codecFailure, "libpng gives rows of \(row.count) bytes")
    }
    if file.header.isInterlaced {
      whole = try samples.readImage(height: format.height)
      try samples.finish()
    }
  }

  func read(rows: Range<Int>) throws(ImageError) -> StoredImage {
    if rows.lowerBound < nextRow, whole == nil {
      samples = try PNGSampleReader.open(file)
      nextRow = 0
    }
    var planes = (0..<format.planeCount).map { _ in
      Plane<UInt16>(width: format.width, height: rows.count, filledWith: 0)
    }
    if let whole {
      for y in rows {
        try layout.unpack(whole, from: y * row.count, into: &planes, at: y - rows.lowerBound)
      }
    } else {
      while nextRow < rows.upperBound {
        try samples.readRow(into: &row)
        if nextRow >= rows.lowerBound {
          try layout.unpack(row, from: 0, into: &planes, at: nextRow - rows.lowerBound)
        }
        nextRow += 1
        if nextRow == format.height { try samples.finish() }
      }
    }
    var strip = format
    strip.height = rows.count
    return StoredImage(format: strip, planes: .integer(planes))
  }
}
#endif
