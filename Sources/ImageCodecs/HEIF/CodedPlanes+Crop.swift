#if HEIF || AVIF
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

extension CodedPlanes {
  /// The visible part of the planes.
  ///
  /// If the part begins between two chroma samples, chroma is interpolated half a sample on. Its
  /// siting relative to luma and the subsampling are then preserved.
  func cropped(to geometry: ItemGeometry) -> CodedPlanes {
    guard (geometry.width, geometry.height) != (width, height) else { return self }
    let format = ImageLayout(
      width: geometry.width, height: geometry.height,
      components: chroma == .yuv400 ? .gray : .ycbcr(chroma), samples: .integer(bits: bits))
    var cropped = self
    (cropped.width, cropped.height) = (geometry.width, geometry.height)
    cropped.planes = planes.enumerated().map { index, plane in
      let (horizontal, vertical) = index > 0 ? (chroma.horizontal, chroma.vertical) : (1, 1)
      var plane = plane
      if !geometry.left.isMultiple(of: horizontal) { plane = plane.movedHalfASampleLeft(bits) }
      if !geometry.top.isMultiple(of: vertical) { plane = plane.movedHalfASampleUp(bits) }
      let size = format.planeSize(index)
      return plane.part(
        x: geometry.left / horizontal, y: geometry.top / vertical, width: size.width,
        height: size.height)
    }
    return cropped
  }
}

extension Plane<UInt16> {
  /// Interpolates each sample midway to its right neighbor.
  fileprivate func movedHalfASampleLeft(_ bits: Int) -> Plane<UInt16> {
    let last = width - 1
    return Plane(width: width, height: height) { samples in
      for y in 0..<height {
        let row = row(y)
        for x in 0..<width {
          samples.append(
            midway(row[max(x - 1, 0)], row[x], row[min(x + 1, last)], row[min(x + 2, last)], bits))
        }
      }
    }
  }

  /// Interpolates each sample midway to its lower neighbor.
  fileprivate func movedHalfASampleUp(_ bits: Int) -> Plane<UInt16> {
    let last = height - 1
    return Plane(width: width, height: height) { samples in
      for y in 0..<height {
        let (above, row) = (self.row(max(y - 1, 0)), self.row(y))
        let (below, farther) = (self.row(min(y + 1, last)), self.row(min(y + 2, last)))
        for x in 0..<width {
          samples.append(midway(above[x], row[x], below[x], farther[x], bits))
        }
      }
    }
  }
}

/// Cubic interpolation midway between `b` and `c`.
private func midway(_ a: UInt16, _ b: UInt16, _ c: UInt16, _ d: UInt16, _ bits: Int) -> UInt16 {
  let sum = 9 * (Int(b) + Int(c)) - Int(a) - Int(d)
  return UInt16(min(max((sum + 8) >> 4, 0), 1 << bits - 1))
}
#endif
