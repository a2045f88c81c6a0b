// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

extension ImagePair {
  /// The SDR image as its file stores it, which is decoded when it is encoded; `nil` if it has
  /// alpha, or is to be cropped, resized or rotated.
  static func standardOnDemand(
    _ sdr: SourceImage, _ baseline: EncodedBaseline?, options: GainMapEncoder.Options
  ) throws(ImageError) -> Source? {
    let stored = sdr.image
    if let baseline {
      return Source(
        image: Image(baseline.description) { () throws(ImageError) in try stored.makeReader() })
    }
    let description = standardDescription(of: stored)
    guard !description.layout.hasAlpha, try isWhole(stored, options) else { return nil }
    try description.checkDecodable()
    return Source(
      image: Image(description) { () throws(ImageError) in try stored.makeReader() },
      rendition: try standardRendition(of: description, options))
  }

  /// Whether an image is used as it is stored: not cropped, resized or rotated.
  static func isWhole(
    _ image: Image, _ options: GainMapEncoder.Options
  ) throws(ImageError) -> Bool {
    let (width, height) = (image.layout.width, image.layout.height)
    let geometry = try options.geometry.parameters(
      width: width, height: height, orientation: image.orientation, limits: options.limits)
    return geometry.orientation == .upright
      && geometry.resampling.isIdentity(forWidth: width, height: height)
  }

  /// Linear 1.0 is reference white, whatever its luminance.
  private static func standardDescription(of image: Image) -> ImageDescription {
    var description = image.description
    description.color.referenceWhite = ColorEncoding.defaultReferenceWhite
    return description
  }

  /// The mapping of colors outside of the target primaries; `nil` without such colors.
  private static func standardRendition(
    of image: ImageDescription, _ options: GainMapEncoder.Options
  ) throws(ImageError) -> Rendition? {
    guard image.color.primaries.reach(in: options.primaries) > 1 + widerTolerance else {
      return nil
    }
    return Rendition(ToneMap(try RationalShoulder(content: .standard, display: .standard)))
  }

  /// Converts the SDR image to the target primaries, upright.
  static func convertStandard(
    _ document: SourceImage, keepsAlpha: Bool, options: GainMapEncoder.Options
  ) throws(ImageError) -> Source {
    let source = standardDescription(of: document.image)
    let geometry = try options.geometry.parameters(
      width: source.layout.width, height: source.layout.height,
      orientation: document.image.orientation, limits: options.limits)
    var layout = ImageLayout(
      width: geometry.resampling.width, height: geometry.resampling.height, components: .rgb,
      samples: .integer(bits: 16), hasAlpha: keepsAlpha && source.layout.hasAlpha)
    layout = layout.upright(from: geometry.orientation)
    let target = ImageDescription(
      layout: layout, color: ColorEncoding(primaries: options.primaries, transfer: .srgb))
    let (image, resampling) =
      options.encoder.isExact(in: options.format)
      ? (document.image, geometry.resampling) : document.image.reduced(for: geometry.resampling)
    var decoded = source
    decoded.layout = image.layout
    let isWhole = resampling.isIdentity(
      forWidth: decoded.layout.width, height: decoded.layout.height)
    let result = try ImageTransform(
      validating: decoded, to: target, rendition: try standardRendition(of: source, options),
      resampling: isWhole ? nil : resampling, orientation: geometry.orientation
    ).run(try image.makeReader())
    return Source(image: Image(target, result.image))
  }

  /// Difference of equal primaries that ICC profiles round.
  private static let widerTolerance = 2e-3
}
