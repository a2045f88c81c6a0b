public import HDRCore

/// What a raw file says about the way from its samples to a picture.
public struct RenderingRecipe: Hashable, Sendable {
  /// A camera's colors under one light.
  public struct Calibration: Hashable, Sendable {
    /// The light's number in CalibrationIlluminant, as in Exif's LightSource; 255 for one that the
    /// file describes.
    public var illuminantCode: Int?
    /// Temperature of the light in kelvin; `nil` if the file does not say which it is.
    public var kelvin: Double?
    /// XYZ to the colors of the reference camera.
    package var colorMatrix: Matrix3x3
    /// White-balanced colors of the reference camera to XYZ under D50.
    package var forwardMatrix: Matrix3x3?
    /// Colors of the reference camera to those of this one.
    package var cameraCalibration: Matrix3x3
    /// Hues, saturations and values of the table of changes.
    public var hueSatMap: [Int]?
  }

  /// A map of local tone curves.
  public struct GainTable: Hashable, Sendable {
    /// Rows of the map.
    public var rows: Int
    /// Columns of the map.
    public var columns: Int
    /// Gains at each point.
    public var size: Int
    /// Exponent of the brightness that chooses gains.
    public var gamma: Double
    /// Of red, green, blue, their minimum and their maximum in the brightness that chooses gains.
    public var weights: [Double]
    /// The smallest and the largest gain.
    public var gains: ClosedRange<Double>
  }

  /// A table of colors.
  public struct ColorTable: Hashable, Sendable {
    /// The semantic mask where it holds; `nil` for what all masks leave.
    public var mask: String?
    /// Entries to each side.
    public var size: Int
  }

  /// An opcode.
  public struct Correction: Hashable, Sendable {
    /// 1 for stored samples, 2 for linear light, 3 for colors.
    public var list: Int
    /// Name of the opcode.
    public var name: String
    /// Top, left, bottom, right, the first plane and the number of planes, and the steps from row to
    /// row and from column to column; `nil` for all of the picture.
    public var area: [Int]?
    /// In the order of the file; none of tables, and of gain maps without the gains.
    public var numbers: [Double]
  }

  /// One of the file's camera profiles.
  public struct Profile: Hashable, Sendable {
    /// Name of the profile.
    public var name: String?
    /// Group of the profile.
    public var group: String?
    /// Whether light above white is meant to be shown.
    public var isHDR: Bool
    /// The largest light of its pictures, 1.0 for white.
    public var largestLight: Double?
    /// Coldest light last; none in gray pictures.
    public var calibrations: [Calibration]
    /// Hues, saturations and values.
    public var lookTable: [Int]?
    /// Points of the tone curve; `nil` for the usual one.
    public var toneCurvePoints: Int?
    /// The points: pairs of light before and after.
    public var toneCurve: [Double]?
    /// The map that holds for this profile, wherever in the file it is.
    public var gainTable: GainTable?
    /// The tables of colors that the look ends with, wherever in the file they are.
    public var colorTables: [ColorTable]
    /// In stops.
    public var baselineExposureOffset: Double
    /// Whether nothing is subtracted from shadows.
    public var keepsBlack: Bool
  }

  /// The first is the file's main one.
  public var profiles: [Profile]
  /// The white that the camera chose; `nil` in gray pictures.
  public var asShotWhite: Chromaticity?
  /// Temperature and tint of that white, as `RawDevelopment.neutralTemperature` has them.
  public var asShotTemperature: Double?
  /// Tint of the light as shot.
  public var asShotTint: Double?
  /// How the camera sees that white, as the file says it; the largest is 1 where it says the white's
  /// chromaticity only.
  public var asShotNeutral: [Double]?
  /// What the camera multiplied its samples by.
  public var analogBalance: [Double]?
  /// In stops, without a profile's offset.
  public var baselineExposure: Double
  /// How much sharper pictures should be made than those of other cameras.
  public var baselineSharpness: Double
  /// How much noisier than a reference camera.
  public var baselineNoise: Double
  /// Share of the noise that is gone already; `nil` if unknown.
  public var noiseReductionApplied: Double?
  /// How much of the usual black is subtracted from shadows.
  public var shadowScale: Double
  /// What light adds to the variance of noise, and what is there without light, for each plane or for
  /// all of them; empty if the file does not say.
  public var noiseProfile: [Double]
  /// Names of the corrections in the three lists.
  public var opcodes: [[String]]
  /// The same with their numbers, list after list.
  public var corrections: [Correction]
  /// Names of those of `RawDevelopment`'s controls that can change something.
  public var controls: [String]
  /// The part of the raw picture that sees light.
  public var activeArea: PixelRectangle
  /// Width and height of a photosite in square pixels.
  public var pixelScale: [Double]
  /// The picture within the active area.
  public var crop: PixelRectangle
  /// Relation of the stored rows and columns to the upright image.
  public var orientation: Orientation
}
