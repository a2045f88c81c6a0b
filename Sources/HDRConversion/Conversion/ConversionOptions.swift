// SPDX-License-Identifier: Apache-2.0
package import GainMap
package import HDRCore
package import ImageFiles

/// Properties of a converted image.
///
/// Defaults follow from the input and the format.
package struct ConversionOptions: Sendable {
  /// Handling of a gain map of the input.
  package enum GainMapUse: Hashable, Sendable {
    /// Applied in full: the image with the most headroom.
    case full
    /// Applied for a display of this headroom.
    case display(Headroom)
    /// Not applied.
    case none
  }

  /// Format of the file.
  package var format: FileFormat
  /// Transfer function.
  package var transfer: TransferFunction
  /// Primaries.
  package var primaries: ColorPrimaries
  /// Color space of an SDR output by an ICC profile, which replaces `transfer`, `primaries`,
  /// `signaling` and `icc`, and renders for SDR unless `rendering` is set.
  package var profile: OutputProfile?
  /// Matrix coefficients for Y'CbCr; `nil` for those of the primaries.
  package var matrix: CICP.Matrix?
  /// Bits per sample, 32 for floating point; `nil` for the default of the format.
  package var depth: Int?
  /// Chroma subsampling; `nil` for the default of the format.
  package var chroma: ChromaSubsampling?
  /// Whether code values use the full range.
  package var isFullRange = true
  /// Carriers of the color; `nil` for those of the format.
  package var signaling: ConversionRequest.Color.Signaling?
  /// Handling of the orientation.
  package var orientation = ConversionRequest.Geometry.OrientationPolicy.keep
  /// Crop, size and rotation, relative to the image as shown.
  ///
  /// HEIF and AVIF specify a rotation in their properties, unless `orientation` is `.bake`; the samples
  /// of other formats are rotated, because few programs read their orientation.
  package var geometry = GeometryEdit()
  /// Limits of the size of a resized image.
  package var limits = ImageLimits()
  /// Luminance of reference white, in cd/m²; `nil` for that of the input, else 203.
  package var referenceWhite: Double?
  /// Exposure, in stops.
  package var exposure = 0.0
  /// Handling of alpha that varies; opaque alpha, and alpha that is 0 everywhere, is not used.
  package var alpha = ConversionRequest.Coding.Alpha.keep
  /// Handling of a gain map of the input.
  package var gainMap = GainMapUse.full
  /// Whether a gain map that cannot be decoded is an error; otherwise it is dropped with a notice.
  package var requiresGainMap = false
  /// The display to render for; `nil` keeps linear values.
  package var rendering: RenderingOptions?

  /// Light metadata, adaptation and maker notes; the other fields of the request are in the next ones.
  package var metadata = ConversionRequest.Metadata()
  /// Scene-referred or display-referred state of HLG.
  package var imageState = ConversionRequest.Item<ColorEncoding.ImageState>.keep
  /// Whether all light levels are measured, including those that the output does not declare.
  package var measuresAllLight = true
  /// Exif block.
  package var exif = ConversionRequest.Item<[UInt8]>.keep
  /// XMP packet.
  package var xmp = ConversionRequest.Item<[UInt8]>.keep
  /// ICC profile.
  package var icc = ConversionRequest.Item<[UInt8]>.measure

  /// Quality and speed of the encoder.
  package var encoder: EncoderOptions
  /// The output for which samples are read; `nil` for this one.
  ///
  /// Smaller images are decoded where its encoding is lossy.
  package var purpose: (format: FileFormat, encoder: EncoderOptions)?

  /// Options for a PQ image in BT.2020, or for linear values if the format stores those.
  package init(format: FileFormat, encoder: EncoderOptions = EncoderOptions()) {
    self.format = format
    self.encoder = encoder
    transfer = format.traits.storesLinearValues ? .linear : .pq
    primaries = format.traits.storesScRGB ? .bt709 : .bt2020
  }
}

/// Rendition of an image for a display.
package struct RenderingOptions: Hashable, Sendable {
  /// The display.
  package var display: DisplayTarget
  /// Tone-mapping operator; `nil` for the gain map of the file, else its SMPTE ST 2094-50 metadata,
  /// else the default operator.
  package var method: ToneMapOperator?
  /// Mapping of colors that are out of gamut.
  package var gamutMapping = GamutMapping.soft
  /// Highlight desaturation, see `Rendition.highlightDesaturation`; `nil` for that of the operator.
  package var highlightDesaturation: Double?

  package init(display: DisplayTarget, method: ToneMapOperator? = nil) {
    self.display = display
    self.method = method
  }
}

/// Report of the rendition of an image for a display.
package struct RenderingReport: Sendable {
  /// Source of the rendition.
  package enum Authority: Hashable, Sendable {
    case gainMap(GainMapFlavor)
    /// The file's SMPTE ST 2094-50 metadata.
    case headroomAdaptation
    /// BT.2100: HLG with the system gamma of the display.
    case hlg
    case method(ToneMapOperator)
  }

  /// Source of the rendition.
  package var authority: Authority
  /// Headroom of the image with its gain map applied in full.
  package var content: ContentHeadroom
  /// Headroom of the display.
  package var display: Headroom
  /// Headroom of the display that the image may use.
  package var usable: Headroom
  /// Whether the display can show the whole image; at most colors near the boundary of its gamut
  /// are changed.
  package var isIdentity: Bool
  /// Whether the SMPTE ST 2094-50 metadata have no alternate images, so that nothing is tone mapped.
  package var forbidsToneMapping = false
  /// Pixels that tone and gamut mapping changed.
  package var changes = ImageTransform.Changes()
  /// Pixels that were clipped.
  package var clipping = ImageTransform.Clipping(pixelCount: 0)
}

/// The color space of an SDR output, given by an RGB ICC profile that is embedded.
///
/// A profile of curves and a matrix is converted to in double-precision definitions, as every other
/// color space; one of tables, as of a printer, by Little CMS: relative colorimetric with black
/// point compensation.
package struct OutputProfile: Hashable, Sendable {
  /// The profile.
  package let bytes: [UInt8]
  private let model: Model

  private enum Model: Hashable {
    case space(ColorPrimaries, TransferFunction)
    case tables
  }

  /// Adobe RGB (1998).
  package static let adobeRGB = OutputProfile(
    bytes: ICCProfile.adobeRGB, model: .space(.adobeRGB, .gamma(563 / 256)))

  private init(bytes: [UInt8], model: Model) {
    self.bytes = bytes
    self.model = model
  }

  /// Reads a profile.
  ///
  /// - Parameter bytes: The bytes of the profile.
  /// - Throws: `.invalidArgument` for a profile that is not of RGB, that describes PQ or HLG, or
  ///   whose tables only convert from RGB; errors of `ICCProfile.init(parsing:)`.
  package init(parsing bytes: [UInt8]) throws(ImageError) {
    let profile = try ICCProfile(parsing: bytes)
    let color = ProfileColor(profile, isGray: false)
    if case .unusable(let cause) = color {
      throw ImageError(.printProfileUnusable, ["cause": cause])
    }
    guard case .managed = color else {
      guard let primaries = color.primaries, let transfer = color.transfer,
        transfer != .pq, transfer != .hlg
      else { throw ImageError(.printProfileNotSDR) }
      self.init(bytes: bytes, model: .space(primaries, transfer))
      return
    }
    _ = try ProfileEncoder(bytes)
    self.init(bytes: bytes, model: .tables)
  }

  /// Primaries of the color space; nominal for tables, which do not have any.
  var primaries: ColorPrimaries {
    if case .space(let primaries, _) = model { primaries } else { .adobeRGB }
  }

  /// Transfer function of the color space; nominal for tables.
  var transfer: TransferFunction {
    if case .space(_, let transfer) = model { transfer } else { .gamma(563 / 256) }
  }

  /// The encoder of linear BT.2020 values, if the profile consists of tables.
  func tableEncoder() throws(ImageError) -> ProfileEncoder? {
    guard model == .tables else { return nil }
    return try ProfileEncoder(bytes)
  }
}

extension ConversionOptions {
  /// The options with the color of their profile: SDR, signaled by the profile alone.
  var withColorOfProfile: ConversionOptions {
    guard let profile else { return self }
    var options = self
    (options.transfer, options.primaries) = (profile.transfer, profile.primaries)
    (options.signaling, options.icc) = (.icc, .value(profile.bytes))
    if options.rendering == nil {
      options.rendering = RenderingOptions(
        display: DisplayTarget(headroom: Headroom(stops: 64), range: DynamicRange.Mix(.standard)))
    }
    return options
  }
}
