// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Conversion of camera colors to CIE XYZ, from the matrices of a file.
///
/// Source: DNG 1.7.1, chapter 6.
struct CameraProfile: Hashable, Sendable {
  /// One to three calibrations, in order of rising color temperature.
  let sets: [CalibrationSet]
  /// Gains that the camera applied to its samples.
  let analogBalance: SIMD3<Double>

  init(sets: [CalibrationSet], analogBalance: SIMD3<Double> = SIMD3(1, 1, 1)) {
    precondition(!sets.isEmpty && sets.count <= 3)
    self.analogBalance = analogBalance
    let known = sets.filter { $0.illuminant != nil }
    // A second set without an illuminant has no weight.
    guard known.count == sets.count, Set(known.map(\.illuminant)).count == sets.count else {
      self.sets = [sets[0]]
      return
    }
    self.sets = sets.sorted { ($0.illuminant?.kelvin ?? 0) < ($1.illuminant?.kelvin ?? 0) }
  }

  /// Reads the colors of a profile; `nil` for one without color matrices.
  ///
  /// - Parameters:
  ///   - directory: Directory of the profile.
  ///   - main: First directory of the file, which describes the camera.
  ///   - notices: Receives a notice for each invalid optional value.
  /// - Throws: `.malformed` for invalid matrices, `.unsupported` for a camera without exactly three
  ///   colors.
  init?(
    _ directory: DNGDirectory, camera main: DNGDirectory, _ notices: inout [Notice]
  ) throws(ImageError) {
    let hasOwnCamera =
      try main.text(.cameraCalibrationSignature) == directory.text(.profileCalibrationSignature)
    var sets: [CalibrationSet] = []
    for set in 0..<3 {
      let found = try CalibrationSet(
        directory, set: set, camera: hasOwnCamera ? main : nil, &notices)
      if let found { sets.append(found) }
    }
    guard !sets.isEmpty else { return nil }
    let balance =
      try main.optionalNumbers(.analogBalance, atMost: 4, &notices) {
        $0.count == 3 && $0.allSatisfy { $0 > 0 }
      } ?? [1, 1, 1]
    self.init(sets: sets, analogBalance: SIMD3(balance[0], balance[1], balance[2]))
  }

  /// Matrices interpolated for a white point.
  struct Mixed {
    /// XYZ to the camera's colors.
    var xyzToCamera: Matrix3x3
    /// The camera's colors to those of the reference camera.
    var cameraToReference: Matrix3x3
    var forward: Matrix3x3?
  }

  /// Color corrections for a white point; `nil` for a profile without any.
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

  /// Weights of the sets for a white point.
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

  /// Weights of three illuminants, by their distances to the white point.
  ///
  /// Source: DNG 1.7.1, chapter 6, "Triple illuminant interpolation".
  private static func weights(
    of lights: [CorrelatedTemperature], for white: CorrelatedTemperature
  ) -> [Double] {
    func coordinates(_ light: CorrelatedTemperature) -> SIMD2<Double> {
      SIMD2(min(1500 / light.kelvin, 1), light.tint / 200)
    }
    func normalized(_ weights: [Double]) -> [Double] {
      let sum = weights.reduce(0, +)
      return weights.map { $0 / sum }
    }
    let here = coordinates(white)
    let near = lights.map { light in
      let distance = coordinates(light) - here
      return 1 / ((distance * distance).sum() + 1e-8)
    }
    let smooth = normalized(near).map { weight in
      let step = weight * weight * (3 - 2 * weight)
      return min(max((step - 0.02) / 0.98, 0), 1)
    }
    return normalized(smooth)
  }
}

/// CIE XYZ to camera colors under D65, for a file without color matrices.
struct FallbackMatrix: Sendable {
  let matrix: Matrix3x3
  /// Reports where the matrix is from.
  let notice: NoticeCode

  /// The matrix of a DNG file without one: that of the library for the camera, else an assumed one.
  init(_ dng: DNGFile, white: AsShotWhite) {
    if let matrix = dng.libraryMatrix {
      (self.matrix, notice) = (matrix, .rawMatrixOfLibrary)
      return
    }
    let neutral = white.neutral.map { SIMD3($0[0], $0[1], $0[2]) } ?? .one
    (matrix, notice) = (Self.assumed(neutral: neutral), .rawMatrixAssumed)
  }

  /// The matrix of a camera with the primaries of BT.709, if `neutral` is D65.
  static func assumed(neutral: SIMD3<Double>) -> Matrix3x3 {
    Matrix3x3(diagonal: neutral) * ColorPrimaries.bt709.xyzToRGB
  }
}
