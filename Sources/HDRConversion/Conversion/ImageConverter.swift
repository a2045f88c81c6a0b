// SPDX-License-Identifier: Apache-2.0
package import HDRCore
package import ImageFiles

/// Converts any readable image to an ISO 22028-5 image, an SDR image or scene-linear values.
package struct ImageConverter: Sendable {
  /// An image ready to be encoded, and the measurements of its conversion.
  package struct Result: Sendable {
    /// The image with its metadata.
    package var output: OutputImage
    /// Measured light levels of the output.
    package var lightLevels: LightLevels
    /// The gain map that was applied, if any.
    package var gainMap: AppliedGainMap?
    /// Report of the rendition, if the image was rendered for a display.
    package var rendering: RenderingReport?
    /// Notices about samples and metadata that were dropped, assumed or clipped.
    package var notices: [Notice]
  }

  /// Properties of the output.
  package var options: ConversionOptions

  /// Creates a converter.
  package init(_ options: ConversionOptions) { self.options = options }

  /// Converts an image, with its gain map applied as `ConversionOptions.gainMap` specifies.
  ///
  /// PQ is not tone mapped: luminances above 10 000 cd/m² are clipped, with a notice. For HLG, content
  /// above 1000 cd/m² is tone mapped by the default operator.
  ///
  /// - Parameter document: The image.
  /// - Returns: The image to encode, its light levels, and notices.
  /// - Throws: `.invalidArgument` for options that contradict each other or the format, errors of
  ///   the decoder, `.cancelled`.
  package func run(_ document: SourceImage) throws(ImageError) -> Result {
    var stages = Stages(
      ExpectedTime.reading(document), ExpectedTime.converting(document.image.layout))
    let prepared = try stages.next { () throws(ImageError) in
      try PreparedConversion(options, document)
    }
    return try stages.next { () throws(ImageError) in try run(prepared, document) }
  }

  func run(
    _ prepared: PreparedConversion, _ document: SourceImage
  ) throws(ImageError) -> Result {
    let (samples, findings) = try prepared.run()
    let metadata = prepared.metadata
    var image = Image(prepared.output, samples)
    image.light = metadata.resolved(measured: findings.lightLevels)
    image.orientation = prepared.target.orientation
    var output = OutputImage(
      image, signalsCICP: prepared.target.signaling != .icc,
      icc: try prepared.target.profile(measured: findings.lightLevels),
      headroomAdaptation: try prepared.target.bitstreamAdaptation(measured: findings.lightLevels),
      exif: metadata.exif, xmp: metadata.xmp)
    output.auxiliaryMetadata = metadata.auxiliary
    var notices = prepared.notices(of: findings.clipping, findings.changes)
    output.auxiliaries = try auxiliaries(of: document, rotation: prepared.target.rotation, &notices)
    return Result(
      output: output, lightLevels: findings.lightLevels, gainMap: prepared.gainMap,
      rendering: prepared.source.rendering?.report(
        changes: findings.changes, clipping: findings.clipping),
      notices: notices)
  }
}
