// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import PixelKernels

extension LinearReference {
  /// Returns the values with reduced noise and changed detail.
  ///
  /// - Parameters:
  ///   - amounts: Shares of the noise to remove, and changes of detail.
  ///   - profile: Numbers of NoiseProfile; the noise is measured if empty.
  ///   - bayer: Phase of the mosaic; `nil` without one.
  ///   - gains: White-balance gains.
  /// - Returns: Values of the same area, in half precision.
  /// - Throws: `.cancelled`; `.limitExceeded` for more memory than allowed.
  func denoised(
    _ amounts: DetailAmounts, profile: [Double], bayer: ColorFilterArray.Bayer?,
    gains: SIMD3<Float>
  ) throws(ImageError) -> LinearReference {
    let sites = LinearSites(reference: self, bayer: bayer)
    guard min(sites.size.width, sites.size.height) >= 8 else { return self }
    let models = sites.sites.map { site in
      NoiseModel(profile: profile, plane: min(site.color, 2))
    }
    let measured = models.contains(nil) ? NoiseModel(measuring: sites.sample(), rowStep: 8) : nil
    let transform = NoiseTransform(
      models: models.map { ($0 ?? measured ?? NoiseModel(slope: 0, offset: 0)).orSmallest },
      gains: sites.sites.map { gains[min($0.color, 2)] }, amounts: amounts)
    let layout = Self.layout(
      width: area.width, height: area.height, count: planes, samples: .integer(bits: 16))
    try layout.requireMemory()
    let halves = try SharedPlanes<UInt16>.makePlanes(layout) { (shared) throws(ImageError) in
      try NoiseReduction(sites, transform).forEachTile { tile in
        sites.write(tile, to: shared)
      }
    }
    return LinearReference(self, halves: halves)
  }

  static func layout(
    width: Int, height: Int, count: Int, samples: ImageLayout.Samples
  ) -> ImageLayout {
    ImageLayout(
      width: width, height: height, components: count < 3 ? .gray : .rgb, samples: samples,
      hasAlpha: count == 4)
  }
}

/// Photosites of each color of the squares of a mosaic, or the planes of an image.
struct LinearSites: SiteSource {
  /// Photosites of one color, or one plane.
  struct Site: Hashable, Sendable {
    let x: Int
    let y: Int
    let plane: Int
    /// 0 red, 1 green, 2 blue.
    let color: Int
  }

  let reference: LinearReference
  /// Red, two greens and blue of a mosaic; or the planes.
  let sites: [Site]
  /// Rows and columns of a square.
  private let side: Int

  init(reference: LinearReference, bayer: ColorFilterArray.Bayer?) {
    self.reference = reference
    guard let bayer else {
      let planes = reference.planes
      sites = (0..<planes).map { Site(x: 0, y: 0, plane: $0, color: planes == 1 ? 1 : $0) }
      side = 1
      return
    }
    let (x, y) = (bayer.redColumn, bayer.redRow)
    sites = [
      Site(x: x, y: y, plane: 0, color: 0), Site(x: 1 - x, y: y, plane: 0, color: 1),
      Site(x: x, y: 1 - y, plane: 0, color: 1), Site(x: 1 - x, y: 1 - y, plane: 0, color: 2),
    ]
    side = 2
  }

  var size: (width: Int, height: Int) {
    (reference.area.width / side, reference.area.height / side)
  }
  var count: Int { sites.count }

  func read(row y: Int, columns: Range<Int>, into grids: inout [SampleGrid], at start: Int) {
    guard side == 2 else {
      for site in sites {
        reference.read(
          row: y, columns: columns, plane: site.plane, into: &grids[site.plane].samples, at: start)
      }
      return
    }
    let photosites = 2 * columns.lowerBound..<2 * columns.upperBound
    var line = [Float](repeating: 0, count: photosites.count)
    for offset in 0..<2 {
      reference.read(row: 2 * y + offset, columns: photosites, plane: 0, into: &line, at: 0)
      for (index, site) in sites.enumerated() where site.y == offset {
        precondition(grids[index].samples.count >= start + columns.count)
        unsafe grids[index].samples.withUnsafeMutableBufferPointer { target in
          unsafe line.withUnsafeBufferPointer { line in
            guard let target = target.baseAddress, let line = line.baseAddress else { return }
            // SAFETY: the line has two samples for each of the columns.
            unsafe pk_raw_floats(line + site.x, 2, target + start, columns.count)
          }
        }
      }
    }
  }

  /// Writes the photosites of a tile; saturated ones stay saturated.
  ///
  /// - Parameters:
  ///   - tile: New values.
  ///   - shared: Receives all photosites in half precision.
  func write(_ tile: borrowing NoiseReduction.Tile, to shared: SharedPlanes<UInt16>) {
    let area = reference.area
    /// The last tile includes photosites that are not in a square.
    func photosites(_ range: Range<Int>, _ count: Int, _ all: Int) -> Range<Int> {
      side * range.lowerBound..<(range.upperBound == count ? all : side * range.upperBound)
    }
    let columns = photosites(tile.columns, size.width, area.width)
    var line = [Float](repeating: 0, count: columns.count)
    var halves = [UInt16](repeating: 0, count: columns.count)
    for y in photosites(tile.rows, size.height, area.height) {
      for plane in 0..<reference.planes {
        reference.read(row: y, columns: columns, plane: plane, into: &line, at: 0)
        for (index, site) in sites.enumerated()
        where site.plane == plane && y % side == site.y && y / side < size.height {
          let start = tile.start(row: y / side)
          unsafe tile.sites[index].samples.withUnsafeBufferPointer { values in
            unsafe line.withUnsafeMutableBufferPointer { line in
              guard let values = values.baseAddress, let line = line.baseAddress else { return }
              // SAFETY: the line has a square for each column of the tile.
              unsafe pk_replace_unsaturated(line + site.x, side, values + start, tile.columns.count)
            }
          }
        }
        // SAFETY: both rows have a value for each column.
        unsafe pk_float_to_half(line, &halves, halves.count)
        shared.withRow(y, columns: columns, of: plane) { halves.copy(into: &$0) }
      }
    }
  }

  /// Parts of the photosites, to measure their noise: groups of eight rows.
  func sample() -> [Plane<Float>] {
    let (size, count) = (size, min(size.height / 8, 48))
    var grids = Array(repeating: SampleGrid(), count: sites.count)
    for index in grids.indices { grids[index].resize(width: size.width, height: 8 * count) }
    for group in 0..<count {
      let first = group * (size.height - 8) / max(count - 1, 1)
      for y in 0..<8 {
        read(
          row: first + y, columns: 0..<size.width, into: &grids,
          at: (8 * group + y) * size.width)
      }
    }
    return grids.map { grid in
      Plane(width: grid.width, height: grid.height) { samples in
        for value in grid.samples { samples.append(value) }
      }
    }
  }
}
