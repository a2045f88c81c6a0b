// SPDX-License-Identifier: Apache-2.0
#if HEIF || AVIF
internal import HDRCore
internal import ImageFiles

/// Yields the visible part of a grid, decoding a few rows of tiles at a time, or only those of a part.
///
/// Tiles stay in the memory of their decoders, so that a second copy of the image does not exist.
final class GridReader: PartReader {
  let layout: ImageLayout
  private let decoder: ItemDecoder
  private let grid: ItemImage
  private let columns: Int
  private let tiles: [ItemImage]
  private let left: Int
  private let top: Int
  private let alpha: Plane<UInt16>?
  /// Number of tile rows that are decoded together, enough for all threads.
  private let groupSize: Int
  /// The columns and rows of the grid that are read.
  private var part: Part
  private var group: Group?
  private var tail: Tail?

  private struct Part: Equatable {
    var columns: Range<Int>
    var rows: Range<Int>

    init(_ rectangle: PixelRectangle, left: Int, top: Int) {
      columns = left + rectangle.x..<left + rectangle.x + rectangle.width
      rows = top + rectangle.y..<top + rectangle.y + rectangle.height
    }

    func contains(_ other: Part) -> Bool {
      other.columns.clamped(to: columns) == other.columns
        && other.rows.clamped(to: rows) == other.rows
    }
  }

  private struct Group {
    /// The part that its tiles suffice for.
    var part: Part
    var index: Int
    /// Decoded tiles with their numbers in the group.
    var tiles: [(number: Int, tile: DecodedItem)]
  }

  /// The last rows of the previous group, kept because strips overlap.
  private struct Tail {
    static let height = 64
    var part: Part
    var rows: Range<Int>
    var planes: ImagePlanes
  }

  /// Prepares to read the part of `grid` that begins at `left` and `top` and has the size of
  /// `format`; `alpha` has that size.
  ///
  /// - Returns: `nil` unless `grid` is a grid whose tiles are each coded in one item and consist of
  ///   whole chroma samples, and the part begins with a whole chroma sample.
  init?(
    _ grid: ItemImage, decoder: ItemDecoder, left: Int, top: Int, as format: ImageLayout,
    alpha: Plane<UInt16>?
  ) {
    guard case .grid(let layout, let tiles) = grid.source, let tile = tiles.first,
      tiles.allSatisfy(\.isCoded),
      [left, tile.width].allSatisfy({ $0.isMultiple(of: grid.chroma.horizontal) }),
      [top, tile.height].allSatisfy({ $0.isMultiple(of: grid.chroma.vertical) })
    else { return nil }
    self.layout = format
    self.decoder = decoder
    self.grid = grid
    columns = layout.columns
    self.tiles = tiles
    (self.left, self.top) = (left, top)
    part = Part(Self.whole(format), left: left, top: top)
    self.alpha = alpha
    groupSize = max(Execution.current.threads / layout.columns, 1)
  }

  func limit(to part: PixelRectangle?) {
    self.part = Part(part ?? Self.whole(layout), left: left, top: top)
  }

  private static func whole(_ layout: ImageLayout) -> PixelRectangle {
    PixelRectangle(x: 0, y: 0, width: layout.width, height: layout.height)
  }

  /// The share of the tiles that is read.
  var shareOfTiles: Double {
    Double(tiles.indices.filter(isRead).count) / Double(tiles.count)
  }

  func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    try shown(top + rows.lowerBound..<top + rows.upperBound)
      .decoded(as: layout, rows: rows, alpha: alpha)
  }

  /// The visible columns of rows of the grid.
  private func shown(_ rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    let layout = codedLayout(height: rows.count)
    var canvas = layout.zeroPlanes(of: UInt16.self)
    var y = rows.lowerBound
    while y < rows.upperBound {
      let end: Int
      if let tail, tail.part.contains(part), tail.rows ~= y,
        group.map({ !self.rows(of: $0.index).contains(y) }) ?? true
      {
        end = min(rows.upperBound, tail.rows.upperBound)
        let part = tail.planes.strip(
          rows: y - tail.rows.lowerBound..<end - tail.rows.lowerBound)
        canvas.place(part, x: 0, y: y - rows.lowerBound)
      } else {
        let group = try load(y / (groupSize * tiles[0].height))
        end = min(rows.upperBound, self.rows(of: group.index).upperBound)
        copy(y..<end, of: group, into: &canvas, at: y - rows.lowerBound)
      }
      y = end
    }
    return ImagePlanes(layout: layout, planes: .integer(canvas))
  }

  /// Layout of the visible columns of coded rows.
  private func codedLayout(height: Int) -> ImageLayout {
    ImageLayout(codedWidth: layout.width, height: height, chroma: grid.chroma, bits: grid.bits)
  }

  /// Rows of the grid that a group covers.
  private func rows(of group: Int) -> Range<Int> {
    let height = groupSize * tiles[0].height
    return group * height..<min((group + 1) * height, grid.height)
  }

  /// Copies the visible columns of rows that the group covers.
  private func copy(
    _ rows: Range<Int>, of group: Group, into canvas: inout [Plane<UInt16>], at line: Int
  ) {
    let (width, height) = (tiles[0].width, tiles[0].height)
    for (number, tile) in group.tiles {
      let x = number % columns * width
      let y = (group.index * groupSize + number / columns) * height
      let across = (x..<x + width).clamped(to: left..<left + layout.width)
      let down = (y..<y + height).clamped(to: rows)
      guard !across.isEmpty, !down.isEmpty else { continue }
      let part = tile.part(
        x: across.lowerBound - x, y: down.lowerBound - y, width: across.count,
        height: down.count)
      canvas.place(
        part, x: across.lowerBound - left, y: line + down.lowerBound - rows.lowerBound)
    }
  }

  /// Whether a tile contributes to the part that is read.
  private func isRead(_ tile: Int) -> Bool {
    let (x, y) = (tile % columns * tiles[0].width, tile / columns * tiles[0].height)
    return part.columns.overlaps(x..<x + tiles[0].width)
      && part.rows.overlaps(y..<y + tiles[0].height)
  }

  /// Decodes the tiles of a group unless they are cached.
  private func load(_ index: Int) throws(ImageError) -> Group {
    if let group, group.index == index, group.part.contains(part) { return group }
    tail = group.flatMap { $0.index == index - 1 ? makeTail($0) : nil }
    group = nil
    let first = index * groupSize * columns
    let wanted = (first..<min(first + groupSize * columns, tiles.count)).filter(isRead)
    let part = wanted.map { tiles[$0] }
    let (decoder, id) = (decoder, grid.id)
    let decoded = try concurrentMap(part.count) { (index) throws(ImageError) in
      do throws(ImageError) {
        guard let tile = try decoder.decodeCoded(part[index]) else {
          preconditionFailure("a tile that is made from others")
        }
        return tile
      } catch {
        throw error.inside("item \(id)")
      }
    }
    let loaded = Group(
      part: self.part, index: index,
      tiles: zip(wanted, decoded).map { (number: $0 - first, tile: $1) })
    group = loaded
    return loaded
  }

  private func makeTail(_ group: Group) -> Tail {
    let all = rows(of: group.index)
    let rows = max(all.upperBound - Tail.height, all.lowerBound)..<all.upperBound
    let layout = codedLayout(height: rows.count)
    var planes = layout.zeroPlanes(of: UInt16.self)
    copy(rows, of: group, into: &planes, at: 0)
    return Tail(
      part: group.part, rows: rows, planes: ImagePlanes(layout: layout, planes: .integer(planes)))
  }
}

/// Yields the visible part of a grid that is decoded as a whole when it is first read, or of the tiles of
/// a part.
///
/// A canvas of subsampled chroma is small, and repeated reads do not decode again.
final class CanvasReader: PartReader {
  let layout: ImageLayout
  private let grid: GridReader
  private let decode: () throws(ImageError) -> ImagePlanes
  private var canvas: ImagePlanes?
  private var isLimited = false

  /// Prepares to read a grid, which `decode` decodes as a whole.
  init(_ grid: GridReader, _ decode: @escaping () throws(ImageError) -> ImagePlanes) {
    (self.grid, self.decode, layout) = (grid, decode, grid.layout)
  }

  func limit(to part: PixelRectangle?) {
    grid.limit(to: part)
    isLimited = canvas == nil && grid.shareOfTiles < 0.5
  }

  func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    guard !isLimited else { return try grid.read(rows: rows) }
    if let canvas { return canvas.strip(rows: rows) }
    let whole = try decode()
    canvas = whole
    return whole.strip(rows: rows)
  }
}

extension ItemImage {
  /// Whether the samples are those of one coded image.
  fileprivate var isCoded: Bool {
    switch source {
    case .coded: true
    case .identity(let input): input.isCoded
    case .grid, .overlay: false
    }
  }

  /// The item that contains these samples.
  var origin: ItemImage {
    if case .identity(let input) = source { input.origin } else { self }
  }
}
#endif
