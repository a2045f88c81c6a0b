// SPDX-License-Identifier: Apache-2.0
public import HDRCore
public import ImageCodecs
public import ImageFiles

/// Properties of a converted image.
///
/// Defaults follow from the input and the format.
public struct ConversionOptions: Sendable {
  /// Source of a metadata item.
  public enum Metadatum<Value: Hashable & Sendable>: Hashable, Sendable {
    /// Measured or derived from the image.
    case automatic
    /// Copied from the input, if it has the item.
    case keep
    /// Omitted.
    case none
    /// Given.
    case value(Value)

    /// The value to write.
    ///
    /// - Parameters:
    ///   - kept: Value of the input, if there is one.
    ///   - automatic: Value that was measured or derived.
    /// - Returns: `nil` if the item is omitted.
    package func value(kept: Value?, automatic: Value?) -> Value? {
      switch self {
      case .automatic: automatic
      case .keep: kept
      case .none: nil
      case .value(let value): value
      }
    }
  }

  /// Carriers of the color of the output.
  public enum Signaling: String, Hashable, Sendable, CaseIterable {
    case cicp
    case icc
    case both
  }

  /// Handling of the orientation.
  public enum OrientationPolicy: String, Hashable, Sendable, CaseIterable {
    /// The container specifies the orientation.
    case keep
    /// The samples are rotated.
    case bake
  }

  /// Handling of a gain map of the input.
  public enum GainMapUse: Hashable, Sendable {
    /// Applied in full: the image with the most headroom.
    case full
    /// Applied for a display of this headroom.
    case display(Headroom)
    /// Not applied.
    case none
  }

  /// SMPTE ST 2094-50 metadata of the output, for displays of other headrooms.
  public enum HeadroomAdaptationUse: String, Hashable, Sendable, CaseIterable {
    /// Copied from the input if its linear values are kept.
    case keep
    /// Omitted.
    case none
    /// Those of the default operator, for the key of the image.
    case adaptive
    /// Those of the shoulder, which keeps the exposure.
    case shoulder
    /// Reference-white tone mapping, as readers apply it without curves.
    case referenceWhite = "reference-white"
  }

  /// Handling of alpha.
  public enum AlphaUse: String, Hashable, Sendable, CaseIterable {
    /// Stored if it varies and the format can store it; otherwise as `drop`.
    case keep
    /// Stored with premultiplied components, which keep emissive pixels; in HEIF, AVIF and OpenEXR.
    case premultiplied
    /// The image is composed on black, which keeps emissive pixels as they are shown.
    case drop
    /// Components are used as stored, without alpha.
    case ignore
  }

  /// Format of the file.
  public var format: FileFormat
  /// Transfer function.
  public var transfer: TransferFunction
  /// Primaries.
  public var primaries: ColorPrimaries
  /// Color space of an SDR output by an ICC profile, which replaces `transfer`, `primaries`,
  /// `signaling` and `icc`, and renders for SDR unless `rendering` is set.
  public var profile: OutputProfile?
  /// Matrix coefficients for Y'CbCr; `nil` for those of the primaries.
  public var matrix: CICP.Matrix?
  /// Bits per sample, 32 for floating point; `nil` for the default of the format.
  public var depth: Int?
  /// Chroma subsampling; `nil` for the default of the format.
  public var chroma: ChromaSubsampling?
  /// Whether code values use the full range.
  public var isFullRange = true
  /// Carriers of the color; `nil` for those of the format.
  public var signaling: Signaling?
  /// Handling of the orientation.
  public var orientation = OrientationPolicy.keep
  /// Crop, size and rotation, relative to the image as shown.
  ///
  /// HEIF and AVIF specify a rotation in their properties, unless `orientation` is `.bake`; the samples
  /// of other formats are rotated, because few programs read their orientation.
  public var geometry = GeometryEdit()
  /// Limits of the size of a resized image.
  public var limits = ImageLimits()
  /// Luminance of reference white, in cd/m²; `nil` for that of the input, else 203.
  public var referenceWhite: Double?
  /// Exposure, in stops.
  public var exposure = 0.0
  /// Handling of alpha that varies; opaque alpha, and alpha that is 0 everywhere, is not used.
  public var alpha = AlphaUse.keep
  /// Handling of a gain map of the input.
  public var gainMap = GainMapUse.full
  /// The display to render for; `nil` keeps linear values.
  public var rendering: RenderingOptions?

  /// Luminance of diffuse white (`ndwt`), in cd/m².
  public var diffuseWhite = Metadatum<Double>.automatic
  /// MaxCLL and MaxFALL (`clli`).
  public var contentLightLevel = Metadatum<LightMetadata.ContentLightLevel>.automatic
  /// Content color volume (`cclv`).
  public var contentColorVolume = Metadatum<LightMetadata.ContentColorVolume>.automatic
  /// Mastering display (`mdcv`).
  public var masteringDisplay = Metadatum<LightMetadata.MasteringDisplay>.keep
  /// Reference viewing environment (`reve`).
  public var referenceEnvironment = Metadatum<LightMetadata.ReferenceEnvironment>.keep
  /// Ambient viewing environment (`amve`).
  public var ambientEnvironment = Metadatum<LightMetadata.AmbientEnvironment>.keep
  /// Scene-referred or display-referred state of HLG.
  public var imageState = Metadatum<ColorEncoding.ImageState>.keep
  /// SMPTE ST 2094-50 metadata.
  public var headroomAdaptation = HeadroomAdaptationUse.keep
  /// Whether all light levels are measured, including those that the output does not declare.
  public var measuresAllLight = true
  /// Exif block.
  public var exif = Metadatum<[UInt8]>.keep
  /// Whether large maker notes in kept Exif and XMP are copied.
  public var keepsMakerNotes = false
  /// XMP packet.
  public var xmp = Metadatum<[UInt8]>.keep
  /// ICC profile.
  public var icc = Metadatum<[UInt8]>.automatic

  /// Quality and speed of the encoder.
  public var encoder: EncoderOptions

  /// Options for a PQ image in BT.2020, or for linear values if the format stores those.
  public init(format: FileFormat, encoder: EncoderOptions = EncoderOptions()) {
    self.format = format
    self.encoder = encoder
    transfer = format.traits.storesLinearValues ? .linear : .pq
    primaries = .bt2020
  }
}
