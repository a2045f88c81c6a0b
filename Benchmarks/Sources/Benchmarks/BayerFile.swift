// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A DNG file with a mosaic of 14 bits in tiles of lossless JPEG, as cameras write it.
struct BayerFile {
  var width: Int
  var height: Int

  private static let tileWidth = 512
  private static let tileHeight = 512
  private static let black = 512
  private static let white = 16_383

  var bytes: [UInt8] {
    let columns = (width - 1) / Self.tileWidth + 1
    let rows = (height - 1) / Self.tileHeight + 1
    var file: [UInt8] = Array("II".utf8) + Self.number(42, 2) + Self.number(0, 4)
    var places: (offsets: [Int], sizes: [Int]) = ([], [])
    for tile in 0..<columns * rows {
      let coded = losslessJPEG(
        x: tile % columns * Self.tileWidth, y: tile / columns * Self.tileHeight)
      places.offsets.append(file.count)
      places.sizes.append(coded.count)
      file += coded
    }
    let directory = directory(places.offsets, places.sizes, at: file.count)
    file.replaceSubrange(4..<8, with: Self.number(file.count, 4))
    return file + directory
  }

  private static func number(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// Slopes, edges and noise, of a camera whose green is twice as sensitive as its red.
  private func sample(_ x: Int, _ y: Int) -> Int {
    let sensitivity = [0.5, 1, 1, 0.6][y % 2 * 2 + x % 2]
    let slope = 0.45 + 0.25 * sin(Double(x) / 90) + 0.2 * cos(Double(y) / 70)
    let edge = (x / 200 + y / 150) % 2 == 0 ? 1.0 : 0.6
    let noise = (x &* 7919 ^ y &* 104_729) &* 2_654_435_761 >> 16 & 31
    return Self.black + Int(slope * edge * sensitivity * 14_000) + noise - 16
  }

  private func directory(_ offsets: [Int], _ sizes: [Int], at start: Int) -> [UInt8] {
    func fractions(_ values: [Int]) -> [UInt8] {
      values.flatMap { Self.number($0, 4) + Self.number(10_000, 4) }
    }
    func entry(_ tag: Int, _ type: Int, _ values: [Int]) -> (Int, Int, Int, [UInt8]) {
      (
        tag, type, values.count,
        values.flatMap { Self.number($0, type == 3 ? 2 : type == 4 ? 4 : 1) }
      )
    }
    let matrix = [6988, -1384, -714, -5631, 13410, 2447, -1485, 2204, 7318]
    let entries = [
      entry(254, 4, [0]), entry(256, 4, [width]), entry(257, 4, [height]), entry(258, 3, [16]),
      entry(259, 3, [7]), entry(262, 3, [32_803]), entry(277, 3, [1]),
      entry(322, 4, [Self.tileWidth]), entry(323, 4, [Self.tileHeight]), entry(324, 4, offsets),
      entry(325, 4, sizes), entry(33_421, 3, [2, 2]), entry(33_422, 1, [0, 1, 1, 2]),
      entry(50_706, 1, [1, 4, 0, 0]), (50_708, 2, 10, Array("Benchmark\0".utf8)),
      entry(50_714, 3, [Self.black]), entry(50_717, 4, [Self.white]),
      (50_721, 10, 9, fractions(matrix)), (50_728, 5, 3, fractions([5000, 10_000, 6000])),
      entry(50_778, 3, [21]),
    ]
    var table = Self.number(entries.count, 2)
    var values: [UInt8] = []
    let end = start + 2 + 12 * entries.count + 4
    for (tag, type, count, bytes) in entries {
      table += Self.number(tag, 2) + Self.number(type, 2) + Self.number(count, 4)
      if bytes.count <= 4 {
        table += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
      } else {
        table += Self.number(end + values.count, 4)
        values += bytes
      }
    }
    return table + [0, 0, 0, 0] + values
  }

  /// A tile of two components, each every second column, predicted from the left.
  ///
  /// Source: ITU-T T.81, annex H.
  private func losslessJPEG(x: Int, y: Int) -> [UInt8] {
    let columns = Self.tileWidth / 2
    func big(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }
    var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC3, 0, 14, 14] + big(Self.tileHeight) + big(columns)
    bytes += [2, 0, 0x11, 0, 1, 0x11, 0, 0xFF, 0xC4, 0, 36, 0]
    // Categories up to 16, each with a code of 5 bits.
    bytes += [0, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + Array(0...16)
    bytes += [0xFF, 0xDA, 0, 10, 2, 0, 0, 1, 0, 1, 0, 0]
    var (window, filled): (UInt64, Int) = (0, 0)
    func put(_ value: Int, _ count: Int) {
      window = window << UInt64(count) | UInt64(value)
      filled += count
      while filled >= 8 {
        filled -= 8
        let byte = UInt8(truncatingIfNeeded: window >> UInt64(filled))
        bytes.append(byte)
        if byte == 0xFF { bytes.append(0) }
      }
    }
    var above = [1 << 13, 1 << 13]
    for row in 0..<Self.tileHeight {
      var left = above
      for column in 0..<Self.tileWidth {
        let component = column & 1
        let value = sample(min(x + column, width - 1), min(y + row, height - 1))
        let difference = value - left[component]
        left[component] = value
        if column < 2 { above[component] = value }
        let category = Int.bitWidth - abs(difference).leadingZeroBitCount
        put(category, 5)
        put(difference < 0 ? difference + (1 << category) - 1 : difference, category)
      }
    }
    put((1 << 7) - 1, 7)
    return bytes + [0xFF, 0xD9]
  }
}
