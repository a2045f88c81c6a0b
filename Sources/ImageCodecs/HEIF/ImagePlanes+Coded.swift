// SPDX-License-Identifier: Apache-2.0
#if HEIF || AVIF
internal import HDRCore
internal import ImageFiles

// Samples in coding order: luma, or luma and two color differences. With matrix 0 these are green,
// blue and red.
//
// Source: ITU-T H.273, MatrixCoefficients 0.

extension ImageLayout {
  /// The layout of coded samples.
  init(codedWidth width: Int, height: Int, chroma: ChromaSubsampling, bits: Int) {
    self.init(
      width: width, height: height, components: chroma == .yuv400 ? .gray : .ycbcr(chroma),
      samples: .integer(bits: bits))
  }

  /// Ratio of luma samples to samples of a coded plane, in each direction.
  func subsampling(ofPlane index: Int) -> (horizontal: Int, vertical: Int) {
    index > 0 ? (chroma.horizontal, chroma.vertical) : (1, 1)
  }
}

extension ItemImage {
  /// Layout of the coded samples, before the transformations of the item.
  var codedLayout: ImageLayout {
    ImageLayout(codedWidth: width, height: height, chroma: chroma, bits: bits)
  }
}

extension ImagePlanes {
  /// The planes of coded samples.
  var codedPlanes: [Plane<UInt16>] {
    guard case .integer(let planes) = planes else { preconditionFailure("samples are integers") }
    return planes
  }

  /// Returns coded samples as some rows of an image with this layout and alpha.
  func decoded(
    as layout: ImageLayout, rows: Range<Int>, alpha: Plane<UInt16>? = nil
  ) -> ImagePlanes {
    var planes = codedPlanes
    if layout.components == .rgb { planes = [planes[2], planes[0], planes[1]] }
    if let alpha { planes.append(alpha.strip(rows: rows)) }
    return ImagePlanes(layout: layout.strip(height: rows.count), planes: .integer(planes))
  }

  /// Coded samples whose planes all have the size of luma.
  ///
  /// - Throws: `.cancelled`.
  func withFullChroma() throws(ImageError) -> ImagePlanes {
    var planes: [Plane<UInt16>] = []
    for plane in codedPlanes {
      planes.append(try plane.interpolated(width: layout.width, height: layout.height))
    }
    var layout = layout
    layout.components = .ycbcr(.yuv444)
    return ImagePlanes(layout: layout, planes: .integer(planes))
  }

  /// The integer planes in coding order.
  ///
  /// - Throws: `.invalidArgument` for floating-point samples.
  func planesInCodingOrder() throws(ImageError) -> [Plane<UInt16>] {
    guard case .integer(let planes) = planes else {
      throw ImageError(.invalidArgument, "HEVC and AV1 encode integer samples, not floating point")
    }
    guard layout.components == .rgb else { return Array(planes.prefix(layout.componentCount)) }
    return [planes[1], planes[2], planes[0]]
  }

  /// The visible part of coded samples.
  ///
  /// If the part begins between two chroma samples, chroma is interpolated half a sample on. Its
  /// siting relative to luma and the subsampling are then preserved.
  func cropped(to geometry: ItemGeometry) -> ImagePlanes {
    guard (geometry.width, geometry.height) != (layout.width, layout.height),
      case .integer(let bits) = layout.samples
    else { return self }
    var cropped = layout
    (cropped.width, cropped.height) = (geometry.width, geometry.height)
    let planes = codedPlanes.enumerated().map { index, plane in
      let (horizontal, vertical) = layout.subsampling(ofPlane: index)
      var plane = plane
      if !geometry.left.isMultiple(of: horizontal) { plane = plane.movedHalfASampleLeft(bits) }
      if !geometry.top.isMultiple(of: vertical) { plane = plane.movedHalfASampleUp(bits) }
      let size = cropped.planeSize(index)
      return plane.part(
        x: geometry.left / horizontal, y: geometry.top / vertical, width: size.width,
        height: size.height)
    }
    return ImagePlanes(layout: cropped, planes: .integer(planes))
  }
}

extension [Plane<UInt16>] {
  /// Copies a part of coded samples to its position; samples outside these planes are ignored.
  mutating func place(_ part: ImagePlanes, x: Int, y: Int) {
    for (index, plane) in part.codedPlanes.enumerated() {
      let (horizontal, vertical) = part.layout.subsampling(ofPlane: index)
      self[index].place(plane, x: x / horizontal, y: y / vertical)
    }
  }
}

extension Plane<UInt16> {
  /// The visible part.
  func cropped(to geometry: ItemGeometry) -> Plane<UInt16> {
    guard (geometry.width, geometry.height) != (width, height) else { return self }
    return part(
      x: geometry.left, y: geometry.top, width: geometry.width, height: geometry.height)
  }

  fileprivate mutating func place(_ part: Plane<UInt16>, x: Int, y: Int) {
    let columns = (x..<x + part.width).clamped(to: 0..<width)
    let rows = (y..<y + part.height).clamped(to: 0..<height)
    for line in rows {
      let source = part.row(line - y)
      var target = mutableRow(line)
      for column in columns { target[column] = source[column - x] }
    }
  }

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
