#if HEIF || AVIF
internal import HDRCore
internal import ImageFiles

/// Size limit of one coded image; larger images become a grid of tiles.
struct CodedItemLimit: Hashable, Sendable {
  var pixels: Int
  var width: Int
  var height: Int

  /// Level 6.2, the highest.
  ///
  /// Source: ITU-T H.265, table A.8: MaxLumaPs; A.4.1: no side above the root of 8 times that.
  static let hevc = CodedItemLimit(pixels: 35_651_584, width: 16_888, height: 16_888)
  /// Level 6.3, the highest.
  ///
  /// Source: AV1, annex A.3: MaxPicSize, MaxHSize, MaxVSize.
  static let av1 = CodedItemLimit(pixels: 35_651_584, width: 16_384, height: 8_704)
  /// Limit of the bitstream's syntax.
  ///
  /// Source: AV1, 5.5.1: max_frame_width_minus_1 has 16 bits at most; A.3: level 31 has no limits.
  static let av1WithoutLevel = CodedItemLimit(pixels: .max, width: 65_536, height: 65_536)
}

/// Equal tiles that cover an image; those at the right and at the bottom may reach beyond it.
struct TileGrid: Hashable, Sendable {
  var columns: Int
  var rows: Int
  var tileWidth: Int
  var tileHeight: Int

  var tileCount: Int { columns * rows }

  /// The fewest tiles within a limit, the whole image if it fits.
  ///
  /// Sides of tiles are multiples of 64, as decoders in hardware like them.
  init(width: Int, height: Int, limit: CodedItemLimit) {
    (columns, rows, tileWidth, tileHeight) = (1, 1, width, height)
    while tileWidth * tileHeight > limit.pixels || tileWidth > limit.width
      || tileHeight > limit.height
    {
      if tileHeight <= 64 || tileWidth > limit.width || tileWidth >= tileHeight && tileWidth > 64 {
        columns += 1
      } else {
        rows += 1
      }
      tileWidth = Self.side(width, parts: columns)
      tileHeight = Self.side(height, parts: rows)
      if tileWidth == 64 && tileHeight == 64 { break }
    }
    columns = (width + tileWidth - 1) / tileWidth
    rows = (height + tileHeight - 1) / tileHeight
  }

  private static func side(_ length: Int, parts: Int) -> Int {
    let part = (length + parts - 1) / parts
    return (part + 63) & ~63
  }

  /// The rows and columns of the image that tile `index` covers, row by row.
  func origin(ofTile index: Int) -> (x: Int, y: Int) {
    (index % columns * tileWidth, index / columns * tileHeight)
  }
}

extension ImagePlanes {
  /// A copy of a part, which may reach beyond the right and the bottom: there the last column and
  /// row repeat.
  ///
  /// - Precondition: With subsampled chroma, `x` and `y` are even; both lie inside the image.
  func part(x: Int, y: Int, width: Int, height: Int) -> ImagePlanes {
    var partFormat = layout
    (partFormat.width, partFormat.height) = (width, height)
    func cut<Sample>(_ planes: [Plane<Sample>]) -> [Plane<Sample>] {
      planes.enumerated().map { index, plane in
        let isChroma = layout.componentCount == 3 && (index == 1 || index == 2)
        let size = partFormat.planeSize(index)
        return plane.part(
          x: isChroma ? x / layout.chroma.horizontal : x,
          y: isChroma ? y / layout.chroma.vertical : y, width: size.width, height: size.height)
      }
    }
    switch planes {
    case .integer(let planes):
      return ImagePlanes(layout: partFormat, planes: .integer(cut(planes)))
    case .float(let planes): return ImagePlanes(layout: partFormat, planes: .float(cut(planes)))
    case .half(let planes): return ImagePlanes(layout: partFormat, planes: .half(cut(planes)))
    }
  }
}

extension Plane {
  /// A copy of a part; beyond the right and the bottom the last column and row repeat.
  func part(x: Int, y: Int, width: Int, height: Int) -> Plane<Sample> {
    Plane(width: width, height: height) { samples in
      for line in y..<y + height {
        let row = self.row(min(line, self.height - 1))
        for column in x..<x + width { samples.append(row[min(column, self.width - 1)]) }
      }
    }
  }
}
#endif
