// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

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
