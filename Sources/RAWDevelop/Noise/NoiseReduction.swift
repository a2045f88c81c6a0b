// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import PixelKernels

/// Photosites of one color each, or planes, of one size.
protocol SiteSource: Sendable {
  /// Number of photosites in a row, and of rows.
  var size: (width: Int, height: Int) { get }
  /// Number of colors or planes.
  var count: Int { get }

  /// Reads a row of all of them.
  ///
  /// - Parameters:
  ///   - y: A row.
  ///   - columns: Some columns.
  ///   - sites: Receive the values.
  ///   - start: First index in the values.
  func read(row y: Int, columns: Range<Int>, into sites: inout [SampleGrid], at start: Int)
}

/// Reduces noise in tiles, so that little memory is needed.
///
/// The coarse levels of the wavelets are computed first, for the whole image at half the size, since
/// they depend on distant photosites; the fine ones with the tiles.
struct NoiseReduction: Sendable {
  private let source: any SiteSource
  private let transform: NoiseTransform
  private let shrinkages: [WaveletShrinkage]

  /// Size of a tile; its data stay in the cache of a core.
  private static let tileSize = (width: 384, height: 96)

  init(_ source: any SiteSource, _ transform: NoiseTransform) {
    (self.source, self.transform) = (source, transform)
    shrinkages = transform.shrinkages
  }

  /// Values of a tile with a margin.
  struct Tile: Sendable {
    let rows: Range<Int>
    let columns: Range<Int>
    let margin: Int
    let sites: [SampleGrid]

    /// Index of the first value of a row.
    func start(row y: Int) -> Int {
      (y - rows.lowerBound + margin) * sites[0].width + margin
    }
  }

  /// Computes all tiles.
  ///
  /// - Parameter body: Receives tiles, concurrently; those of one row of tiles are in order.
  /// - Throws: `.cancelled`; `.limitExceeded` for more memory than allowed.
  func forEachTile(_ body: @Sendable (borrowing Tile) -> Void) throws(ImageError) {
    let coarse = try coarseRemoved()
    let margin = WaveletShrinkage.fineReach
    try forEach(margin: margin) { rows, columns, sites, buffers in
      for index in sites.indices where !shrinkages[index].isIdentity {
        buffers.resize(width: sites[index].width, height: sites[index].height)
        fill(&buffers, from: coarse.isEmpty ? nil : coarse[index], rows, columns)
        shrinkages[index].apply(to: &sites[index], &buffers)
      }
      transform.invert(&sites)
      body(Tile(rows: rows, columns: columns, margin: margin, sites: sites))
    }
  }

  /// Noise that is removed from the coarse levels of each component, at half the size; empty for nothing.
  private func coarseRemoved() throws(ImageError) -> [Plane<Float>] {
    guard shrinkages.contains(where: \.hasCoarseLevels) else { return [] }
    let (width, height) = ((source.size.width + 1) / 2, (source.size.height + 1) / 2)
    let layout = LinearReference.layout(
      width: width, height: height, count: source.count, samples: .float)
    // The means, what is removed, and the memory of two or more components.
    try Execution.current.budget.require(memory: 3 * layout.byteCount, for: "samples")
    let margin = WaveletShrinkage.meanReach
    let means = try SharedPlanes<Float>.makePlanes(layout) { (shared) throws(ImageError) in
      try forEach(margin: margin) { rows, columns, sites, buffers in
        for index in sites.indices {
          WaveletShrinkage.smooth(sites[index], &buffers)
          let grid = buffers.coarse
          for y in stride(from: rows.lowerBound, to: rows.upperBound, by: 2) {
            let start = (y - rows.lowerBound + margin) * grid.width + margin
            let half = columns.lowerBound / 2..<(columns.upperBound + 1) / 2
            shared.withRow(y / 2, columns: half, of: index) { row in
              for x in row.indices { row[x] = grid.samples[start + 2 * x] }
            }
          }
        }
      }
    }
    return try concurrentMap(means.count) { (index) throws(ImageError) in
      shrinkages[index].hasCoarseLevels
        ? shrinkages[index].removed(fromMeans: means[index])
        : Plane(width: width, height: height, filledWith: 0)
    }
  }

  /// Loads tiles and converts them to components.
  private func forEach(
    margin: Int,
    _ body:
      @Sendable (
        _ rows: Range<Int>, _ columns: Range<Int>, _ sites: inout [SampleGrid],
        _ buffers: inout WaveletShrinkage.Buffers
      ) -> Void
  ) throws(ImageError) {
    let (size, tile) = (source.size, Self.tileSize)
    let count = (size.height + tile.height - 1) / tile.height
    _ = try concurrentMap(count) { (index) throws(ImageError) in
      let rows = index * tile.height..<min((index + 1) * tile.height, size.height)
      var sites = Array(repeating: SampleGrid(), count: source.count)
      var buffers = WaveletShrinkage.Buffers()
      for first in stride(from: 0, to: size.width, by: tile.width) {
        let columns = first..<min(first + tile.width, size.width)
        load(&sites, rows, columns, margin: margin)
        buffers.resize(width: sites[0].width, height: sites[0].height)
        transform.apply(to: &sites)
        body(rows, columns, &sites, &buffers)
      }
    }
  }

  /// Loads a tile with a margin, mirrored beyond the edges.
  private func load(
    _ sites: inout [SampleGrid], _ rows: Range<Int>, _ columns: Range<Int>, margin: Int
  ) {
    let (width, height) = (columns.count + 2 * margin, rows.count + 2 * margin)
    for index in sites.indices { sites[index].resize(width: width, height: height) }
    let (first, size) = (columns.lowerBound - margin, source.size)
    let inside = max(first, 0)..<min(columns.upperBound + margin, size.width)
    for y in 0..<height {
      let start = y * width
      source.read(
        row: mirroredIndex(rows.lowerBound - margin + y, size.height), columns: inside,
        into: &sites, at: start + inside.lowerBound - first)
      for x in [0..<inside.lowerBound - first, inside.upperBound - first..<width].joined() {
        let mirrored = start + mirroredIndex(first + x, size.width) - first
        for index in sites.indices {
          sites[index].samples[start + x] = sites[index].samples[mirrored]
        }
      }
    }
  }

  /// Fills the grid of what is removed with that of the coarse levels, interpolated.
  private func fill(
    _ buffers: inout WaveletShrinkage.Buffers, from coarse: Plane<Float>?, _ rows: Range<Int>,
    _ columns: Range<Int>
  ) {
    let margin = WaveletShrinkage.fineReach
    let width = buffers.removed.width
    guard let coarse else {
      for index in 0..<width * buffers.removed.height { buffers.removed.samples[index] = 0 }
      return
    }
    let half = columns.lowerBound / 2..<(columns.upperBound + 1) / 2
    var line = [Float](repeating: 0, count: half.count + 1)
    var doubled = [Float](repeating: 0, count: 2 * half.count + 1)
    for y in rows {
      let (upper, lower) = (coarse.row(y / 2), coarse.row(min((y + 1) / 2, coarse.height - 1)))
      for x in line.indices {
        let column = min(half.lowerBound + x, coarse.width - 1)
        line[x] = (upper[column] + lower[column]) / 2
      }
      // SAFETY: `line` has a sample for every other one of `doubled`.
      unsafe pk_double_left(line, &doubled, doubled.count)
      let start = (y - rows.lowerBound + margin) * width + margin
      for x in 0..<columns.count { buffers.removed.samples[start + x] = doubled[x] }
    }
  }
}
