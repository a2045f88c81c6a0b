// SPDX-License-Identifier: Apache-2.0
public import GainMap
public import HDRCore
public import ImageFiles
public import RAWDevelop

/// A job: the image to make of another one, and how.
///
/// No other type describes a job. The command, Swift, C and Python give the same request, and get
/// the same file. A field that is `nil` is decided by the plan, from the contents of the file and
/// the capabilities of the format; `Documentation/Conversions.md` has the table. In JSON, fields
/// have the names of these properties, and those that are `nil` are left out:
///
/// ```json
/// {"coding": {"format": "avif", "quality": 85}, "geometry": {"longSide": 2048}}
/// ```
public struct ConversionRequest: Hashable, Sendable {
  /// Content of the output.
  public enum Content: String, Codable, Hashable, Sendable, CaseIterable {
    /// The content that suits the image and the format: HDR of an HDR image, SDR of an SDR image,
    /// and an SDR image with a gain map of an HDR image where the format cannot store it otherwise.
    case automatic
    /// One HDR image; a gain map is applied in full.
    case hdr
    /// One SDR image.
    case sdr
    /// An SDR and an HDR image: one as baseline image, and a gain map that is computed from both.
    case gainMap
  }

  /// Whether coded images are copied.
  public enum Copying: String, Codable, Hashable, Sendable, CaseIterable {
    /// They are copied where the output can store them as they are, unless a quality is given.
    case automatic
    /// They are copied where the output can store them as they are; a quality is for the others.
    case preferred
    /// They are copied, or the request fails.
    case required
    /// They are encoded again.
    case never
  }

  /// Content of the output.
  public var content = Content.automatic
  /// Whether coded images are copied.
  public var copying = Copying.automatic
  /// The gain map of the input, and that of the output.
  public var gainMap = GainMap()
  /// Images from other files.
  public var companions = Companions()
  /// The display to render for, exposure and tone mapping.
  public var rendition = Rendition()
  /// Crop, size and rotation.
  public var geometry = Geometry()
  /// Color of the output.
  public var color = Color()
  /// Format and encoder.
  public var coding = Coding()
  /// Metadata of the output.
  public var metadata = Metadata()
  /// Development of raw files.
  public var raw = Raw()
  /// The image to read, and its color if the file does not declare it rightly.
  public var input = Input()

  /// A request for an automatic conversion.
  ///
  /// - Parameters:
  ///   - format: Format of the output; `nil` for that of the suffix of its name, else for that of
  ///     the input.
  ///   - quality: Quality, 0...100; `nil` for the default of the format.
  ///   - content: Content of the output.
  ///   - longSide: Length of the longer side in pixels, at least 1, which never enlarges; `nil` to
  ///     keep the size.
  public init(
    format: FileFormat? = nil, quality: Int? = nil, content: Content = .automatic,
    longSide: Int? = nil
  ) {
    (coding.format, coding.quality) = (format, quality)
    self.content = content
    geometry.longSide = longSide
  }
}

// MARK: Gain maps and companions

extension ConversionRequest {
  /// The gain map of the input, and that of the output.
  public struct GainMap: Codable, Hashable, Sendable {
    /// Use of the gain map of the input.
    public enum Use: String, Codable, Hashable, Sendable, CaseIterable {
      /// It is applied in full, or up to `headroomStops`.
      case apply
      /// It is kept together with its baseline image; that of `companions` is added.
      case keep
      /// It is left out: the output is the baseline image.
      case drop
    }

    /// The image that is stored as such.
    public enum Baseline: String, Codable, Hashable, Sendable, CaseIterable {
      case sdr
      case hdr
      /// The alternate image of the input.
      case alternate
    }

    /// Use of the gain map of the input.
    public var use: Use?
    /// Headroom of the display that the gain map is applied for, in stops, 0...64.
    public var headroomStops: Double?
    /// Whether the input must have a gain map that can be applied.
    public var isRequired: Bool?
    /// The baseline image of the output.
    public var baseline: Baseline?
    /// Flavors of the metadata, at least one.
    public var flavors: [GainMapFlavor]?
    /// Whether the gain map is encoded again if a flavor cannot store its parameters exactly; if
    /// JPEG is transcoded to JPEG XL, whether any program can restore the JPEG file, whose gain map
    /// is then stored twice.
    public var isExact: Bool?
    /// Quality of an encoded gain map, 0...100.
    public var quality: Int?
    /// Pixels of the baseline image per sample of a computed gain map, in each direction: 1, 2 or 4.
    public var scale: Int?
    /// Number of components of a computed gain map, 1 or 3.
    public var componentCount: Int?
    /// Bits per sample of a computed gain map, 8 or 10.
    public var depth: Int?
    /// Limit of the 99th percentile of Delta E ITP, above 0 to 1000, which determines the qualities
    /// of both images.
    public var targetError: Double?
    /// The pixels whose error is measured.
    public var measurement: GainMapQuality.Extent?

    public init() {}
  }

  /// Images from other files, by their names.
  public struct Companions: Codable, Hashable, Sendable {
    /// The SDR image of an HDR or raw input.
    public var standard: String?
    /// An image that is the gain map of the input.
    public var gainMap: String?
    /// The metadata of that gain map: JSON, or a file with a gain map.
    public var gainMapMetadata: String?

    public init() {}
  }
}

// MARK: Appearance

extension ConversionRequest {
  /// The display to render for, exposure and tone mapping.
  public struct Rendition: Codable, Hashable, Sendable {
    /// A display: by the name of a preset, or by its luminances in cd/m².
    public struct Display: Codable, Hashable, Sendable {
      /// Name of a preset.
      public var name: String?
      /// Luminance of reference white, above 0; required without a name.
      public var referenceWhite: Double?
      /// Luminance of the brightest white, from reference white to 100 000; required without a
      /// name.
      public var peakLuminance: Double?
      /// Luminance of black, from 0 to below reference white; 0 if absent.
      public var blackLuminance: Double?
      /// Luminance of the surround, 0.01...100 000; 5 if absent.
      public var surroundLuminance: Double?
      /// Primaries; BT.2020 if absent.
      public var primaries: ColorPrimaries?

      public init(name: String? = nil) { self.name = name }
    }

    /// Shares of the levels of dynamic range, at least 0, of which only the ratios matter; one is
    /// above 0.
    public struct Level: Codable, Hashable, Sendable {
      /// Share of the level without headroom; 0 if absent.
      public var standard: Double?
      /// Share of the level of at most one stop; 0 if absent.
      public var constrainedHigh: Double?
      /// Share of the level of all the headroom of the display; 0 if absent.
      public var high: Double?

      public init() {}
    }

    /// The display.
    public var display: Display?
    /// Headroom of the display in stops, 0...64; instead of `display`.
    public var headroomStops: Double?
    /// Share of the headroom that the image may use.
    public var level: Level?
    /// Tone-mapping operator, in place of gain maps and metadata of the file.
    public var toneMapping: ToneMapOperator?
    /// Mapping of colors that are out of gamut; `soft` if absent.
    public var gamutMapping: GamutMapping?
    /// Desaturation of compressed highlights, 0...1; if absent, 0.05 for the operator `adaptive` unless
    /// a computed gain map has one component, else 0.
    public var highlightDesaturation: Double?
    /// Exposure in stops, -32...32, 0 if absent; of a raw file, before its tone curve.
    public var exposure: Double?

    public init() {}

    /// Whether the image is rendered for a display.
    package var isForDisplay: Bool { display != nil || headroomStops != nil || level != nil }
  }

  /// Crop, size and rotation, applied in this order to the upright image.
  public struct Geometry: Codable, Hashable, Sendable {
    /// Directions of mirroring.
    public enum Flip: String, Codable, Hashable, Sendable, CaseIterable {
      case horizontal
      case vertical
    }

    /// Handling of the orientation of the input.
    public enum OrientationPolicy: String, Codable, Hashable, Sendable, CaseIterable {
      /// The container specifies the orientation.
      case keep
      /// The samples are rotated.
      case bake
    }

    /// Part of the upright image, inside of it.
    public var crop: PixelRectangle?
    /// Length of the longer side in pixels; the other side keeps the aspect ratio.
    public var longSide: Int?
    /// Width in pixels, together with `height`.
    public var width: Int?
    /// Height in pixels, together with `width`.
    public var height: Int?
    /// Whether `longSide` may enlarge the image; false if absent.
    public var isEnlarged: Bool?
    /// Clockwise rotation in degrees, a multiple of 90; 0 if absent.
    public var rotation: Int?
    /// Mirroring after the rotation.
    public var flip: Flip?
    /// Handling of the orientation of the input.
    public var orientation: OrientationPolicy?

    public init() {}
  }

  /// Color of the output.
  public struct Color: Codable, Hashable, Sendable {
    /// Carriers of the color description.
    public enum Signaling: String, Codable, Hashable, Sendable, CaseIterable {
      case cicp
      case icc
      case both
    }

    /// Ranges of code values.
    public enum Range: String, Codable, Hashable, Sendable, CaseIterable {
      case full
      case limited
    }

    /// Transfer function: PQ, HLG, sRGB or linear.
    public var transfer: TransferFunction?
    /// Primaries.
    public var primaries: ColorPrimaries?
    /// Matrix coefficients of Y'CbCr, as in ITU-T H.273.
    public var matrix: CICP.Matrix?
    /// Range of the samples.
    public var range: Range?
    /// An ICC profile of RGB that is the color space of an SDR output: `adobergb`, or a file.
    public var profile: FileContent?
    /// Carriers of the color description.
    public var signaling: Signaling?
    /// Luminance of linear 1.0, 1...10 000 cd/m².
    public var referenceWhite: Double?
    /// Scene-referred or display-referred state of HLG.
    public var imageState: ColorEncoding.ImageState?

    public init() {}
  }

  /// Format and encoder.
  public struct Coding: Codable, Hashable, Sendable {
    /// Handling of alpha that varies.
    public enum Alpha: String, Codable, Hashable, Sendable, CaseIterable {
      /// Stored if the format can store it; otherwise as `drop`.
      case keep
      /// Stored with premultiplied components, which keep emissive pixels.
      case premultiplied
      /// The image is composed on black.
      case drop
      /// Components are used as stored, without alpha.
      case ignore
    }

    /// Format of the output.
    public var format: FileFormat?
    /// Quality, 0...100; 100 is lossless in HEIF, AVIF, JPEG XL and JPEG XR.
    public var quality: Int?
    /// Whether encoders code the samples without loss; rounding and chroma subsampling of a
    /// conversion are refused.
    public var isLossless: Bool?
    /// Speed, 0...10; 10 is fastest.
    public var speed: Int?
    /// Bits per sample: 8, 10, 12, 16 or 32; samples of 32 bits are floating-point numbers, as are
    /// all linear values.
    public var depth: Int?
    /// Chroma subsampling.
    public var chroma: ChromaSubsampling?
    /// Handling of alpha; `keep` if absent.
    public var alpha: Alpha?

    public init() {}
  }
}

// MARK: Metadata

extension ConversionRequest {
  /// The contents of a file: its name, or its bytes.
  public enum FileContent: Hashable, Sendable {
    case name(String)
    case bytes([UInt8])
  }

  /// The source of a metadata item.
  public enum Item<Value: Codable & Hashable & Sendable>: Hashable, Sendable {
    /// The value of the input.
    case keep
    /// The value that is measured, or follows from the image.
    case measure
    case drop
    case value(Value)
  }

  /// Metadata of the output.
  public struct Metadata: Codable, Hashable, Sendable {
    /// SMPTE ST 2094-50 metadata, for displays of other headrooms.
    public enum Adaptation: String, Codable, Hashable, Sendable, CaseIterable {
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

    /// Private metadata that are left out.
    public enum Private: String, Codable, Hashable, Sendable, CaseIterable {
      /// Locations.
      case location = "gps"
      /// Everything that readers do not need to show the image.
      case all
      /// The video of a motion photo.
      case video
      /// IPTC outside of XMP.
      case iptc
      /// Thumbnails.
      case thumbnail
    }

    /// MaxCLL and MaxFALL, 0...65 535 cd/m², of which 0 is unknown.
    public var contentLightLevel: Item<LightMetadata.ContentLightLevel>?
    /// Color volume of the mastering display; a maximum of 5...10 000 and a minimum of 0.0001...5
    /// cd/m².
    public var masteringDisplay: Item<LightMetadata.MasteringDisplay>?
    /// Color volume of the content, 0...10 000 cd/m².
    public var contentColorVolume: Item<LightMetadata.ContentColorVolume>?
    /// Luminance of diffuse white, 1...10 000 cd/m².
    public var diffuseWhite: Item<Double>?
    /// Reference viewing environment, 0...100 000 cd/m².
    public var referenceEnvironment: Item<LightMetadata.ReferenceEnvironment>?
    /// Ambient viewing environment, 0.0001...400 000 lux.
    public var ambientEnvironment: Item<LightMetadata.AmbientEnvironment>?
    /// Exif block.
    public var exif: Item<FileContent>?
    /// XMP packet.
    public var xmp: Item<FileContent>?
    /// ICC profile.
    public var icc: Item<FileContent>?
    /// CICP code points that the file declares; for coded images that are kept (`copying` is
    /// `required`), as the next two.
    public var codePoints: Item<CICP>?
    /// Orientation that the file declares.
    public var orientation: Item<Orientation>?
    /// The image whose metadata change: ID of an item in HEIF and AVIF, number of an image in JPEG,
    /// from 0; the primary image if absent.
    public var item: Int?
    /// SMPTE ST 2094-50 metadata.
    public var adaptation: Adaptation?
    /// Whether maker notes of more than 16 KiB are copied to an image that is encoded again; false
    /// if absent.
    public var keepsMakerNotes: Bool?
    /// Private metadata that are left out.
    public var strip: [Private]?

    /// Metadata of which nothing is set but the image.
    ///
    /// - Parameter item: The image.
    public init(item: Int? = nil) { self.item = item }
  }
}

// MARK: Input

extension ConversionRequest {
  /// The image to read, and its color if the file does not declare it rightly.
  public struct Input: Codable, Hashable, Sendable {
    /// Color of an image.
    public struct Color: Codable, Hashable, Sendable {
      /// Transfer function.
      public var transfer: TransferFunction?
      /// Primaries.
      public var primaries: ColorPrimaries?
      /// Luminance of linear 1.0 in cd/m², above 0 to 1e6, of untagged images.
      public var referenceWhite: Double?
      /// Matrix coefficients, of wrongly tagged images.
      public var matrix: CICP.Matrix?
      /// Range, of wrongly tagged images.
      public var range: ConversionRequest.Color.Range?

      public init() {}
    }

    /// The image of a file with several, by its name or its number; the primary image if absent.
    public var image: String?
    /// Color of an image whose file does not declare it.
    public var assumed: Color?
    /// Color of an image whose file declares it wrongly.
    public var declared: Color?
    /// Transfer curve of Apple gain map samples, which files do not specify; sRGB if absent.
    public var appleCurve: GainMapMetadata.AppleCurve?

    public init() {}
  }

  /// Development of raw files; see `RawDevelopment`.
  public struct Raw: Codable, Hashable, Sendable {
    /// Whether the output has scene-linear values without any look; 1.0 is sensor saturation.
    public var isSceneLinear: Bool?
    /// Exposure in stops, -32...32, in place of BaselineExposure and BaselineExposureOffset of the
    /// file.
    public var baselineExposure: Double?
    /// Gain of the scene in stops, before any look, -32...32; 0 if absent.
    public var sceneExposure: Double?
    /// White-balance temperature, 1667...100 000 kelvin.
    public var temperature: Double?
    /// White-balance tint, -150...150.
    public var tint: Double?
    /// Column and row of a gray object in the upright image, for white balance.
    public var neutralLocation: [Int]?
    /// Treatment of highlights that saturate some but not all colors; `clip` if absent.
    public var highlights: RawDevelopment.Highlights?
    /// Camera profile of the file, by name; `adobe` for SDR by the curve of the Adobe DNG SDK.
    public var profile: String?
    /// Value subtracted from shadows as a share of white, 0...0.5; that of the file if absent.
    public var shadowBias: Double?
    /// Amount of the tone curve, 0...1; 1 if absent.
    public var boost: Double?
    /// Brightness of shadows in the tone curve, 0...2; 1 if absent.
    public var boostShadow: Double?
    /// Amount of the local tone curves of the file, 0...1; 1 if absent.
    public var localToneMap: Double?
    /// Amount of highlights above white, 0...2; if absent, 1, and 0 of SDR outputs.
    public var extendedDynamicRange: Double?
    /// Sharpening, 0...1; 0 if absent.
    public var sharpness: Double?
    /// Luminance noise reduction, 0...1; for the noise of the file if absent.
    public var luminanceNoiseReduction: Double?
    /// Color noise reduction, 0...1; for the noise of the file if absent.
    public var colorNoiseReduction: Double?
    /// Reduction of color moire, 0...1; 0 if absent.
    public var moireReduction: Double?
    /// Enhancement of local contrast, 0...1; 0 if absent.
    public var contrast: Double?
    /// Enhancement of fine detail, 0...1; 0 if absent.
    public var detail: Double?
    /// Whether hot pixels of Bayer mosaics are replaced; true if absent.
    public var suppressesHotPixels: Bool?
    /// Whether colors outside BT.2020 are mapped into it; true if absent.
    public var mapsGamut: Bool?
    /// Whether lens distortion is corrected; true if absent.
    public var correctsLens: Bool?
    /// Whether the image is cropped as the photographer chose; true if absent.
    public var appliesUserCrop: Bool?
    /// Size as a share of the full size, 0.000001...1, averaged before any look; 1 if absent.
    public var scaleFactor: Double?
    /// Exposure under mattes of the file, each in stops, -32...32.
    public var localExposures: [RawDevelopment.LocalExposure]?
    /// Whether speed counts more than detail: half the size of a Bayer mosaic; false if absent.
    public var isDraft: Bool?
    /// Whether damaged strips and tiles become black, instead of an error; false if absent.
    public var isSalvaging: Bool?

    public init() {}
  }
}
