// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRCore
internal import ImageFiles

/// Yields the rows of a Radiance image as they are stored.
///
/// The offset of each decoded row is stored, so that earlier rows can be read again without
/// decoding the rows before them.
///
/// A mantissa m with exponent e represents m × 2^(e - 136). Radiance's own library adds half a step
/// to m, because its writer truncates. Other readers do not: files of other programs would yield
/// 1.004 instead of 1.0, and nonzero values instead of 0 next to a bright component.
final class RadianceReader: SequentialRowReader {
  let layout: ImageLayout
  private var input: BufferedBytes
  /// Offsets of the rows decoded so far, and of the next row.
  private var rowOffsets: [Int]
  private var nextRow = 0
  /// Linear value of mantissa 1 by exponent, for red, green and blue.
  private let scales: [[Float]]
  /// Components and exponents of one row, in runs of `format.width`.
  private var row: [UInt8]

  init(_ source: ByteSource, header: RadianceHeader, format: ImageLayout) {
    self.layout = format
    input = BufferedBytes(source, from: header.end)
    rowOffsets = [header.end]
    row = [UInt8](repeating: 0, count: 4 * format.width)
    scales = (0..<3).map { component in
      (0..<256).map { exponent in
        // Exponent 0 represents black.
        exponent == 0 ? 0 : Float(exp2(Double(exponent - 136)) / header.multipliers[component])
      }
    }
  }

  func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    if rows.lowerBound < rowOffsets.count {
      input.seek(to: rowOffsets[rows.lowerBound])
      nextRow = rows.lowerBound
    }
    let strip = layout.strip(height: rows.count)
    var planes = strip.zeroPlanes(of: Float.self)
    while nextRow < rows.upperBound {
      try decodeRow()
      if nextRow >= rows.lowerBound { convertRow(into: &planes, at: nextRow - rows.lowerBound) }
      nextRow += 1
      if nextRow == rowOffsets.count { rowOffsets.append(input.position) }
    }
    return ImagePlanes(layout: strip, planes: .float(planes))
  }

  private func convertRow(into planes: inout [Plane<Float>], at y: Int) {
    let width = layout.width
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
      let bytes = try input.peek(atMost: RadianceRow.longest(width: layout.width))
      var decoder = RadianceRow(width: layout.width, bytes: bytes, fileOffset: input.position)
      try decoder.decode(into: &row)
      input.skip(decoder.position - bytes.startIndex)
    } catch {
      throw error.inside("row \(nextRow)")
    }
  }
}
