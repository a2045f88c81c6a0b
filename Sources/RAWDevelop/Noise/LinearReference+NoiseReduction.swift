// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import PixelKernels

extension LinearReference {
  /// Returns the values with reduced noise and changed detail.
  ///
  /// Square roots make the noise uniform (generalized Anscombe transform). Luminance and color
  /// differences of a Bayer mosaic are those of its squares of 2 x 2 photosites, before they are
  /// interpolated, which would spread noise into blotches.
  ///
  /// - Parameters:
  ///   - amounts: Shares of the noise to remove, and changes of detail.
  ///   - profile: Numbers of NoiseProfile; the noise is measured if empty.
  ///   - bayer: Phase of the mosaic; `nil` without one.
  ///   - gains: White-balance gains.
  /// - Returns: Values of the same area.
  /// - Throws: `.cancelled`; `.limitExceeded` for more memory than allowed.
  func denoised(
    _ amounts: DetailAmounts, profile: [Double], bayer: ColorFilterArray.Bayer?,
    gains: SIMD3<Float>
  ) throws(ImageError) -> LinearReference {
    let sites = NoiseTransform.Site.all(bayer, planes: planes)
    let step = bayer == nil ? 1 : 2
    let (width, height) = (area.width / step, area.height / step)
    guard width >= 8, height >= 8 else { return self }
    let layout = NoiseTransform.layout(width: width, height: height, count: sites.count)
    try layout.requireMemory()
    let linear = try SharedPlanes<Float>.makePlanes(layout) { (shared) throws(ImageError) in
      try forEachBand(of: 0..<height) { band in
        var line = [Float](repeating: 0, count: area.width)
        for (number, site) in sites.enumerated() {
          for y in band {
            read(
              row: y * step + site.y, columns: 0..<area.width, plane: site.plane, into: &line, at: 0
            )
            shared.withRow(y, of: number) { row in
              for x in row.indices { row[x] = line[x * step + site.x] }
            }
          }
        }
      }
    }
    let measured = profile.count < 2 ? NoiseModel(measuring: linear) : nil
    let models = sites.map { site in
      let model = measured ?? NoiseModel(profile: profile, plane: min(site.color, 2))
      return (model ?? NoiseModel(measuring: linear)).orSmallest
    }
    let transform = NoiseTransform(
      models: models, gains: sites.map { gains[min($0.color, 2)] }, amounts: amounts)
    let clean = try transform.apply(to: linear)
    return try replacing(with: clean, sites: sites, step: step)
  }

  /// Returns values of which some are replaced.
  private func replacing(
    with clean: [Plane<Float>], sites: [NoiseTransform.Site], step: Int
  ) throws(ImageError) -> LinearReference {
    let layout = NoiseTransform.layout(width: area.width, height: area.height, count: planes)
    let whole = try SharedPlanes<Float>.makePlanes(layout) { (shared) throws(ImageError) in
      try forEachBand(of: 0..<area.height) { band in
        var line = [Float](repeating: 0, count: area.width)
        for y in band {
          for plane in 0..<planes {
            read(row: y, columns: 0..<area.width, plane: plane, into: &line, at: 0)
            for (number, site) in sites.enumerated()
            where site.plane == plane && y % step == site.y && y / step < clean[number].height {
              let part = clean[number]
              let row = part.row(y / step)
              // Saturated values stay saturated.
              for x in row.indices where line[x * step + site.x] < 1 {
                line[x * step + site.x] = row[x]
              }
            }
            shared.withRow(y, of: plane) { row in for x in row.indices { row[x] = line[x] } }
          }
        }
      }
    }
    return LinearReference(self, replaced: whole)
  }
}

/// Luminance and color differences with uniform noise.
struct NoiseTransform: Sendable {
  /// Photosites of one color, or one plane.
  struct Site: Hashable, Sendable {
    let x: Int
    let y: Int
    let plane: Int
    /// 0 red, 1 green, 2 blue.
    let color: Int

    /// Red, two greens and blue of a mosaic; or the planes.
    static func all(_ bayer: ColorFilterArray.Bayer?, planes: Int) -> [Site] {
      guard let bayer else {
        return (0..<planes).map { Site(x: 0, y: 0, plane: $0, color: planes == 1 ? 1 : $0) }
      }
      let (x, y) = (bayer.redColumn, bayer.redRow)
      return [
        Site(x: x, y: y, plane: 0, color: 0), Site(x: 1 - x, y: y, plane: 0, color: 1),
        Site(x: x, y: 1 - y, plane: 0, color: 1), Site(x: 1 - x, y: 1 - y, plane: 0, color: 2),
      ]
    }
  }

  let models: [NoiseModel]
  let gains: [Float]
  let amounts: DetailAmounts

  static func layout(width: Int, height: Int, count: Int) -> ImageLayout {
    ImageLayout(
      width: width, height: height, components: count < 3 ? .gray : .rgb, samples: .float,
      hasAlpha: count == 4)
  }

  /// An amount to remove, below 0 to enhance, of the details of each level up to a limit of energy.
  private struct Step {
    let amount: Float
    let limits: [Float]
  }

  private var colorSteps: [Step] {
    [
      Step(amount: Float(amounts.moire), limits: [.infinity, .infinity]),
      Step(amount: Float(amounts.color), limits: Self.colorLimits),
    ]
  }

  /// Noise is reduced before details are enhanced.
  private func luminanceSteps(isMain: Bool) -> [Step] {
    let noise = Step(amount: Float(amounts.luminance), limits: Self.luminanceLimits)
    guard isMain else { return [noise] }
    return [
      noise, Step(amount: -0.5 * Float(amounts.detail), limits: [.infinity, .infinity]),
      Step(
        amount: -0.25 * Float(amounts.contrast),
        limits: [0, 0, 0, .infinity, .infinity, .infinity]),
    ]
  }

  /// Energy that counts as noise, level by level.
  private static let luminanceLimits: [Float] = [2.5, 2.5, 2.5, 2.5, 2.5]
  private static let colorLimits: [Float] = [2, 3, 4, 4, 4, 4]

  /// Reduces noise.
  ///
  /// - Parameter planes: Linear values of the sites.
  /// - Returns: Linear values.
  /// - Throws: `.cancelled`.
  func apply(to planes: [Plane<Float>]) throws(ImageError) -> [Plane<Float>] {
    var planes = planes
    let height = planes[0].height
    // Scales that make gray neutral and the noise of green 1; then variances are ratios of scales.
    let reference = models[models.count > 1 ? 1 : 0]
    let weights = models.indices.map { index in
      let ratio = Float(models[index].stableSlope / reference.stableSlope)
      return (gains[index] / gains[models.count > 1 ? 1 : 0] * ratio).squareRoot()
    }
    try SharedPlanes.change(&planes) { (shared) throws(ImageError) in
      try forEachBand(of: 0..<height) { band in
        for y in band {
          for (index, model) in models.enumerated() {
            let slope = Float(model.stableSlope)
            let offset = Float(model.offset) + 0.375 * slope * slope
            unsafe shared.withPointer(y, of: index) { row, count in
              // SAFETY: here and below, the rows have `count` samples.
              unsafe pk_stabilize(row, count, slope, offset, 2 / slope * weights[index])
            }
          }
          mix(shared, row: y, isInverse: false)
        }
      }
    }
    let squares = weights.map { $0 * $0 }
    var made: [Plane<Float>] = []
    for (index, plane) in planes.enumerated() {
      let isColor = planes.count > 1 && (index == 1 || index == 2)
      var plane = plane
      for step in isColor ? colorSteps : luminanceSteps(isMain: index == 0) {
        plane = try WaveletShrinkage(
          variance: Self.variance(index, squares), amount: step.amount, limits: step.limits
        ).apply(to: plane)
      }
      made.append(plane)
    }
    let share = Float(amounts.luminance)
    try SharedPlanes.change(&made) { (shared) throws(ImageError) in
      try forEachBand(of: 0..<height) { band in
        for y in band {
          mix(shared, row: y, isInverse: true)
          for (index, model) in models.enumerated() {
            let slope = Float(model.stableSlope)
            // The square of a mean root is too small by a quarter of the variance.
            let offset = Float(model.offset) / slope + (0.375 - 0.25 * share) * slope
            let root = slope / (2 * weights[index])
            unsafe shared.withPointer(y, of: index) { row, count in
              unsafe pk_unstabilize(row, count, root * root / slope, offset)
            }
          }
        }
      }
    }
    return made
  }

  /// Variance of a component for these variances of the sites.
  private static func variance(_ index: Int, _ squares: [Float]) -> Float {
    switch (squares.count, index) {
    case (4, 0), (4, 2): squares.reduce(0, +) / 4
    case (4, 1): (squares[0] + squares[3]) / 2
    case (4, _): (squares[1] + squares[2]) / 2
    case (3, 0): squares.reduce(0, +) / 3
    case (3, 1): (squares[0] + squares[2]) / 2
    case (3, _): (squares[0] + 4 * squares[1] + squares[2]) / 6
    default: squares[0]
    }
  }

  private func mix(_ shared: SharedPlanes<Float>, row y: Int, isInverse: Bool) {
    guard models.count >= 3 else { return }
    unsafe shared.withPointer(y, of: 0) { a, count in
      unsafe shared.withPointer(y, of: 1) { b, _ in
        unsafe shared.withPointer(y, of: 2) { c, _ in
          guard models.count == 4 else {
            if isInverse {
              unsafe pk_noise_triple_inverse(a, b, c, count)
            } else {
              unsafe pk_noise_triple(a, b, c, count)
            }
            return
          }
          unsafe shared.withPointer(y, of: 3) { d, _ in
            if isInverse {
              unsafe pk_noise_quad_inverse(a, b, c, d, count)
            } else {
              unsafe pk_noise_quad(a, b, c, d, count)
            }
          }
        }
      }
    }
  }
}

extension SharedPlanes<Float> {
  /// Calls `body` with the samples of a row.
  fileprivate func withPointer(
    _ y: Int, of plane: Int, _ body: (_ row: UnsafeMutablePointer<Float>, _ count: Int) -> Void
  ) {
    withRow(y, of: plane) { row in
      unsafe row.withUnsafeMutableBufferPointer { row in
        guard let start = row.baseAddress else { return }
        unsafe body(start, row.count)
      }
    }
  }
}
