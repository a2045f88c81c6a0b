internal import Foundation
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// Yields the rows of a Radiance image as they are stored.
///
/// Where each decoded row begins is kept, so that earlier rows can be read again without decoding
/// those before them.
///
/// A mantissa m with exponent e means m × 2^(e - 136). Radiance's own library adds half a step to
/// m, because its writer truncates; no other reader does, files of other programs would turn 1.0
/// into 1.004, and black beside a bright component into light.
final class RadianceReader: RowReader {
  let layout: ImageLayout
  private var input: BufferedBytes
  /// Offsets of the rows decoded so far, and of the one after them.
  private var rowOffsets: [Int]
  private var nextRow = 0
  /// Value of a mantissa of 1, by exponent; red, green, blue.
  private let scales: [[Float]]
  /// Components and exponents of one row, one run of `format.width` after the other.
  private var row: [UInt8]

  init(_ source: ByteSource, header: RadianceHeader, format: ImageLayout) {
    self.layout = format
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

  func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    if rows.lowerBound < rowOffsets.count {
      input.seek(to: rowOffsets[rows.lowerBound])
      nextRow = rows.lowerBound
    }
    var planes = (0..<3).map { _ in
      Plane<Float>(width: layout.width, height: rows.count, filledWith: 0)
    }
    while nextRow < rows.upperBound {
      try decodeRow()
      if nextRow >= rows.lowerBound { convertRow(into: &planes, at: nextRow - rows.lowerBound) }
      nextRow += 1
      if nextRow == rowOffsets.count { rowOffsets.append(input.position) }
    }
    var strip = layout
    strip.height = rows.count
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
