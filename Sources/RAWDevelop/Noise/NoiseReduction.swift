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
/// they depend on distant photosites; the fine ones with the tiles. The means of both are those of
/// linear values.
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
    func start(row y: Int) -> Int { (y - rows.lowerBound + margin) * sites[0].width + margin }
  }

  /// Computes all tiles.
  ///
  /// - Parameter body: Receives tiles, concurrently; those of one row of tiles are in order.
  /// - Throws: `.cancelled`; `.limitExceeded` for more memory than allowed.
  func forEachTile(_ body: @Sendable (borrowing Tile) -> Void) throws(ImageError) {
    var stages = Stages(1, 1)
    let corrections = try stages.next { () throws(ImageError) in try self.corrections() }
    let margin = FineNoiseReduction.reach
    try stages.next { () throws(ImageError) in
      try forEach(margin: margin) { rows, columns, sites, buffers in
        reduceFine(&sites, &buffers)
        for (index, plane) in corrections.enumerated() {
          add(plane, to: &sites[index], rows, columns, margin: margin)
        }
        body(Tile(rows: rows, columns: columns, margin: margin, sites: sites))
      }
    }
  }

  /// Reduces the noise of the fine levels.
  private func reduceFine(
    _ sites: inout [SampleGrid], _ buffers: inout FineNoiseReduction.Buffers
  ) {
    transform.apply(to: &sites)
    if shrinkages.contains(where: { !$0.isIdentity }) {
      FineNoiseReduction(shrinkages).apply(to: &sites, &buffers)
    }
    transform.invert(&sites)
  }

  /// Values to add to the results of the fine levels, at half the size; empty if nothing changes.
  private func corrections() throws(ImageError) -> [Plane<Float>] {
    guard shrinkages.contains(where: { !$0.isIdentity }) else { return [] }
    let (width, height) = ((source.size.width + 1) / 2, (source.size.height + 1) / 2)
    let layout = LinearReference.layout(
      width: width, height: height, count: source.count, samples: .float)
    // The means before and after, and the memory of their levels.
    try Execution.current.budget.require(memory: 10 * layout.byteCount, for: "samples")
    let margin = FineNoiseReduction.reach
    var reduced: [Plane<Float>] = []
    var original = try SharedPlanes<Float>.makePlanes(layout) { (before) throws(ImageError) in
      reduced = try SharedPlanes<Float>.makePlanes(layout) { (after) throws(ImageError) in
        try forEach(margin: margin) { rows, columns, sites, buffers in
          halve(sites, rows, columns, margin: margin, into: before, &buffers.line)
          reduceFine(&sites, &buffers)
          halve(sites, rows, columns, margin: margin, into: after, &buffers.line)
        }
      }
    }
    return try CoarseNoiseReduction(transform: transform, shrinkages: shrinkages)
      .corrections(original: &original, reduced: &reduced)
  }

  /// Computes means of 2 x 2 values of a tile.
  private func halve(
    _ sites: [SampleGrid], _ rows: Range<Int>, _ columns: Range<Int>, margin: Int,
    into planes: SharedPlanes<Float>, _ line: inout [Float]
  ) {
    let half = columns.lowerBound / 2..<(columns.upperBound + 1) / 2
    var means = [Float](repeating: 0, count: half.count)
    for (index, grid) in sites.enumerated() {
      for y in stride(from: rows.lowerBound, to: rows.upperBound, by: 2) {
        let start = (y - rows.lowerBound + margin) * grid.width + margin
        // The margin has mirrored values beyond odd sizes.
        precondition(start + grid.width + 2 * half.count <= grid.samples.count)
        unsafe grid.samples.withUnsafeBufferPointer { samples in
          guard let samples = samples.baseAddress else { return }
          // SAFETY: two rows of the grid, and a line of their length.
          unsafe line.withUnsafeMutableBufferPointer { line in
            guard let line = line.baseAddress else { return }
            unsafe line.update(from: samples + start, count: 2 * half.count)
            unsafe pk_mix(line, samples + start + grid.width, 2 * half.count, 0.5, 0.5)
            unsafe pk_halve_center(line, &means, 2 * half.count)
          }
        }
        planes.withRow(y / 2, columns: half, of: index) { means.copy(into: &$0) }
      }
    }
  }

  /// Adds a plane of half the size, interpolated, to a tile.
  private func add(
    _ plane: Plane<Float>, to grid: inout SampleGrid, _ rows: Range<Int>, _ columns: Range<Int>,
    margin: Int
  ) {
    let first = max(columns.lowerBound / 2 - 1, 0)
    let last = min(columns.upperBound / 2 + 1, plane.width - 1)
    let count = last - first + 1
    var line = [Float](repeating: 0, count: count)
    var doubled = [Float](repeating: 0, count: 2 * count)
    for y in rows {
      let near = plane.row(y / 2)
      let far = plane.row(min(max(y % 2 == 0 ? y / 2 - 1 : y / 2 + 1, 0), plane.height - 1))
      for x in 0..<count { line[x] = 0.75 * near[first + x] + 0.25 * far[first + x] }
      // SAFETY: `line` has a sample for every other one of `doubled`.
      unsafe pk_double_center(line, &doubled, doubled.count)
      let start = (y - rows.lowerBound + margin) * grid.width + margin
      let offset = columns.lowerBound - 2 * first
      for x in 0..<columns.count { grid.samples[start + x] += doubled[offset + x] }
    }
  }

  /// Loads tiles.
  private func forEach(
    margin: Int,
    _ body:
      @Sendable (
        _ rows: Range<Int>, _ columns: Range<Int>, _ sites: inout [SampleGrid],
        _ buffers: inout FineNoiseReduction.Buffers
      ) -> Void
  ) throws(ImageError) {
    let (size, tile) = (source.size, Self.tileSize)
    let count = (size.height + tile.height - 1) / tile.height
    try concurrentForEach(count) { index in
      let rows = index * tile.height..<min((index + 1) * tile.height, size.height)
      var sites = Array(repeating: SampleGrid(), count: source.count)
      var buffers = FineNoiseReduction.Buffers()
      for first in stride(from: 0, to: size.width, by: tile.width) {
        let columns = first..<min(first + tile.width, size.width)
        load(&sites, rows, columns, margin: margin)
        buffers.resize(width: sites[0].width)
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
}
