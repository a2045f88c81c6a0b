// SPDX-License-Identifier: Apache-2.0
public import HDRCore

/// Parameters that a raw file specifies for its rendering.
public struct RenderingRecipe: Hashable, Sendable {
  /// Calibration of a camera under one illuminant.
  public struct Calibration: Hashable, Sendable {
    /// Code in CalibrationIlluminant, as in Exif's LightSource; 255 for an illuminant that the file
    /// specifies.
    public var illuminantCode: Int?
    /// Color temperature of the illuminant in kelvin; `nil` if unspecified.
    public var kelvin: Double?
    /// CIE XYZ to the colors of the reference camera.
    package var colorMatrix: Matrix3x3
    /// White-balanced colors of the reference camera to CIE XYZ under D50.
    package var forwardMatrix: Matrix3x3?
    /// Colors of the reference camera to those of this one.
    package var cameraCalibration: Matrix3x3
    /// Numbers of hues, saturations and values of the correction table; `nil` without one.
    public var hueSatMap: [Int]?
  }

  /// A map of local tone curves.
  public struct GainTable: Hashable, Sendable {
    /// Rows of the map.
    public var rows: Int
    /// Columns of the map.
    public var columns: Int
    /// Number of gains at each point.
    public var size: Int
    /// Exponent of the brightness that selects gains.
    public var gamma: Double
    /// Weights of red, green, blue, their minimum and their maximum in brightness.
    public var weights: [Double]
    /// The smallest and the largest gain, as factors of linear values.
    public var gains: ClosedRange<Double>
  }

  /// A color table.
  public struct ColorTable: Hashable, Sendable {
    /// Semantic mask of the table; `nil` for the background.
    public var mask: String?
    /// Entries per side.
    public var size: Int
  }

  /// An opcode.
  public struct Correction: Hashable, Sendable {
    /// Opcode list: 1 for stored samples, 2 for linear values, 3 for colors.
    public var list: Int
    /// Name of the opcode.
    public var name: String
    /// Top, left, bottom, right, first plane, number of planes, row pitch and column pitch; `nil`
    /// for the whole image.
    public var area: [Int]?
    /// Numbers in the order of the file, without tables and gains of gain maps.
    public var numbers: [Double]
  }

  /// A camera profile of the file.
  public struct Profile: Hashable, Sendable {
    /// Name of the profile.
    public var name: String?
    /// Group of the profile.
    public var group: String?
    /// Whether the profile is for values above white.
    public var isHDR: Bool
    /// Largest linear value of images with this profile, where white is 1.0; `nil` if unspecified.
    public var largestLight: Double?
    /// Calibrations in order of rising color temperature; empty for gray images.
    public var calibrations: [Calibration]
    /// Numbers of hues, saturations and values of the look table; `nil` without one.
    public var lookTable: [Int]?
    /// Number of points of the tone curve; `nil` for the standard curve.
    public var toneCurvePoints: Int?
    /// Points of the tone curve: pairs of input and output; `nil` for the standard curve.
    public var toneCurve: [Double]?
    /// Gain table map of the profile, wherever it is stored; `nil` without one.
    public var gainTable: GainTable?
    /// Color tables of the look, wherever they are stored.
    public var colorTables: [ColorTable]
    /// Offset of the baseline exposure in stops.
    public var baselineExposureOffset: Double
    /// Whether nothing is subtracted from shadows.
    public var keepsBlack: Bool
  }

  /// Profiles; the first is the main profile.
  public var profiles: [Profile]
  /// White point as shot; `nil` for gray images.
  public var asShotWhite: Chromaticity?
  /// Color temperature of the white point as shot, in kelvin; `nil` for gray images.
  public var asShotTemperature: Double?
  /// Tint of the white point as shot, as `RawDevelopment.neutralTint`; `nil` for gray images.
  public var asShotTint: Double?
  /// Camera components of white: red, green, blue; with a maximum of 1 if the file stores only a
  /// chromaticity.
  ///
  /// `nil` for gray images.
  public var asShotNeutral: [Double]?
  /// Gains of red, green and blue that the camera applied to its samples; `nil` for gray images.
  public var analogBalance: [Double]?
  /// Baseline exposure in stops, without the offset of a profile.
  public var baselineExposure: Double
  /// Sharpening relative to a reference camera, 0...100; 1 if unspecified.
  public var baselineSharpness: Double
  /// Noise at ISO 100 relative to a reference camera, 0...100; 1 if unspecified.
  public var baselineNoise: Double
  /// Share of the noise that the camera removed, 0...1; `nil` if unknown.
  public var noiseReductionApplied: Double?
  /// Scale of the black that is subtracted from shadows, 0...100; 1 if unspecified.
  public var shadowScale: Double
  /// Signal-dependent and constant noise variance, for each plane or for all planes; empty if
  /// unspecified.
  public var noiseProfile: [Double]
  /// Names of the corrections in each of the three lists.
  public var opcodes: [[String]]
  /// The corrections with their numbers, in order of lists.
  public var corrections: [Correction]
  /// Names of the controls of `RawDevelopment` that have an effect.
  public var controls: [String]
  /// The exposed part of the raw image, in stored rows and columns.
  public var activeArea: PixelRectangle
  /// Width and height of a photosite in square pixels, each 1/8...8.
  public var pixelScale: [Double]
  /// The crop of the developed image, relative to the active area.
  public var crop: PixelRectangle
  /// Relation of the stored rows and columns to the upright image.
  public var orientation: Orientation
}

extension DNGFile {
  /// The parameters that the file specifies for its rendering.
  ///
  /// - Parameter limits: Limits of the file.
  /// - Returns: The recipe; nothing is decoded, and samples may be missing.
  /// - Throws: Errors of opening the file for development.
  package func recipe(limits: ImageLimits = ImageLimits()) throws(ImageError) -> RenderingRecipe {
    RenderingRecipe(try DevelopmentParameters(self, limits: limits, salvages: true))
  }
}

extension RenderingRecipe {
  init(_ parameters: DevelopmentParameters) {
    let main = parameters.profiles.all[0]
    let white = main.camera.flatMap { camera in parameters.asShot?.white(camera) }
    let light = white.map { CorrelatedTemperature($0.chromaticity) }
    self.init(
      profiles: parameters.profiles.all.map {
        Profile($0, parameters.profiles.gainTableMap(of: $0), parameters)
      },
      asShotWhite: white?.chromaticity, asShotTemperature: light?.kelvin, asShotTint: light?.tint,
      asShotNeutral: parameters.asShot?.neutral
        ?? white.map { [$0.camera.x, $0.camera.y, $0.camera.z] },
      analogBalance: main.camera.map { camera in
        [camera.analogBalance.x, camera.analogBalance.y, camera.analogBalance.z]
      },
      baselineExposure: parameters.baselineExposure,
      baselineSharpness: parameters.baselineSharpness,
      baselineNoise: parameters.baselineNoise,
      noiseReductionApplied: parameters.noiseReductionApplied,
      shadowScale: parameters.shadowScale, noiseProfile: parameters.noiseProfile,
      opcodes: parameters.opcodes.map { $0.opcodes.map(\.name) },
      corrections: parameters.opcodes.enumerated().flatMap { index, list in
        list.opcodes.map {
          Correction(list: index + 1, name: $0.name, area: $0.area, numbers: $0.numbers)
        }
      },
      controls: parameters.controls,
      activeArea: PixelRectangle(parameters.levels.activeArea),
      pixelScale: [parameters.pixelScale.x, parameters.pixelScale.y],
      crop: PixelRectangle(parameters.crop),
      orientation: parameters.orientation)
  }
}

extension RenderingRecipe.Profile {
  fileprivate init(
    _ profile: RenderingProfile, _ map: GainTableMap?, _ parameters: DevelopmentParameters
  ) {
    self.init(
      name: profile.name, group: profile.group, isHDR: profile.isHDR,
      largestLight: profile.largestLight,
      calibrations: (profile.camera?.sets ?? []).map { set in
        .init(
          illuminantCode: set.illuminantCode, kelvin: set.illuminant?.kelvin,
          colorMatrix: set.color, forwardMatrix: set.forward, cameraCalibration: set.camera,
          hueSatMap: set.hueSatMap.map { [$0.hues, $0.saturations, $0.values] })
      },
      lookTable: profile.lookTable.map { [$0.hues, $0.saturations, $0.values] },
      toneCurvePoints: profile.toneCurve?.pointCount, toneCurve: profile.toneCurve?.points,
      gainTable: map.map { map in
        .init(
          rows: map.rows, columns: map.columns, size: map.tableSize, gamma: map.gamma,
          weights: map.weights,
          gains: Double(map.gains.min() ?? 1)...Double(map.gains.max() ?? 1))
      },
      colorTables: (parameters.profiles.rgbTables(of: profile)?.tables ?? []).map { table in
        .init(mask: table.mask, size: table.table.divisions)
      },
      baselineExposureOffset: profile.baselineExposureOffset,
      keepsBlack: parameters.shadows(of: profile) == 0)
  }
}

extension PixelRectangle {
  fileprivate init(_ area: RawArea) {
    self.init(x: area.x, y: area.y, width: area.width, height: area.height)
  }
}

extension OpcodeList.Opcode {
  /// Name of the opcode in the specification.
  var name: String {
    switch self {
    case .warp(let warp):
      switch warp.model {
      case .rectilinear: "WarpRectilinear"
      case .fisheye: "WarpFisheye"
      case .rectilinear2: "WarpRectilinear2"
      }
    case .trim: "TrimBounds"
    case .point(let point): point.effect.name
    case .badPixels(let bad):
      switch bad.which {
      case .constant: "FixBadPixelsConstant"
      case .listed: "FixBadPixelsList"
      }
    }
  }
}

extension PointOpcode.Effect {
  fileprivate var name: String {
    switch self {
    case .table: "MapTable"
    case .polynomial: "MapPolynomial"
    case .gainMap: "GainMap"
    case .deltaPerRow: "DeltaPerRow"
    case .deltaPerColumn: "DeltaPerColumn"
    case .scalePerRow: "ScalePerRow"
    case .scalePerColumn: "ScalePerColumn"
    case .vignette: "FixVignetteRadial"
    }
  }
}

/// Parameters of opcodes, in the order of the file.
extension OpcodeList.Opcode {
  /// Sides, planes and pitches of the area; `nil` for the whole image.
  var area: [Int]? {
    guard case .point(let point) = self, let area = point.area else { return nil }
    return [
      area.top, area.left, area.bottom, area.right, area.planes.lowerBound, area.planes.count,
      area.rowPitch, area.columnPitch,
    ]
  }

  /// Numbers of the opcode, without tables and gains of gain maps.
  var numbers: [Double] {
    switch self {
    case .warp(let warp): warp.numbers
    case .point(let point): point.effect.numbers
    case .trim(let area):
      [area.y, area.x, area.rows.upperBound, area.columns.upperBound].map(Double.init)
    case .badPixels(let bad):
      switch bad.which {
      case .constant(let code): [Double(code)]
      case .listed(let points, let rectangles):
        points.flatMap { [Double($0.y), Double($0.x)] }
          + rectangles.flatMap { area in
            [area.y, area.x, area.rows.upperBound, area.columns.upperBound].map(Double.init)
          }
      }
    }
  }
}

extension PointOpcode.Effect {
  fileprivate var numbers: [Double] {
    switch self {
    case .table: []
    case .polynomial(let coefficients): coefficients
    case .gainMap(let map): map.numbers
    case .deltaPerRow(let values), .deltaPerColumn(let values), .scalePerRow(let values),
      .scalePerColumn(let values):
      values.map(Double.init)
    case .vignette(let vignette): vignette.numbers
    }
  }
}
