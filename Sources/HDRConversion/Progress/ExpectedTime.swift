// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
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
    let isLossless = options.isLossless || options.quality >= EncoderOptions.bestQuality
    let rates = isLossless ? traits.encodingTimes.lossless : traits.encodingTimes.lossy
    let rate = rates[min(max(options.speed, 0), rates.count - 1)]
    // Chroma of full resolution takes as long as luma again.
    let isSubsampled = traits.isVideoCoded && chroma != .yuv444
    return megapixels(size) * rate * (isSubsampled ? 0.6 : 1)
  }

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

extension [ConversionStage: Double] {
  /// The same plan if the work of a stage is done in another one.
  func moving(_ stage: ConversionStage, to other: ConversionStage) -> Self {
    var stages = self
    stages[other, default: 0] += stages.removeValue(forKey: stage) ?? 0
    return stages
  }
}
