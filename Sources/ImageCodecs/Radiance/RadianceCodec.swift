// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles
internal import Platform

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

/// Radiance images (.hdr, .pic), decoded without an external library.
enum RadianceCodec: ImageDecoder {
  static let format = FileFormat.radiance
  /// Empty, since no external library is used.
  static let libraries: [String] = []
  static func decode(
    _ image: DeclaredImage, in file: ImageFile, notices: inout [Notice]
  ) throws(ImageError) -> Image {
    guard case .radiance(let header) = image.samples else { throw file.format.missingCodec }
    let (source, layout) = (file.source, image.layout)
    return Image(coded: layout) { () throws(ImageError) in
      RadianceReader(source, header: header, format: layout)
    }
  }
}

/// Decodes one row of a Radiance image.
///
/// Source: "Radiance File Formats", Image File Format; Ward, "Real Pixels", Graphics Gems II.
struct RadianceRow {
  private let width: Int
  private let bytes: ArraySlice<UInt8>
  private let fileOffset: Int
  /// Index of the next byte.
  private(set) var position: Int

  /// - Parameters:
  ///   - width: Number of pixels of a row.
  ///   - bytes: The next bytes of the file: `longest(width:)`, or all remaining bytes.
  ///   - fileOffset: Offset of `bytes` in the file.
  init(width: Int, bytes: ArraySlice<UInt8>, fileOffset: Int) {
    self.width = width
    self.bytes = bytes
    self.fileOffset = fileOffset
    position = bytes.startIndex
  }

  /// Maximum size of a row in any of its codings, in bytes.
  static func longest(width: Int) -> Int { 20 * width + 4 }

  /// Fills `row`: all reds, all greens, all blues, all exponents.
  mutating func decode(into row: inout [UInt8]) throws(ImageError) {
    try require(4)
    let start = Array(bytes[position..<position + 4])
    guard 8...32_767 ~= width, start[0] == 2, start[1] == 2, start[2] & 0x80 == 0 else {
      return try decodePixels(into: &row)
    }
    guard Int(start[2]) << 8 | Int(start[3]) == width else {
      throw ImageError(
        .malformed, "row length differs from the width of {width}", ["width": width], at: place)
    }
    position += 4
    try decodeRuns(into: &row)
  }

  /// Decodes a row whose components are stored one after the other as runs and literals.
  private mutating func decodeRuns(into row: inout [UInt8]) throws(ImageError) {
    var index = 0
    for component in 1...4 {
      let end = component * width
      while index < end {
        try require(2)
        let code = Int(bytes[position])
        let count = code > 128 ? code - 128 : code
        guard count > 0, count <= end - index else {
          throw ImageError(
            .malformed, "run of {count} exceeds the remaining {available sample}",
            ["count": count, "available": end - index], at: place)
        }
        position += 1
        if code > 128 {
          let value = bytes[position]
          position += 1
          for target in index..<index + count { row[target] = value }
        } else {
          try require(count)
          for offset in 0..<count { row[index + offset] = bytes[position + offset] }
          position += count
        }
        index += count
      }
    }
  }

  /// Decodes a row of pixels in which `1, 1, 1, n` repeats the preceding pixel n times.
  ///
  /// Consecutive repetitions contain the higher digits of n.
  private mutating func decodePixels(into row: inout [UInt8]) throws(ImageError) {
    var x = 0
    var shift = 0
    while x < width {
      try require(4)
      let isRun = bytes[position..<position + 3].allSatisfy { $0 == 1 }
      if isRun {
        let count = Int(bytes[position + 3]) << shift
        guard x > 0, shift < 32, count <= width - x else {
          throw ImageError(
            .malformed,
            "repetition of {count pixel} at column {column} exceeds the width of {width}",
            ["count": count, "column": x, "width": width], at: place)
        }
        for component in 0..<4 {
          let value = row[component * width + x - 1]
          for target in x..<x + count { row[component * width + target] = value }
        }
        x += count
        shift += 8
      } else {
        for component in 0..<4 { row[component * width + x] = bytes[position + component] }
        x += 1
        shift = 0
      }
      position += 4
    }
  }

  private func require(_ count: Int) throws(ImageError) {
    guard count <= bytes.endIndex - position else {
      throw ImageError(
        .dataTruncated, ["needed": count, "available": bytes.endIndex - position], at: place)
    }
  }

  private var place: ImageError.Location { .init(offset: fileOffset + position - bytes.startIndex) }
}
