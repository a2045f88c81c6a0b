// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// Seconds that the stages of a conversion take, as measured on the machine of
/// `Documentation/Speed.md` with two threads.
///
/// Only their ratios matter for progress, and `ProgressEstimate` adapts to the speed of the machine.
package enum ExpectedTime {
  /// The stages of a conversion.
  static func stages(
    of document: SourceImage, _ options: ConversionOptions
  ) -> [ConversionStage: Double] {
    let layout = document.image.layout
    let source = (layout.width, layout.height)
    let measures =
      options.rendering != nil && document.isHighDynamicRange && document.gainMap == nil
    return [
      .measuring: measures ? megapixels(source) * 0.03 : 0,
      .converting: megapixels(source) * 0.05,
      .encoding: encoding(
        size(of: layout, options.geometry, options.limits), as: options.format, options.encoder,
        chroma: options.chroma ?? options.usualChroma),
    ]
  }

  /// The stages of creating a file with a gain map.
  static func stages(
    ofCreation hdr: SourceImage, _ options: GainMapEncoder.Options
  ) -> [ConversionStage: Double] {
    let layout = hdr.image.layout
    let source = (layout.width, layout.height)
    let size = size(of: layout, options.geometry, options.limits)
    // Both images are encoded, decoded and compared.
    return [
      .converting: megapixels(source) * 0.05,
      .encoding: 1.5
        * encoding(
          size, as: options.format, options.encoder,
          chroma: options.chroma ?? options.usualChroma)
        + megapixels(size) * 0.3,
    ]
  }

  /// The time to encode an image of this size.
  ///
  /// - Parameters:
  ///   - size: Columns and rows.
  ///   - format: Format of the output.
  ///   - options: Options of the encoder.
  ///   - chroma: Subsampling of HEIF and AVIF.
  /// - Returns: Seconds with two threads.
  package static func encoding(
    _ size: (width: Int, height: Int), as format: FileFormat, _ options: EncoderOptions,
    chroma: ChromaSubsampling = .yuv444
  ) -> Double {
    let traits = format.traits
    let rates: [Double] =
      switch traits.gainMapCodec {
      case .av1: av1
      case .hevc: hevc
      case .jpegXL:
        options.isLossless || options.quality >= EncoderOptions.bestQuality
          ? losslessJPEGXL : jpegXL
      default: traits.isLimitedTo8Bits || traits.storesLinearValues ? rows : deflate
      }
    let rate = rates[min(max(options.speed, 0), rates.count - 1)]
    // Chroma of full resolution takes as long as luma again.
    let isSubsampled = traits.isVideoCoded && chroma != .yuv444
    return megapixels(size) * rate * (isSubsampled ? 0.6 : 1)
  }

  /// Seconds per megapixel of 10-bit 4:4:4 for each speed, 0...10.
  private static let av1 = [22, 9.5, 6, 4.5, 2.6, 1.9, 0.95, 0.45, 0.22, 0.12, 0.12]
  /// As `av1`, by the presets of x265.
  private static let hevc = [4, 2.5, 1.5, 1.5, 1, 0.6, 0.6, 0.6, 0.6, 0.55, 0.22]
  /// Seconds per megapixel of JPEG and OpenEXR, whose rows are encoded as they are converted.
  private static let rows = [0.02]
  /// Seconds per megapixel of 16-bit RGB in PNG and TIFF, by the levels of libdeflate.
  private static let deflate = [0.6, 0.5, 0.4, 0.22, 0.18, 0.09, 0.06, 0.06, 0.05, 0.04, 0.04]
  /// Seconds per megapixel of lossy JPEG XL, by the efforts of libjxl.
  private static let jpegXL = [2.5, 2.5, 1.3, 1.3, 0.3, 0.3, 0.22, 0.2, 0.1, 0.08, 0.05]
  /// As `jpegXL`, lossless.
  private static let losslessJPEGXL = [30, 30, 6.5, 6.5, 3.5, 3.5, 2.5, 2.1, 1.7, 0.15, 0.07]

  private static func megapixels(_ size: (width: Int, height: Int)) -> Double {
    Double(size.width) * Double(size.height) / 1e6
  }

  /// The size after an edit.
  private static func size(
    of layout: ImageLayout, _ edit: GeometryEdit, _ limits: ImageLimits
  ) -> (width: Int, height: Int) {
    let parameters = try? edit.parameters(
      width: layout.width, height: layout.height, orientation: .upright, limits: limits)
    return parameters.map { ($0.resampling.width, $0.resampling.height) } ?? (
      layout.width, layout.height
    )
  }
}
