// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Bad photosites, from FixBadPixelsConstant and FixBadPixelsList.
///
/// Source: DNG 1.7.1, chapter 7.
struct BadPixels: Sendable {
  enum Which: Sendable {
    /// All photosites with this code value.
    case constant(UInt16)
    /// Points and rectangles of rows and columns.
    case listed(points: [SIMD2<Int>], rectangles: [RawArea])
  }

  let which: Which

  static func constant(parsing reader: inout ByteReader) throws(ImageError) -> BadPixels {
    let code = try reader.readInteger()
    _ = try reader.readInteger()  // The phase is that of CFAPattern.
    guard let code = UInt16(exactly: code) else {
      throw reader.error(
        .malformed, "{value}, which marks bad pixels, exceeds 16 bits", ["value": code])
    }
    return BadPixels(which: .constant(code))
  }

  static func list(parsing reader: inout ByteReader) throws(ImageError) -> BadPixels {
    _ = try reader.readInteger()
    let (pointCount, rectangleCount) = (try reader.readInteger(), try reader.readInteger())
    let size = pointCount.multipliedReportingOverflow(by: 8)
    guard !size.overflow, size.partialValue <= reader.remaining,
      rectangleCount <= reader.remaining / 16
    else {
      throw reader.error(
        .malformed, "truncated list of bad pixels: {points point} and {rectangles rectangle}",
        ["points": pointCount, "rectangles": rectangleCount])
    }
    var points: [SIMD2<Int>] = []
    for _ in 0..<pointCount {
      let row = try reader.readInteger()
      points.append(SIMD2(try reader.readInteger(), row))
    }
    var rectangles: [RawArea] = []
    for _ in 0..<rectangleCount {
      let (top, left) = (try reader.readInteger(), try reader.readInteger())
      let (bottom, right) = (try reader.readInteger(), try reader.readInteger())
      guard top <= bottom, left <= right else {
        throw reader.error(
          .rawRectangleInvalid, ["top": top, "left": left, "bottom": bottom, "right": right])
      }
      rectangles.append(RawArea(x: left, y: top, width: right - left, height: bottom - top))
    }
    return BadPixels(which: .listed(points: points, rectangles: rectangles))
  }

  /// Replaces bad photosites by the mean of the nearest good photosites of the same color.
  ///
  /// If more than a sixteenth of all are bad, nothing is replaced.
  ///
  /// - Parameters:
  ///   - plane: A mosaic.
  ///   - pattern: Rows and columns of the filter pattern.
  ///   - origin: Origin of the rows and columns of the list.
  /// - Throws: `.limitExceeded` if memory or work for them exceeds the budget.
  func fix(
    _ plane: inout Plane<UInt16>, pattern: (rows: Int, columns: Int), origin: SIMD2<Int>
  ) throws(ImageError) {
    let budget = Execution.current.budget
    let reservation = try budget.reserve(
      memory: SiteSet.size(plane.width, plane.height), for: "bad pixels")
    defer { withExtendedLifetime(reservation) {} }
    guard let bad = try sites(in: plane, origin, atMost: plane.width * plane.height / 16)
    else { return }
    try budget.debit(steps: bad.count, for: "bad pixels")
    // Only good photosites are read, so that they are replaced in place.
    for y in 0..<plane.height where bad.hasSites(inRow: y) {
      for x in 0..<plane.width where bad.contains(x, y) {
        guard let mean = Self.mean(around: SIMD2(x, y), of: plane, pattern, except: bad) else {
          continue
        }
        var row = plane.mutableRow(y)
        row[x] = mean
      }
    }
  }

  /// Mean of the nearest good photosites of the same color; `nil` if none is near.
  private static func mean(
    around site: SIMD2<Int>, of plane: Plane<UInt16>, _ pattern: (rows: Int, columns: Int),
    except bad: SiteSet
  ) -> UInt16? {
    for distance in 1...8 {
      var (sum, count) = (0, 0)
      for dy in -distance...distance {
        // The square's upper and lower edges, or the ends of a row between them.
        let step = abs(dy) == distance ? 1 : 2 * distance
        for dx in stride(from: -distance, through: distance, by: step) {
          let near = site &+ SIMD2(dx * pattern.columns, dy * pattern.rows)
          guard 0..<plane.width ~= near.x, 0..<plane.height ~= near.y, !bad.contains(near.x, near.y)
          else { continue }
          sum += Int(plane.row(near.y)[near.x])
          count += 1
        }
      }
      if count > 0 { return UInt16((sum + count / 2) / count) }
    }
    return nil
  }

  /// - Returns: `nil` for more than `limit` photosites.
  private func sites(
    in plane: Plane<UInt16>, _ origin: SIMD2<Int>, atMost limit: Int
  ) throws(ImageError) -> SiteSet? {
    var found = SiteSet(width: plane.width, height: plane.height)
    switch which {
    case .constant(let code):
      for y in 0..<plane.height {
        let row = plane.row(y)
        for x in row.indices where row[x] == code { found.insert(x, y) }
        guard found.count <= limit else { return nil }
      }
    case .listed(let points, let rectangles):
      let bounds = RawArea(x: 0, y: 0, width: plane.width, height: plane.height)
      for point in points {
        let (x, y) = (point.x + origin.x, point.y + origin.y)
        if bounds.columns.contains(x), bounds.rows.contains(y) { found.insert(x, y) }
      }
      for area in rectangles {
        let columns = (area.x + origin.x..<area.x + origin.x + area.width)
          .clamped(to: bounds.columns)
        let rows = (area.y + origin.y..<area.y + origin.y + area.height).clamped(to: bounds.rows)
        try Execution.current.budget.debit(
          steps: 1 + (rows.count * columns.count) >> 7, for: "bad pixels")
        for y in rows {
          for x in columns { found.insert(x, y) }
          guard found.count <= limit else { return nil }
        }
      }
    }
    return found.count <= limit ? found : nil
  }
}

/// Photosites of a mosaic, one bit for each.
struct SiteSet: Sendable {
  private let wordsPerRow: Int
  private var words: [UInt64]
  /// Number of photosites in the set.
  private(set) var count = 0

  /// Makes an empty set.
  init(width: Int, height: Int) {
    wordsPerRow = Self.wordsPerRow(width)
    words = [UInt64](repeating: 0, count: wordsPerRow * height)
  }

  /// Bytes of a set.
  static func size(_ width: Int, _ height: Int) -> Int { 8 * wordsPerRow(width) * height }

  private static func wordsPerRow(_ width: Int) -> Int { (width + 63) / 64 }

  func contains(_ x: Int, _ y: Int) -> Bool {
    words[y * wordsPerRow + x / 64] & 1 << UInt64(x % 64) != 0
  }

  func hasSites(inRow y: Int) -> Bool {
    words[y * wordsPerRow..<(y + 1) * wordsPerRow].contains { $0 != 0 }
  }

  mutating func insert(_ x: Int, _ y: Int) {
    let bit: UInt64 = 1 << UInt64(x % 64)
    let index = y * wordsPerRow + x / 64
    if words[index] & bit == 0 { count += 1 }
    words[index] |= bit
  }
}
