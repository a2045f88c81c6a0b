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

/// Noise reduction of the fine levels, in values with uniform noise.
struct FineNoiseReduction: Sendable {
  /// Memory of a thread.
  struct Buffers: Sendable {
    /// Means of the levels, one component after the other.
    fileprivate var means: [[SampleGrid]] = []
    fileprivate var details = LevelDetails()
    /// A row.
    var line: [Float] = []

    /// Sets the width of rows.
    mutating func resize(width: Int) {
      if line.count < width { line = [Float](repeating: 0, count: width) }
    }
  }

  private let shrinkages: [WaveletShrinkage]

  /// Samples to each side that a result depends on: means of two levels, the energy of the
  /// coarser one, and its covariance.
  static let reach = 2 + 4 + 4 + 2
  /// Standard deviations of the levels of noise with a standard deviation of 1.
  private static let deviations: [Float] = [0.8908, 0.2007]

  init(_ shrinkages: [WaveletShrinkage]) { self.shrinkages = shrinkages }

  /// Changes the components.
  ///
  /// - Parameters:
  ///   - components: Values with a margin of `reach`.
  ///   - buffers: Memory.
  func apply(to components: inout [SampleGrid], _ buffers: inout Buffers) {
    let (count, margin) = (components.count, Self.reach)
    let (width, height) = (components[0].width, components[0].height)
    buffers.resize(width: width)
    while buffers.means.count < Self.deviations.count { buffers.means.append([]) }
    let variance = NoiseVariance(uniform: shrinkages.map(\.variance), width: width)
    var meanReach = 0
    for (index, deviation) in Self.deviations.enumerated() {
      let step = 1 << index
      meanReach += 2 * step
      var means = buffers.means[index]
      buffers.means[index] = []
      while means.count < count { means.append(SampleGrid()) }
      let levels = shrinkages.map { $0.level(index) }
      buffers.details.begin(
        rows: margin..<height - margin, of: components[0], step: step, margin: margin,
        components: count)
      for component in 0..<count {
        // SampleGrid has value semantics; this does not copy.
        let fine = index == 0 ? components[component] : buffers.means[index - 1][component]
        fine.smooth(into: &means[component], step: step, margin: meanReach, line: &buffers.line)
        buffers.details.split(
          component, fine, means: means[component],
          limit: levels[component].limit * deviation * deviation, variance: variance,
          line: &buffers.line)
      }
      buffers.means[index] = means
      guard levels.contains(where: { !$0.isIdentity }) else { continue }
      buffers.details.keepRemovedPart(
        variance: variance, deviation: deviation, levels: levels, line: &buffers.line)
      for component in 0..<count {
        buffers.details.subtract(component, from: &components[component])
      }
    }
  }
}

/// Amounts of noise reduction and of changes of detail.
struct DetailAmounts: Hashable, Sendable {
  /// Share of the luminance noise to remove, 0...1.
  var luminance: Double
  /// Share of the color noise to remove, 0...1.
  var color: Double

  /// Share of the finest color differences to remove, 0...1.
  var moire = 0.0
  /// Enhancement of local contrast, 0...1.
  var contrast = 0.0
  /// Enhancement of fine luminance detail, 0...1.
  var detail = 0.0

  var isIdentity: Bool {
    luminance == 0 && color == 0 && moire == 0 && contrast == 0 && detail == 0
  }

  static let none = DetailAmounts(luminance: 0, color: 0)

  init(luminance: Double, color: Double) { (self.luminance, self.color) = (luminance, color) }

  /// Defaults for the noise of an image: none where it is invisible; all of the color noise from
  /// 1.2 % of white at middle gray on, up to 70 % of the luminance noise from 3.6 % on.
  ///
  /// - Parameters:
  ///   - noise: The noise; `nil` if unknown.
  ///   - removed: Share that the camera removed.
  init(for noise: NoiseModel?, removed: Double) {
    let deviation = noise.map { $0.deviation(at: 0.18) * (1 - removed) } ?? 0
    func share(_ low: Double, _ high: Double) -> Double {
      (100 * min(max((deviation - low) / (high - low), 0), 1)).rounded() / 100
    }
    luminance = 0.7 * share(0.006, 0.036)
    color = share(0.004, 0.012)
  }
}
