#if HEIF || AVIF
internal import HDRCore
internal import ImageFiles

extension CodedPlanes {
  /// Creates a canvas of zero samples.
  init(emptyWithWidth width: Int, height: Int, chroma: ChromaSubsampling, bits: Int) {
    let format = ImageLayout(
      width: width, height: height, components: chroma == .yuv400 ? .gray : .ycbcr(chroma),
      samples: .integer(bits: bits))
    let planes = (0..<format.componentCount).map {
      let size = format.planeSize($0)
      return Plane<UInt16>(width: size.width, height: size.height, filledWith: 0)
    }
    self.init(width: width, height: height, chroma: chroma, bits: bits, planes: planes)
  }

  /// Copies a part to its position; samples outside the canvas are ignored.
  mutating func place(_ part: CodedPlanes, x: Int, y: Int) {
    for index in planes.indices {
      let (horizontal, vertical) = index > 0 ? (chroma.horizontal, chroma.vertical) : (1, 1)
      planes[index].place(part.planes[index], x: x / horizontal, y: y / vertical)
    }
  }

  /// Copies rows, of which the first is a chroma row.
  func strip(rows: Range<Int>) -> CodedPlanes {
    var strip = self
    strip.height = rows.count
    strip.planes = planes.enumerated().map { index, plane in
      let vertical = index > 0 ? chroma.vertical : 1
      let first = rows.lowerBound / vertical
      return plane.strip(rows: first..<(rows.upperBound + vertical - 1) / vertical)
    }
    return strip
  }
}

extension Plane<UInt16> {
  fileprivate mutating func place(_ part: Plane<UInt16>, x: Int, y: Int) {
    let columns = (x..<x + part.width).clamped(to: 0..<width)
    let rows = (y..<y + part.height).clamped(to: 0..<height)
    for line in rows {
      let source = part.row(line - y)
      var target = mutableRow(line)
      for column in columns { target[column] = source[column - x] }
    }
  }
}
#endif
