// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Platform
internal import Synchronization

/// Matrix from white-balanced camera colors to scene-linear values.
struct SceneLinearTransform: Sendable {
  /// White-balance gains of red, green and blue.
  let gains: SIMD3<Float>
  /// Elements of the matrix, row by row, including exposure.
  private let matrix: [Float]
  /// The matrix in double precision.
  let conversion: Matrix3x3

  /// Conversion to linear BT.2020 with 1.0 at the saturation of the sensor, before exposure.
  init(_ parameters: DevelopmentParameters, _ development: RawDevelopment) {
    let profile = parameters.profiles.all[0]
    let gains = parameters.white(development, profile).map(\.gains) ?? .one
    self.init(
      parameters, development, profile: profile, gains: gains, primaries: .bt2020,
      stops: development.exposure + development.sceneExposure)
  }

  /// - Parameters:
  ///   - parameters: Parameters of the file.
  ///   - development: White balance.
  ///   - profile: A profile of the file.
  ///   - gains: Gains that the camera colors have been multiplied by.
  ///   - primaries: Primaries of the output.
  ///   - stops: Exposure.
  init(
    _ parameters: DevelopmentParameters, _ development: RawDevelopment, profile: RenderingProfile,
    gains: SIMD3<Float>, primaries: ColorPrimaries, stops: Double
  ) {
    let exposure = Matrix3x3(diagonal: SIMD3(repeating: exp2(stops)))
    self.gains = gains
    guard let white = parameters.white(development, profile) else {
      conversion = exposure
      matrix = exposure.elements.map(Float.init)
      return
    }
    let adapted = ChromaticAdaptation.bradford.matrix(from: .d50, to: primaries.white)
    let rebalanced = Matrix3x3(diagonal: SIMD3<Double>(white.gains / gains))
    let toPrimaries = primaries.xyzToRGB * adapted * white.balancedToXYZ * rebalanced
    conversion = exposure * toPrimaries
    matrix = conversion.elements.map(Float.init)
  }

  func apply(to row: inout LinearRow) { row.multiply(by: matrix) }
}

extension CameraWhite {
  /// White-balance gains of red, green and blue.
  var gains: SIMD3<Float> { SIMD3<Float>(SIMD3(repeating: 1) / camera) }
}

/// A function that changes scene-linear values of a raw file before its look; called concurrently,
/// for rows of tiles.
public typealias LinearSpaceFilter = @Sendable (_ pixels: inout LinearSpacePixels) -> Void

/// Scene-linear values of adjacent pixels of a row.
///
/// White-balanced BT.2020 with 1.0 at the saturation of the sensor, after `sceneExposure`; equal
/// components for gray images. If a filter changes the number of pixels, reading the developed image
/// throws `.invalidArgument`.
public struct LinearSpacePixels: Sendable {
  /// Row of the developed image, before its orientation is applied.
  public let row: Int
  /// Columns of the developed image, before its orientation is applied.
  public let columns: Range<Int>
  /// Red of each column.
  public var red: [Float]
  /// Green of each column.
  public var green: [Float]
  /// Blue of each column.
  public var blue: [Float]
}

/// Camera colors after a filter of scene-linear values.
struct FilteredRows: CameraRows {
  let base: any CameraRows
  let filter: LinearSpaceFilter
  /// The image in the rows and columns of the camera colors.
  let area: RawArea
  private let toLinear: [Float]
  private let toCamera: [Float]
  private let failure = Failure()

  /// Whether the filter changed the number of pixels of a row.
  private final class Failure: Sendable {
    let isFound = Atomic(false)
  }

  /// - Parameters:
  ///   - base: Camera colors.
  ///   - filter: The filter.
  ///   - area: The image in the rows and columns of the camera colors.
  ///   - conversion: Camera colors to scene-linear values.
  init(
    _ base: any CameraRows, filter: @escaping LinearSpaceFilter, area: RawArea,
    conversion: Matrix3x3
  ) {
    (self.base, self.filter, self.area) = (base, filter, area)
    toLinear = conversion.elements.map(Float.init)
    toCamera = conversion.inverse.elements.map(Float.init)
  }

  /// Fails if the filter changed the number of pixels of a row, whose colors are then undefined.
  ///
  /// - Throws: `.invalidArgument`.
  func check() throws(ImageError) {
    guard !failure.isFound.load(ordering: .relaxed) else {
      throw ImageError(
        .invalidArgument, "the filter of scene-linear values changes the number of pixels")
    }
  }

  func make(rows: Range<Int>, columns: Range<Int>, _ body: (_ y: Int, inout LinearRow) -> Void) {
    let own = columns.lowerBound - area.x..<columns.upperBound - area.x
    base.make(rows: rows, columns: columns) { y, row in
      row.multiply(by: toLinear)
      var pixels = LinearSpacePixels(
        row: y - area.y, columns: own, red: row.red, green: row.green, blue: row.blue)
      filter(&pixels)
      guard
        [pixels.red, pixels.green, pixels.blue].allSatisfy({ $0.count == own.count })
      else {
        failure.isFound.store(true, ordering: .relaxed)
        return
      }
      (row.red, row.green, row.blue) = (pixels.red, pixels.green, pixels.blue)
      row.multiply(by: toCamera)
      body(y, &row)
    }
  }
}
