// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Platform

/// Least-squares refinement of a mapping at one resolution, by Gauss and Newton.
struct MappingRefinement {
  private static let radius = 6
  private static let iterationLimit = 12
  /// Limit of the samples that a step uses.
  private static let sampleLimit = 20_000

  /// The image that the mapping leads to.
  let target: LumaPlane
  /// The image that the mapping starts from.
  let companion: LumaPlane
  /// Samples per pixel of full resolution, across and down.
  private let targetScale: SIMD2<Double>
  private let companionScale: SIMD2<Double>

  /// Prepares images of about equal resolution on the target.
  ///
  /// - Parameters:
  ///   - target: Luma of the target.
  ///   - targetSize: Its size at full resolution.
  ///   - companion: Luma of the companion.
  ///   - companionSize: Its size at full resolution.
  ///   - longestSide: Longest side of the target.
  ///   - scale: Pixels of the target per pixel of the companion.
  /// - Throws: `.cancelled`.
  init(
    target: LumaPlane, _ targetSize: (width: Int, height: Int), companion: LumaPlane,
    _ companionSize: (width: Int, height: Int), longestSide: Int, scale: Double
  ) throws(ImageError) {
    let size = LumaPlane.size(target.width, target.height, longestSide: longestSide)
    self.target = try target.reduced(toWidth: size.width, height: size.height)
      .normalized(radius: Self.radius)
    targetScale = SIMD2(
      Double(self.target.width) / Double(targetSize.width),
      Double(self.target.height) / Double(targetSize.height))
    let perPixel = targetScale.x * scale
    self.companion = try companion.reduced(
      toWidth: max(Int(clamping: (Double(companionSize.width) * perPixel).rounded()), 8),
      height: max(Int(clamping: (Double(companionSize.height) * perPixel).rounded()), 8)
    ).normalized(radius: Self.radius)
    companionScale = SIMD2(
      Double(self.companion.width) / Double(companionSize.width),
      Double(self.companion.height) / Double(companionSize.height))
  }

  /// Returns the refined mapping.
  ///
  /// - Parameters:
  ///   - start: The mapping to refine.
  ///   - isWarped: Whether distortion is fitted too.
  /// - Returns: The mapping, and the correlation of both images under it.
  /// - Throws: `.cancelled`.
  func refined(
    _ start: PixelMapping, isWarped: Bool
  ) throws(ImageError) -> (mapping: PixelMapping, correlation: Double) {
    var mapping = start
    for _ in 0..<Self.iterationLimit {
      guard let change = try step(mapping, isWarped: isWarped) else { break }
      mapping = change.mapping
      if change.size < 0.01 { break }
    }
    return (mapping, try correlation(mapping))
  }

  /// Rows of the companion, in bands.
  private var bands: [Range<Int>] {
    stride(from: 0, to: companion.height, by: 16).map { $0..<min($0 + 16, companion.height) }
  }

  /// Distance of the samples that a step uses.
  private var sampleStep: Int {
    let count = companion.width * companion.height
    return max(
      Int(clamping: (Double(count) / Double(Self.sampleLimit)).squareRoot().rounded(.up)), 1)
  }

  /// One step; `nil` if the images do not determine it.
  private func step(
    _ mapping: PixelMapping, isWarped: Bool
  ) throws(ImageError) -> (mapping: PixelMapping, size: Double)? {
    let count = isWarped ? 8 : 6
    let middle = SIMD2(Double(companion.width), Double(companion.height)) / 2
    let (bands, sampleStep) = (bands, sampleStep)
    let systems = try concurrentMap(bands.count) { (index) throws(ImageError) -> LinearSystem in
      var system = LinearSystem(count: count)
      var derivatives = [Double](repeating: 0, count: count)
      visit(0..<companion.width, bands[index], mapping, step: sampleStep) {
        center, position, sample, own in
        let residual = Double(own - sample.value)
        let gradient = SIMD2(Double(sample.gradient.x), Double(sample.gradient.y))
        let place = (center - middle) / middle
        derivatives[0] = gradient.x
        derivatives[1] = gradient.x * place.x
        derivatives[2] = gradient.x * place.y
        derivatives[3] = gradient.y
        derivatives[4] = gradient.y * place.x
        derivatives[5] = gradient.y * place.y
        if isWarped {
          let offset = position - mapping.center
          let square = (offset * offset).sum() / (mapping.radius * mapping.radius)
          let slope = (gradient * offset * targetScale).sum()
          derivatives[6] = slope * square
          derivatives[7] = slope * square * square
        }
        system.add(derivatives, residual: residual, weight: 1 / (1 + residual * residual))
      }
      return system
    }
    var total = LinearSystem(count: count)
    for system in systems { total.add(system) }
    guard let change = total.solution() else { return nil }
    // Unknowns are samples of the target for normalized coordinates of the companion.
    let perPixel = companionScale / middle
    let shift = SIMD2(change[0], change[3]) / targetScale
    let byColumn = SIMD2(change[1], change[4]) / targetScale
    let byRow = SIMD2(change[2], change[5]) / targetScale
    var moved = mapping
    moved.column += byColumn * perPixel.x
    moved.row += byRow * perPixel.y
    moved.origin += shift - byColumn - byRow
    if isWarped { moved.radial += SIMD2(change[6], change[7]) }
    return (moved, change[0..<6].map { abs($0) }.max() ?? 0)
  }

  /// Correlation of both images under a mapping, -1...1.
  private func correlation(_ mapping: PixelMapping) throws(ImageError) -> Double {
    let (bands, sampleStep) = (bands, sampleStep)
    let sums = try concurrentMap(bands.count) { (index) throws(ImageError) -> SIMD3<Double> in
      var sums = SIMD3<Double>(0, 0, 0)
      visit(0..<companion.width, bands[index], mapping, step: sampleStep) { _, _, sample, own in
        let (a, b) = (Double(sample.value), Double(own))
        sums += SIMD3(a * b, a * a, b * b)
      }
      return sums
    }
    let total = sums.reduce(SIMD3<Double>(0, 0, 0), +)
    let norm = (total.y * total.z).squareRoot()
    return norm > 0 ? total.x / norm : 0
  }

  /// Length of a shift in samples of the target, in its pixels at full resolution.
  func pixels(ofTargetSamples shift: SIMD2<Double>) -> Double {
    let pixels = shift / targetScale
    return (pixels * pixels).sum().squareRoot()
  }

  /// Calls `body` for the samples of an area of the companion that lie on the target.
  ///
  /// - Parameters:
  ///   - columns: Columns of the companion.
  ///   - rows: Rows of the companion.
  ///   - mapping: Positions on the target.
  ///   - shift: Added to the positions, in samples of the target.
  ///   - step: Distance of the samples, in rows and columns.
  ///   - body: Takes the center of the sample of the companion, its position on the target in pixels, the sample of
  ///     the target and that of the companion.
  func visit(
    _ columns: Range<Int>, _ rows: Range<Int>, _ mapping: PixelMapping,
    _ shift: SIMD2<Double> = .zero, step: Int = 1,
    _ body: (
      _ center: SIMD2<Double>, _ position: SIMD2<Double>,
      _ sample: (value: Float, gradient: SIMD2<Float>), _ own: Float
    ) -> Void
  ) {
    // Windows at the borders are truncated, so that their values differ between the images.
    let margin = Self.radius
    let inside = SIMD2(Double(target.width - margin), Double(target.height - margin))
    let (first, last) = (
      max(rows.lowerBound, margin), min(rows.upperBound, companion.height - margin)
    )
    for y in stride(from: (first + step - 1) / step * step, to: last, by: step) {
      for x in stride(
        from: max(columns.lowerBound, margin),
        to: min(columns.upperBound, companion.width - margin),
        by: step)
      {
        let center = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
        let pixel = center / companionScale
        let position = mapping(pixel.x, pixel.y)
        let place = position * targetScale + shift
        guard place.x >= Double(margin), place.y >= Double(margin), place.x < inside.x,
          place.y < inside.y, let sample = target.sample(place)
        else { continue }
        body(center, position, sample, companion.samples[y * companion.width + x])
      }
    }
  }
}

extension LumaPlane {
  /// Interpolates at a position in continuous coordinates.
  ///
  /// - Returns: The value and its derivatives per sample; `nil` outside.
  func sample(_ position: SIMD2<Double>) -> (value: Float, gradient: SIMD2<Float>)? {
    let place = position - 0.5
    // Excludes values that are not numbers.
    guard place.x >= 1, place.y >= 1, place.x < Double(width - 2), place.y < Double(height - 2)
    else { return nil }
    let (x, y) = (Int(clamping: place.x), Int(clamping: place.y))
    let (across, down) = (Float(place.x - Double(x)), Float(place.y - Double(y)))
    func at(_ column: Int, _ row: Int) -> Float { samples[(y + row) * width + x + column] }
    func mix(_ a: Float, _ b: Float, _ share: Float) -> Float { a + (b - a) * share }
    let top = mix(at(0, 0), at(1, 0), across)
    let bottom = mix(at(0, 1), at(1, 1), across)
    // Central differences around the position.
    let left =
      mix(at(-1, 0), at(-1, 1), down) * (1 - across) + mix(at(0, 0), at(0, 1), down) * across
    let right =
      mix(at(1, 0), at(1, 1), down) * (1 - across) + mix(at(2, 0), at(2, 1), down) * across
    let above = mix(at(0, -1), at(1, -1), across) * (1 - down) + top * down
    let below = bottom * (1 - down) + mix(at(0, 2), at(1, 2), across) * down
    return (mix(top, bottom, down), SIMD2((right - left) / 2, (below - above) / 2))
  }
}
