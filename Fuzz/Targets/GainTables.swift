// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import RAWDevelop

/// Parses a ProfileGainTableMap, stored in a small raw file.
///
/// The first byte selects the tag version and the byte order.
func exerciseGainTable(_ bytes: [UInt8]) throws {
  guard bytes.count > 1 else { return }
  let choice = bytes[0]
  let file = GainTableFile(
    map: Array(bytes.dropFirst()), isSecond: choice & 1 != 0, isBig: choice & 2 != 0
  ).bytes
  let limits = ImageLimits(pixels: 1 << 16, side: 1 << 12, memory: 1 << 22)
  let dng = try DNGFile(TIFFFile(parsing: ByteSource(file), limits: limits), limits: limits)
  let recipe = try must("a map that cannot be is left out") { try dng.recipe(limits: limits) }
  let table = recipe.profiles[0].gainTable
  let isLeftOut = try DNGFile.leavesOutSomething(file, limits)
  try require((table == nil) == isLeftOut, "a map is read, or a notice has the reason")
  if let table {
    try require(table.gains.lowerBound >= 0, "gains are not negative")
    try require(table.weights.count == 5, "a map has five weights")
  }
  for amount in [1, 0.5] {
    var development = RawDevelopment()
    development.localToneMapAmount = amount
    let light = try must("an image is developed, whatever its map") {
      try SourceImage.open(
        ByteSource(file), options: OpeningOptions(limits: limits), developing: development
      ).image.makeReader().read(rows: 0..<GainTableFile.height)
    }
    guard case .float(let planes) = light.planes else { continue }
    let isFinite = planes.allSatisfy { plane in
      (0..<plane.height).allSatisfy { y in
        let row = plane.row(y)
        return row.indices.allSatisfy { row[$0].isFinite }
      }
    }
    try require(isFinite, "linear values are finite")
  }
}

extension DNGFile {
  /// Whether the development of a file ignores a tag.
  fileprivate static func leavesOutSomething(
    _ file: [UInt8], _ limits: ImageLimits
  ) throws -> Bool {
    try SourceImage.open(
      ByteSource(file), options: OpeningOptions(limits: limits), developing: RawDevelopment()
    ).notices.contains { $0.code.id.hasPrefix("raw/look-un") }
  }
}

/// A linear raw image with a ProfileGainTableMap.
private struct GainTableFile {
  static let width = 8
  static let height = 6

  let map: [UInt8]
  let isSecond: Bool
  let isBig: Bool

  var bytes: [UInt8] {
    let samples = (0..<Self.width * Self.height * 3).flatMap { number($0 * 455, 2) }
    let matrix = [8, -1, -1, -4, 12, 2, -1, 2, 6].flatMap { number($0, 4) + number(10, 4) }
    let neutral = [5, 10, 7].flatMap { number($0, 4) + number(10, 4) }
    let shorts = [16, 16, 16].flatMap { number($0, 2) }
    var entries: [(tag: Int, type: Int, count: Int, value: [UInt8])] = [
      (254, 4, 1, number(0, 4)), (256, 4, 1, number(Self.width, 4)),
      (257, 4, 1, number(Self.height, 4)), (258, 3, 3, shorts), (259, 3, 1, number(1, 2)),
      (262, 3, 1, number(34_892, 2)), (273, 4, 1, number(8, 4)), (277, 3, 1, number(3, 2)),
      (278, 4, 1, number(Self.height, 4)), (279, 4, 1, number(samples.count, 4)),
      (50_706, 1, 4, [1, 7, 0, 0]), (50_721, 10, 9, matrix), (50_728, 5, 3, neutral),
      (50_778, 3, 1, number(21, 2)),
    ]
    entries.append((isSecond ? 52_544 : 52_525, 7, map.count, map))
    let start = 8 + samples.count
    var directory = number(entries.count, 2)
    var values: [UInt8] = []
    let end = start + 2 + 12 * entries.count + 4
    for entry in entries {
      directory += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4)
      if entry.value.count <= 4 {
        directory += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
      } else {
        directory += number(end + values.count, 4)
        values += entry.value
      }
    }
    let header = Array((isBig ? "MM" : "II").utf8) + number(42, 2) + number(start, 4)
    return header + samples + directory + number(0, 4) + values
  }

  private func number(_ value: Int, _ size: Int) -> [UInt8] {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isBig ? bytes.reversed() : bytes
  }
}
