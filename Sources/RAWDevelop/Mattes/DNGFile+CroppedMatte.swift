// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension DNGFile {
  /// A mask in the crop of the developed image, without its orientation.
  ///
  /// - Throws: Errors of `decode(_:limits:)`.
  func croppedMatte(
    _ matte: RawMatte, limits: ImageLimits, appliesUserCrop: Bool = true
  ) throws(ImageError) -> Plane<UInt16> {
    let parameters = try DevelopmentParameters(
      self, limits: limits, appliesUserCrop: appliesUserCrop)
    let coverage = try decode(matte, limits: limits)
    let part = parameters.part(of: (coverage.width, coverage.height))
    return Plane(width: part.width, height: part.height) { output in
      for y in part.rows {
        let row = coverage.row(y)
        for x in part.columns { output.append(row[x]) }
      }
    }
  }
}

extension DevelopmentParameters {
  /// The part of a mask over the active area that the crop shows.
  func part(of size: (width: Int, height: Int)) -> RawArea {
    func range(_ start: Int, _ count: Int, _ whole: Int, _ samples: Int) -> Range<Int> {
      let scale = Double(samples) / Double(whole)
      let first = min(Int(clamping: (Double(start) * scale).rounded()), samples - 1)
      let end = min(Int(clamping: (Double(start + count) * scale).rounded()), samples)
      return first..<max(end, first + 1)
    }
    let area = levels.activeArea
    let origin = boundsOrigin
    let columns = range(origin.x + crop.x, crop.width, area.width, size.width)
    let rows = range(origin.y + crop.y, crop.height, area.height, size.height)
    return RawArea(
      x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }
}
