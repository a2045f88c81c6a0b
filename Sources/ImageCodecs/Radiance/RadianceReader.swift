internal import Foundation
internal import HDRCore
internal import ImageContainers

/// Yields the rows of a Radiance picture as they are stored.
///
/// Where each decoded row begins is kept, so that earlier rows can be read again without decoding
/// those before them.
///
/// A mantissa m with exponent e means m × 2^(e - 136). Radiance's own library adds half a step to m,
/// because its writer truncates; no other reader does, files of other programs would turn 1.0 into
/// 1.004, and black beside a bright component into light.
final class RadianceReader: RowReader {
  let format: StoredFormat
  private var input: BufferedBytes
  /// Offsets of the rows decoded so far, and of the one after them.
  private var rowOffsets: [Int]
  private var nextRow = 0
  /// What a mantissa of 1 is worth, by exponent; red, green, blue.
  private let scales: [[Float]]
  /// Components and exponents of one row, one run of `format.width` after the other.
  private var row: [UInt8]

  init(_ source: ByteSource, header: RadianceHeader, format: StoredFormat) {
    self.format = format
    input = BufferedBytes(source, from: header.end)
    rowOffsets = [header.end]
    row = [UInt8](repeating: 0, count: 4 * format.width)
    scales = (0..<3).map { component in
      (0..<256).map { exponent in
        // An exponent of 0 is black.
        exponent == 0 ? 0 : Float(exp2(Double(exponent - 136)) / header.multipliers[component])
      }
    }
  }

  func read(rows: Range<Int>) throws(ImageError) -> StoredImage {
    if rows.lowerBound < rowOffsets.count {
      input.seek(to: rowOffsets[rows.lowerBound])
      nextRow = rows.lowerBound
    }
    var planes = (0..<3).map { _ in
      Plane<Float>(width: format.width, height: rows.count, filledWith: 0)
    }
    while nextRow < rows.upperBound {
      try decodeRow()
      if nextRow >= rows.lowerBound { convertRow(into: &planes, at: nextRow - rows.lowerBound) }
      nextRow += 1
      if nextRow == rowOffsets.count { rowOffsets.append(input.position) }
    }
    var strip = format
    strip.height = rows.count
    return StoredImage(format: strip, planes: .float(planes))
  }

  private func convertRow(into planes: inout [Plane<Float>], at y: Int) {
    let width = format.width
    for component in 0..<3 {
      let scale = scales[component]
      var target = planes[component].mutableRow(y)
      for x in 0..<width {
        target[x] = Float(row[component * width + x]) * scale[Int(row[3 * width + x])]
      }
    }
  }

  private func decodeRow() throws(ImageError) {
    do throws(ImageError) {
      let width = format.width
      let start = Array(try input.peek(4))
      if 8...32_767 ~= width, start[0] == 2, start[1] == 2, start[2] & 0x80 == 0 {
        guard Int(start[2]) << 8 | Int(start[3]) == width else {
          throw input.error("a row of another length than \(width)")
        }
        input.skip(4)
        try decodeRuns()
      } else {
        try decodePixels()
      }
    } catch {
      throw error.inside("row \(nextRow)")
    }
  }

  /// A row whose components follow each other, each as runs and literals.
  private func decodeRuns() throws(ImageError) {
    var position = 0
    for component in 1...4 {
      let end = component * format.width
      while position < end {
        let code = Int(try input.next())
        let count = code > 128 ? code - 128 : code
        guard count > 0, count <= end - position else {
          throw input.error("a run of \(count) where \(end - position) samples are left")
        }
        if code > 128 {
          let value = try input.next()
          for index in position..<position + count { row[index] = value }
        } else {
          for index in position..<position + count { row[index] = try input.next() }
        }
        position += count
      }
    }
  }

  /// A row of pixels, in which `1, 1, 1, n` repeats the one before n times; further ones in a row
  /// give the higher digits of n.
  private func decodePixels() throws(ImageError) {
    let width = format.width
    var x = 0
    var shift = 0
    while x < width {
      let pixel = [
        try input.next(), try input.next(), try input.next(), try input.next(),
      ]
      if pixel[0] == 1, pixel[1] == 1, pixel[2] == 1 {
        let count = Int(pixel[3]) << shift
        guard x > 0, count <= width - x else {
          throw input.error("\(count) pixels repeated at column \(x) of \(width)")
        }
        for component in 0..<4 {
          let value = row[component * width + x - 1]
          for index in x..<x + count { row[component * width + index] = value }
        }
        x += count
        shift = min(shift + 8, 32)
      } else {
        for component in 0..<4 { row[component * width + x] = pixel[component] }
        x += 1
        shift = 0
      }
    }
  }
}
