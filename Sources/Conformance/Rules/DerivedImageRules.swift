// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Rules of derived images: grids of tiles.
enum DerivedImageRules {
  private static let rejected = "libavif and libheif reject the grid"

  static let all: [Rule] = [
    .heif(
      "heif/grid-inputs", .must, "ISO/IEC 23008-12, 6.6.2.3.1",
      "A grid has as many inputs as cells", effect: rejected, inputs),
    .heif(
      "heif/grid-tiles", .must, "ISO/IEC 23008-12, 6.6.2.3.1",
      "The tiles of a grid have the same size and coding", effect: rejected, tiles),
    .heif(
      "heif/grid-covered", .must, "ISO/IEC 23008-12, 6.6.2.3.1",
      "The tiles of a grid cover it, and none is outside", effect: rejected, covered),
    .heif(
      "miaf/grid-chroma", .must, "ISO/IEC 23000-22, 7.3.11.4.2",
      "Grids and tiles consist of whole chroma samples", effect: "libavif rejects the grid",
      except: "in HEIC", chroma),
    .heif(
      "miaf/grid-tile-size", .must, "ISO/IEC 23000-22, 7.3.11.4.2",
      "Tiles have at least 64 pixels per side", effect: "libavif rejects the grid",
      except: "in HEIC", tileSize),
  ]

  /// A grid, its parameters and its tiles.
  private struct Grid {
    let item: HEIFItem
    let cells: ImageGrid
    let inputs: [UInt32]
    let tiles: [HEIFItem]

    var tileSize: (width: Int, height: Int)? {
      tiles.first?.property(ImageSpatialExtentsBox.self).map { (Int($0.width), Int($0.height)) }
    }
  }

  private static func forEachGrid(
    _ heif: CheckedHEIF, _ check: (Grid) throws(ImageError) -> Finding?
  ) throws(ImageError) -> [Finding]? {
    let items = heif.items("grid")
    guard !items.isEmpty else { return nil }
    var findings: [Finding] = []
    for item in items {
      let cells = try heif.file.grid(of: item.id)
      let inputs = heif.file.references(from: item.id, type: "dimg")
      let grid = Grid(
        item: item, cells: cells, inputs: inputs, tiles: inputs.compactMap(heif.file.item))
      if let finding = try check(grid) { findings.append(finding) }
    }
    return findings
  }

  private static func inputs(_ heif: CheckedHEIF) throws(ImageError) -> [Finding]? {
    try forEachGrid(heif) { grid in
      let needed = grid.cells.rows * grid.cells.columns
      return grid.inputs.count == needed
        ? nil
        : Finding(
          "\(grid.inputs.count) inputs", at: heif.location(grid.item),
          declared: "\(grid.cells.columns)x\(grid.cells.rows) cells")
    }
  }

  private static func tiles(_ heif: CheckedHEIF) throws(ImageError) -> [Finding]? {
    try forEachGrid(heif) { grid in
      guard let first = grid.tiles.first else { return nil }
      let other = grid.tiles.first { tile in
        tile.type != first.type
          || tile.property(ImageSpatialExtentsBox.self)
            != first.property(ImageSpatialExtentsBox.self)
          || tile.coding != first.coding
      }
      return other.map {
        Finding("size or coding differs from item \(first.id)", at: heif.location($0))
      }
    }
  }

  private static func covered(_ heif: CheckedHEIF) throws(ImageError) -> [Finding]? {
    try forEachGrid(heif) { grid in
      guard let tile = grid.tileSize else { return nil }
      func isRight(_ side: UInt32, _ tile: Int, _ count: Int) -> Bool {
        let (reached, overflow) = tile.multipliedReportingOverflow(by: count)
        return !overflow && reached >= Int(side) && reached - tile < Int(side)
      }
      let isCovered =
        isRight(grid.cells.width, tile.width, grid.cells.columns)
        && isRight(grid.cells.height, tile.height, grid.cells.rows)
      return isCovered
        ? nil
        : Finding(
          "\(grid.cells.columns)x\(grid.cells.rows) tiles of \(tile.width)x\(tile.height)",
          at: heif.location(grid.item), declared: "\(grid.cells.width)x\(grid.cells.height)")
    }
  }

  private static func chroma(_ heif: CheckedHEIF) throws(ImageError) -> [Finding]? {
    try forEachGrid(heif) { (grid) throws(ImageError) -> Finding? in
      guard let tile = grid.tileSize, let first = grid.tiles.first else { return nil }
      let chroma = try heif.bitstream(of: first.id).chroma
      let isWhole =
        [Int(grid.cells.width), tile.width].allSatisfy { $0 % chroma.horizontal == 0 }
        && [Int(grid.cells.height), tile.height].allSatisfy { $0 % chroma.vertical == 0 }
      return isWhole
        ? nil
        : Finding(
          "odd sizes with chroma \(chroma.rawValue)", at: heif.location(grid.item),
          isHarmless: !heif.isAVIF)
    }
  }

  private static func tileSize(_ heif: CheckedHEIF) throws(ImageError) -> [Finding]? {
    try forEachGrid(heif) { grid in
      guard let tile = grid.tileSize, min(tile.width, tile.height) < 64 else { return nil }
      return Finding(
        "tiles of \(tile.width)x\(tile.height)", at: heif.location(grid.item),
        isHarmless: !heif.isAVIF)
    }
  }
}

extension HEIFItem {
  /// Profile, depth and chroma, which must be the same in all tiles of a grid.
  fileprivate var coding: [Int] {
    if let box = property(HEVCConfigurationBox.self) {
      return [
        Int(box.profileTierLevel.profileIDC), Int(box.chromaFormat), Int(box.lumaBitDepth),
        Int(box.chromaBitDepth),
      ]
    }
    guard let box = property(AV1ConfigurationBox.self) else { return [] }
    return [Int(box.profile), box.bitDepth, box.chroma.horizontal, box.chroma.vertical]
  }
}
