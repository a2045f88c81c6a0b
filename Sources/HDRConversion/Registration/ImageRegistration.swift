// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Platform

/// Position of an image on another image of the same scene, found by their luma.
///
/// Scale, offset, orientation, slight rotation and radial distortion are found; the tone curves may
/// differ.
struct ImageRegistration: Sendable {
  /// Positions of the pixels of the companion on the target.
  let mapping: PixelMapping
  /// Orientation of the companion's rows and columns on the target.
  let orientation: Orientation
  /// Share of the textured blocks whose contents match, 0...1.
  let confidence: Double
  /// 95th percentile of the remaining displacements, in pixels of the target.
  let displacement: Double
  /// Largest correction of distortion, in pixels of the target; 0 for none.
  let distortion: Double

  /// Least share of matching blocks.
  private static let leastConfidence = 0.7
  /// Largest 95th percentile of displacements, in pixels of the target.
  private static let largestDisplacement = 1.5
  /// Distortion below this is measurement noise, in pixels of the target.
  private static let leastDistortion = 0.75
  /// Error of a mapping to whole pixels, in pixels of the target.
  private static let wholePixelTolerance = 0.35
  /// Longest side of the images that are compared.
  private static let longestSide = 1600
  /// Correlation of normalized luma at low resolution that needs no other orientation.
  private static let clearCorrelation = 0.8
  /// Correlation of normalized luma at low resolution below which images are unrelated.
  private static let leastCorrelation = 0.3
  private static let candidateCount = 6

  /// Finds a companion on a target.
  ///
  /// - Parameters:
  ///   - companion: The companion, as stored.
  ///   - orientation: Its expected orientation.
  ///   - target: The target, upright.
  /// - Throws: `.unsuitable` if the contents do not match, with the confidence; `.cancelled`.
  init(
    of companion: ImagePlanes, orientation: Orientation, on target: ImagePlanes
  ) throws(ImageError) {
    let luma = try LumaPlane(of: target, longestSide: Self.longestSide)
    let own = try LumaPlane(of: companion, longestSide: Self.longestSide)
    let sizes = (
      target: (target.layout.width, target.layout.height),
      own: (companion.layout.width, companion.layout.height)
    )
    let search = try CoarseSearch(luma, size: sizes.target)
    func refinement(side: Int, scale: Double) throws(ImageError) -> MappingRefinement {
      try MappingRefinement(
        target: luma, sizes.target, companion: own, sizes.own, longestSide: side, scale: scale)
    }
    typealias Found = (mapping: PixelMapping, orientation: Orientation, correlation: Double)
    func best(_ orientations: [Orientation]) throws(ImageError) -> Found? {
      var candidates: [CoarseSearch.Candidate] = []
      for orientation in orientations {
        candidates += try search.candidates(
          for: own, size: sizes.own, orientation: orientation
        ).prefix(Self.candidateCount)
      }
      candidates.sort { $0.significance > $1.significance }
      var found = candidates.prefix(Self.candidateCount).map { candidate -> Found in
        (candidate.mapping, candidate.orientation, 0)
      }
      // The better half is refined at a higher resolution.
      for (side, count) in [(80, Self.candidateCount), (200, Self.candidateCount / 2)] {
        var refined: [Found] = []
        for start in found.prefix(count) {
          let result = try refinement(side: side, scale: start.mapping.scale)
            .refined(start.mapping, isWarped: false)
          guard result.mapping.isPlausible(start.mapping) else { continue }
          refined.append((result.mapping, start.orientation, result.correlation))
        }
        found = refined.sorted { $0.correlation > $1.correlation }
      }
      return found.first
    }
    var found = try best([orientation])
    if found?.correlation ?? 0 < Self.clearCorrelation {
      let other = try best(Orientation.allCases.filter { $0 != orientation })
      if other?.correlation ?? 0 > found?.correlation ?? 0 { found = other }
    }
    guard let found, found.correlation >= Self.leastCorrelation else {
      throw ImageError(
        .companionDiffers,
        [
          "confidence": 100 * max(found?.correlation ?? 0, 0),
          "limit": 100 * Self.leastCorrelation,
        ])
    }
    var mapping = found.mapping
    for side in [480, Self.longestSide] {
      mapping = try refinement(side: side, scale: mapping.scale)
        .refined(mapping, isWarped: true).mapping
    }
    let finest = try refinement(side: Self.longestSide, scale: mapping.scale)
    var distortion = mapping.largestDistortion(width: sizes.own.0, height: sizes.own.1)
    if distortion < Self.leastDistortion {
      (mapping.radial, distortion) = (.zero, 0)
      mapping = try finest.refined(mapping, isWarped: false).mapping
    }
    let matching = try BlockMatching(
      finest,
      luma: try own.reduced(toWidth: finest.companion.width, height: finest.companion.height),
      mapping)
    guard matching.blockCount > 0, matching.confidence >= Self.leastConfidence else {
      throw ImageError(
        .companionDiffers,
        ["confidence": 100 * matching.confidence, "limit": 100 * Self.leastConfidence])
    }
    guard matching.displacement <= Self.largestDisplacement else {
      throw ImageError(
        .createCompanionWarped,
        ["displacement": matching.displacement, "limit": Self.largestDisplacement])
    }
    self.mapping =
      mapping.wholePixels(
        width: sizes.own.0, height: sizes.own.1, tolerance: Self.wholePixelTolerance) ?? mapping
    self.orientation = found.orientation
    self.distortion = distortion
    (confidence, displacement) = (matching.confidence, matching.displacement)
  }
}

extension PixelMapping {
  /// Whether this mapping is near the one that it was refined from.
  fileprivate func isPlausible(_ start: PixelMapping) -> Bool {
    let ratio = scale / start.scale
    guard ratio > 0.8, ratio < 1.25 else { return false }
    let (across, down) = (column - start.column, row - start.row)
    return (across * across + down * down).sum() < 0.04 * start.scale * start.scale
  }
}

/// Comparison of two registered images, block by block.
struct BlockMatching {
  /// Side of a block in samples.
  private static let side = 40
  private static let limit = 300
  /// Standard deviation of the luma of a block from which on it counts as textured.
  private static let texture: Float = 0.012
  /// Correlation from which on a block counts as matching.
  private static let similarity = 0.5

  /// Textured blocks.
  let blockCount: Int
  /// Share of the textured blocks whose contents match.
  let confidence: Double
  /// 95th percentile of the displacements of matching blocks, in pixels of the target.
  let displacement: Double

  /// - Parameters:
  ///   - refinement: Normalized images.
  ///   - luma: Luma of the companion with the size of the normalized one.
  ///   - mapping: Their registration.
  /// - Throws: `.cancelled`.
  init(
    _ refinement: MappingRefinement, luma: LumaPlane, _ mapping: PixelMapping
  ) throws(ImageError) {
    let side = Self.side
    // At most `limit` blocks, evenly spread.
    let spacing = max(
      side,
      Int(
        clamping: (Double(luma.width * luma.height) / Double(Self.limit)).squareRoot().rounded(.up))
    )
    let columns = max((luma.width - side) / spacing + 1, 0)
    let rows = max((luma.height - side) / spacing + 1, 0)
    let found = try concurrentMap(columns * rows) { (index) throws(ImageError) -> Match? in
      let (x, y) = (index % columns * spacing, index / columns * spacing)
      guard luma.deviation(x..<x + side, y..<y + side) >= Self.texture else { return nil }
      return refinement.match(x..<x + side, y..<y + side, mapping)
    }
    let matches = found.compactMap(\.self)
    blockCount = matches.count
    let alike = matches.filter { $0.correlation >= Self.similarity }
    confidence = matches.isEmpty ? 0 : Double(alike.count) / Double(matches.count)
    let lengths = alike.map(\.displacement).sorted()
    displacement = lengths.isEmpty ? 0 : lengths[(lengths.count - 1) * 95 / 100]
  }

  /// A block in both images.
  struct Match: Sendable {
    let correlation: Double
    /// Distance from the mapped position, in pixels of the target.
    let displacement: Double
  }
}

extension LumaPlane {
  /// Standard deviation in an area.
  fileprivate func deviation(_ columns: Range<Int>, _ rows: Range<Int>) -> Float {
    var (sum, squares) = (0.0, 0.0)
    for y in rows {
      for x in columns {
        let value = Double(samples[y * width + x])
        sum += value
        squares += value * value
      }
    }
    let count = Double(columns.count * rows.count)
    return Float(max(squares / count - sum * sum / (count * count), 0).squareRoot())
  }
}

extension MappingRefinement {
  /// Finds a block of the companion near its mapped position; `nil` outside the target.
  fileprivate func match(
    _ columns: Range<Int>, _ rows: Range<Int>, _ mapping: PixelMapping
  ) -> BlockMatching.Match? {
    var shift = SIMD2<Double>(0, 0)
    var correlation = 0.0
    for _ in 0..<8 {
      var system = LinearSystem(count: 2)
      var (product, first, second, count) = (0.0, 0.0, 0.0, 0)
      visit(columns, rows, mapping, shift) { _, _, sample, own in
        let gradient = [Double(sample.gradient.x), Double(sample.gradient.y)]
        let residual = Double(own - sample.value)
        system.add(gradient, residual: residual, weight: 1 / (1 + residual * residual))
        product += Double(sample.value) * Double(own)
        first += Double(sample.value) * Double(sample.value)
        second += Double(own) * Double(own)
        count += 1
      }
      guard 2 * count >= columns.count * rows.count else { return nil }
      let norm = (first * second).squareRoot()
      correlation = norm > 0 ? product / norm : 0
      guard let change = system.solution() else { break }
      shift += SIMD2(change[0], change[1])
      guard (shift * shift).sum() < 64 else { break }
      if max(abs(change[0]), abs(change[1])) < 0.01 { break }
    }
    return BlockMatching.Match(
      correlation: correlation, displacement: pixels(ofTargetSamples: shift))
  }
}

/// Exhaustive search for an image in another one, at low resolution.
struct CoarseSearch {
  /// A possible position.
  struct Candidate {
    let mapping: PixelMapping
    let orientation: Orientation
    /// Correlation in units of its standard deviation for unrelated images.
    let significance: Double
  }

  /// Longest side of the searched image.
  private static let longestSide = 40
  private static let radius = 3
  /// Ratio of successive scales.
  private static let step = 1.035
  /// Size of the companion as a share of the searched image, which it may exceed.
  private static let coverage = 0.4...1.12
  /// Part of the companion that may lie outside, on each side.
  private static let margin = 0.1

  let searched: LumaPlane
  /// Size of the searched image at full resolution.
  let size: (width: Int, height: Int)

  /// Prepares the search in an image.
  ///
  /// - Throws: `.cancelled`.
  init(_ image: LumaPlane, size: (width: Int, height: Int)) throws(ImageError) {
    self.size = size
    let small = LumaPlane.size(image.width, image.height, longestSide: Self.longestSide)
    searched = try image.reduced(toWidth: small.width, height: small.height)
      .normalized(radius: Self.radius)
  }

  /// Returns the best position of a companion for each scale.
  ///
  /// - Parameters:
  ///   - companion: Luma of the companion as stored.
  ///   - stored: Its size at full resolution.
  ///   - orientation: Relation of its rows and columns to those of the searched image.
  /// - Returns: The positions, the most significant one first.
  /// - Throws: `.cancelled`.
  func candidates(
    for companion: LumaPlane, size stored: (width: Int, height: Int), orientation: Orientation
  ) throws(ImageError) -> [Candidate] {
    let small = LumaPlane.size(companion.width, companion.height, longestSide: 160)
    let rotated = try companion.reduced(toWidth: small.width, height: small.height)
      .upright(from: orientation)
    let upright =
      orientation.swapsSides ? (stored.height, stored.width) : (stored.width, stored.height)
    let fit = min(Double(size.width) / Double(upright.0), Double(size.height) / Double(upright.1))
    var coverages: [Double] = []
    var coverage = Self.coverage.upperBound
    while coverage >= Self.coverage.lowerBound {
      coverages.append(coverage)
      coverage /= Self.step
    }
    let perPixel = Double(searched.width) / Double(size.width)
    let scales = coverages
    let found = try concurrentMap(scales.count) { (index) throws(ImageError) -> Candidate? in
      let scale = scales[index] * fit * perPixel
      let width = Int(clamping: (Double(upright.0) * scale).rounded())
      let height = Int(clamping: (Double(upright.1) * scale).rounded())
      guard width >= 8, height >= 8, width <= rotated.width, height <= rotated.height else {
        return nil
      }
      let template = try rotated.reduced(toWidth: width, height: height)
        .normalized(radius: Self.radius)
      return best(template, upright, stored, orientation)
    }
    return found.compactMap { $0 }.sorted { $0.significance > $1.significance }
  }

  private func best(
    _ template: LumaPlane, _ upright: (Int, Int), _ stored: (width: Int, height: Int),
    _ orientation: Orientation
  ) -> Candidate? {
    let slack = (
      Int(clamping: (Double(template.width) * Self.margin).rounded(.up)),
      Int(clamping: (Double(template.height) * Self.margin).rounded(.up))
    )
    let across = min(0, searched.width - template.width) - slack.0
    let down = min(0, searched.height - template.height) - slack.1
    var best = (significance: -Double.infinity, x: 0, y: 0)
    for y in down...max(0, searched.height - template.height) + slack.1 {
      for x in across...max(0, searched.width - template.width) + slack.0 {
        let value = significance(of: template, x, y)
        if value > best.significance { best = (value, x, y) }
      }
    }
    guard best.significance > 0 else { return nil }
    let perPixel = SIMD2(
      Double(size.width) / Double(searched.width), Double(size.height) / Double(searched.height))
    let extent = SIMD2(Double(template.width), Double(template.height)) * perPixel
    let scale = extent / SIMD2(Double(upright.0), Double(upright.1))
    let axes = orientation.axes
    let mapping = PixelMapping(
      column: axes.column * scale, row: axes.row * scale,
      origin: SIMD2(Double(best.x), Double(best.y)) * perPixel + axes.origin * extent, onto: size)
    return Candidate(mapping: mapping, orientation: orientation, significance: best.significance)
  }

  /// Correlation of a template at a position, times the square root of the number of samples.
  private func significance(of template: LumaPlane, _ x: Int, _ y: Int) -> Double {
    let columns = max(0, -x)..<min(template.width, searched.width - x)
    let rows = max(0, -y)..<min(template.height, searched.height - y)
    guard !columns.isEmpty, !rows.isEmpty,
      10 * columns.count * rows.count >= 7 * template.width * template.height
    else { return -.infinity }
    var (product, first, second): (Float, Float, Float) = (0, 0, 0)
    for row in rows {
      let own = template.samples[row * template.width..<(row + 1) * template.width]
      let start = (row + y) * searched.width + x
      for column in columns {
        let (a, b) = (own[row * template.width + column], searched.samples[start + column])
        product += a * b
        first += a * a
        second += b * b
      }
    }
    let norm = Double(first * second).squareRoot()
    guard norm > 0 else { return -.infinity }
    let correlation = min(max(Double(product) / norm, -0.999), 0.999)
    return atanh(correlation) * Double(columns.count * rows.count).squareRoot()
  }
}
