internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// From the colors of a camera to CIE XYZ: what a file says about it.
///
/// Source: DNG 1.7.1, chapter 6.
struct CameraProfile: Hashable, Sendable {
  /// One to three, coldest light last where their lights are known.
  let sets: [CalibrationSet]
  /// What the camera multiplied its samples by.
  let analogBalance: SIMD3<Double>

  init(sets: [CalibrationSet], analogBalance: SIMD3<Double> = SIMD3(1, 1, 1)) {
    precondition(!sets.isEmpty && sets.count <= 3)
    self.analogBalance = analogBalance
    let known = sets.filter { $0.illuminant != nil }
    // Without its light, a second set has no weight.
    guard known.count == sets.count, Set(known.map(\.illuminant)).count == sets.count else {
      self.sets = [sets[0]]
      return
    }
    self.sets = sets.sorted { ($0.illuminant?.kelvin ?? 0) < ($1.illuminant?.kelvin ?? 0) }
  }

  /// Reads the colors of a profile; `nil` for one without color matrices.
  ///
  /// - Parameters:
  ///   - directory: Of the profile.
  ///   - main: The first of the file, which describes the camera.
  ///   - notices: Gets what is undefined and can be done without.
  /// - Throws: `.malformed` for matrices that cannot be, `.unsupported` for those of a camera that
  ///   has other than three colors.
  init?(
    _ directory: DNGDirectory, camera main: DNGDirectory, _ notices: inout [Notice]
  ) throws(ImageError) {
    let hasOwnCamera =
      main.text(.cameraCalibrationSignature) == directory.text(.profileCalibrationSignature)
    var sets: [CalibrationSet] = []
    for set in 0..<3 {
      let found = try CalibrationSet(
        directory, set: set, camera: hasOwnCamera ? main : nil, &notices)
      if let found { sets.append(found) }
    }
    guard !sets.isEmpty else { return nil }
    let balance = main.optionalNumbers(.analogBalance, atMost: 4, &notices) ?? [1, 1, 1]
    guard balance.count == 3, balance.allSatisfy({ $0 > 0 }) else {
      throw main.error(
        .invalidValue, .analogBalance, ["field": "AnalogBalance", "value": "\(balance)"])
    }
    self.init(sets: sets, analogBalance: SIMD3(balance[0], balance[1], balance[2]))
  }

  /// The matrices for a white.
  struct Mixed {
    /// XYZ to the camera's colors.
    var xyzToCamera: Matrix3x3
    /// The camera's colors to those of the reference camera.
    var cameraToReference: Matrix3x3
    var forward: Matrix3x3?
  }

  /// The changes of colors for a white; `nil` for a profile without.
  func hueSatMap(for white: Chromaticity) -> HueSatMap? {
    let maps = sets.compactMap(\.hueSatMap)
    return maps.count == sets.count ? HueSatMap.mix(maps, weights(for: white)) : maps.first
  }

  func mixed(for white: Chromaticity) -> Mixed {
    let weights = weights(for: white)
    func mix(_ matrices: [Matrix3x3]) -> Matrix3x3 {
      func row(_ index: Int) -> SIMD3<Double> {
        zip(weights, matrices).reduce(SIMD3.zero) { $0 + $1.0 * $1.1[row: index] }
      }
      return Matrix3x3(row(0), row(1), row(2))
    }
    let camera = Matrix3x3(diagonal: analogBalance) * mix(sets.map(\.camera))
    let forwards = sets.compactMap(\.forward)
    return Mixed(
      xyzToCamera: camera * mix(sets.map(\.color)), cameraToReference: camera.inverse,
      forward: forwards.count == sets.count ? mix(forwards) : forwards.first)
  }

  /// How much each set counts.
  private func weights(for white: Chromaticity) -> [Double] {
    let lights = sets.compactMap(\.illuminant)
    switch sets.count {
    case 2:
      let kelvin = CorrelatedTemperature(white).kelvin
      let (warm, cold) = (lights[0].kelvin, lights[1].kelvin)
      let share = (1 / kelvin - 1 / cold) / (1 / warm - 1 / cold)
      let weight = min(max(share, 0), 1)
      return [weight, 1 - weight]
    case 3: return Self.weights(of: lights, for: CorrelatedTemperature(white))
    default: return [1]
    }
  }

  /// The weights of three lights, by how near each is to the white.
  ///
  /// Source: DNG 1.7.1, chapter 6, "Triple illuminant interpolation".
  private static func weights(
    of lights: [CorrelatedTemperature], for white: CorrelatedTemperature
  ) -> [Double] {
    func place(_ light: CorrelatedTemperature) -> SIMD2<Double> {
      SIMD2(min(1500 / light.kelvin, 1), light.tint / 200)
    }
    func normalized(_ weights: [Double]) -> [Double] {
      let sum = weights.reduce(0, +)
      return weights.map { $0 / sum }
    }
    let here = place(white)
    let near = lights.map { light in
      let distance = place(light) - here
      return 1 / ((distance * distance).sum() + 1e-8)
    }
    let smooth = normalized(near).map { weight in
      let step = weight * weight * (3 - 2 * weight)
      return min(max((step - 0.02) / 0.98, 0), 1)
    }
    return normalized(smooth)
  }
}
