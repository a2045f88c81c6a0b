public import HDRCore
public import ImageCodecs
public import ImageFiles

/// What a converted picture shall be.
///
/// What is not said follows from the input and the format.
public struct ConversionOptions: Sendable {
  /// A metadatum that is measured, left out, carried over or given.
  public enum Metadatum<Value: Hashable & Sendable>: Hashable, Sendable {
    /// Measured or derived from the picture.
    case automatic
    /// As the input has it; nothing if the input is silent.
    case keep
    case none
    case value(Value)
  }

  /// How the output says what its samples mean.
  public enum Signaling: String, Hashable, Sendable, CaseIterable {
    case cicp
    case icc
    case both
  }

  public enum OrientationPolicy: String, Hashable, Sendable, CaseIterable {
    /// The container says how to turn the picture.
    case keep
    /// The samples are turned.
    case bake
  }

  /// What becomes of a gain map of the input.
  public enum GainMapUse: Hashable, Sendable {
    /// The rendition with the most headroom is made.
    case full
    /// What a display of this headroom shows is made.
    case display(Headroom)
    /// The base stays as it is.
    case none
  }

  /// What the output says about displays of other headrooms, in SMPTE ST 2094-50 metadata.
  public enum AdaptationUse: String, Hashable, Sendable, CaseIterable {
    /// What the input says, if its light stays as it is.
    case keep
    case none
    /// The default operator of this toolkit.
    case shoulder
    /// What readers do without curves: reference-white tone mapping.
    case referenceWhite = "reference-white"
  }

  public var format: FileFormat
  public var transfer: TransferFunction
  public var primaries: ColorPrimaries
  /// Coefficients for Y'CbCr; `nil` for those that go with the primaries.
  public var matrix: CICP.Matrix?
  /// Bits per sample, 32 for float; `nil` for the format's own.
  public var depth: Int?
  /// `nil` for the format's own.
  public var chroma: ChromaSubsampling?
  public var isFullRange = true
  public var signaling: Signaling?
  public var orientation = OrientationPolicy.keep
  /// How the picture shall be cut, sized and turned, as it is shown.
  ///
  /// HEIF and AVIF say how the picture is to be turned, unless `orientation` says otherwise; the
  /// samples of other formats are turned, because few programs look what those say.
  public var geometry = GeometryEdit()
  /// What a picture of another size may cost.
  public var limits = ImageLimits()
  /// Luminance of light 1.0, cd/m²; `nil` for what the input says, else 203.
  public var referenceWhite: Double?
  /// In stops.
  public var exposure = 0.0
  /// Whether coverage goes into the output, where its format can hold it; if not, the picture is
  /// what is seen on black.
  public var keepsAlpha = true
  public var gainMap = GainMapUse.full
  /// The display to render for; `nil` keeps the light as it is.
  public var rendering: RenderingOptions?

  public var diffuseWhite = Metadatum<Double>.automatic
  public var contentLightLevel = Metadatum<LightMetadata.ContentLightLevel>.automatic
  public var contentColorVolume = Metadatum<LightMetadata.ContentColorVolume>.automatic
  public var masteringDisplay = Metadatum<LightMetadata.MasteringDisplay>.keep
  public var referenceEnvironment = Metadatum<LightMetadata.ReferenceEnvironment>.keep
  public var ambientEnvironment = Metadatum<LightMetadata.AmbientEnvironment>.keep
  public var imageState = Metadatum<LightMetadata.ImageState>.keep
  public var adaptation = AdaptationUse.keep
  /// Whether all light levels are measured, also those that the output does not state.
  public var measuresAllLight = true
  public var exif = Metadatum<[UInt8]>.keep
  public var xmp = Metadatum<[UInt8]>.keep
  public var icc = Metadatum<[UInt8]>.automatic

  public var encoder: EncoderOptions

  /// A PQ picture in BT.2020; EXR is linear.
  public init(format: FileFormat, encoder: EncoderOptions = EncoderOptions()) {
    self.format = format
    self.encoder = encoder
    transfer = format.traits.holdsLight ? .linear : .pq
    primaries = .bt2020
  }
}
