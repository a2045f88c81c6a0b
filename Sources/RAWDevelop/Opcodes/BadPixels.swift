// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageContainers

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
      throw reader.error(.rawBadPixelValue, ["value": code])
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
        .rawBadPixelCount, ["points": pointCount, "rectangles": rectangleCount])
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
  func fix(
    _ plane: inout Plane<UInt16>, pattern: (rows: Int, columns: Int), origin: SIMD2<Int>
  ) {
    let bad = places(in: plane, origin)
    guard bad.count <= plane.width * plane.height / 16 else { return }
    let marked = Set(bad)
    var fixed: [UInt16] = []
    fixed.reserveCapacity(bad.count)
    for place in bad {
      var (sum, count, distance) = (0, 0, 1)
      while count == 0, distance <= 8 {
        for dy in -distance...distance {
          for dx in -distance...distance where max(abs(dx), abs(dy)) == distance {
            let near = place &+ SIMD2(dx * pattern.columns, dy * pattern.rows)
            guard 0..<plane.width ~= near.x, 0..<plane.height ~= near.y, !marked.contains(near)
            else { continue }
            sum += Int(plane.row(near.y)[near.x])
            count += 1
          }
        }
        distance += 1
      }
      fixed.append(
        count > 0 ? UInt16((sum + count / 2) / count) : plane.row(place.y)[place.x])
    }
    for (place, value) in zip(bad, fixed) {
      var row = plane.mutableRow(place.y)
      row[place.x] = value
    }
  }

  private func places(in plane: Plane<UInt16>, _ origin: SIMD2<Int>) -> [SIMD2<Int>] {
    switch which {
    case .constant(let code):
      var found: [SIMD2<Int>] = []
      for y in 0..<plane.height {
        let row = plane.row(y)
        for x in row.indices where row[x] == code { found.append(SIMD2(x, y)) }
      }
      return found
    case .listed(let points, let rectangles):
      let bounds = RawArea(x: 0, y: 0, width: plane.width, height: plane.height)
      var found = Set(
        points.map { $0 &+ origin }.filter {
          bounds.columns.contains($0.x) && bounds.rows.contains($0.y)
        })
      var budget = plane.width * plane.height
      for area in rectangles where budget > 0 {
        let columns = area.x + origin.x..<area.x + origin.x + area.width
        let rows = area.y + origin.y..<area.y + origin.y + area.height
        budget -=
          rows.clamped(to: bounds.rows).count * columns.clamped(to: bounds.columns).count + 1
        for y in rows.clamped(to: bounds.rows) {
          for x in columns.clamped(to: bounds.columns) { found.insert(SIMD2(x, y)) }
        }
      }
      return found.sorted { ($0.y, $0.x) < ($1.y, $1.x) }
    }
  }
}
