// SPDX-License-Identifier: Apache-2.0
#if HEIF || AVIF
internal import HDRCore
internal import ImageFiles

/// Size limit of one coded image; larger images are stored as a grid of tiles.
struct CodedItemLimit: Hashable, Sendable {
  var pixels: Int
  var width: Int
  var height: Int

  /// Level 6.2, the highest.
  ///
  /// Source: ITU-T H.265, table A.8: MaxLumaPs; A.4.1: each side at most the square root of 8 times
  /// that.
  static let hevc = CodedItemLimit(pixels: 35_651_584, width: 16_888, height: 16_888)
  /// Level 6.3, the highest.
  ///
  /// Source: AV1, annex A.3: MaxPicSize, MaxHSize, MaxVSize.
  static let av1 = CodedItemLimit(pixels: 35_651_584, width: 16_384, height: 8_704)
  /// Limits of the bitstream syntax.
  ///
  /// Source: AV1, 5.5.1: max_frame_width_minus_1 has 16 bits at most; A.3: level 31 is unlimited.
  static let av1WithoutLevel = CodedItemLimit(pixels: .max, width: 65_536, height: 65_536)
}

/// Equal tiles that cover an image; tiles at the right and bottom edges may extend beyond it.
struct TileGrid: Hashable, Sendable {
  var columns: Int
  var rows: Int
  var tileWidth: Int
  var tileHeight: Int

  var tileCount: Int { columns * rows }

  /// The smallest number of tiles within a limit: one if the image fits.
  ///
  /// The sides of tiles are multiples of 64, which hardware decoders prefer.
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

  /// The upper left corner of tile `index` in the image; tiles are ordered row by row.
  func origin(ofTile index: Int) -> (x: Int, y: Int) {
    (index % columns * tileWidth, index / columns * tileHeight)
  }
}

extension ImagePlanes {
  /// Copies a part, which may extend beyond the right and bottom edges by repeating the last column
  /// and row.
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
  /// Copies a part; beyond the right and bottom edges the last column and row are repeated.
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
