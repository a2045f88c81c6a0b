internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// What becomes of coverage where two renditions become one file: it is that of the base.
///
/// Source: ISO 21496-1 applies gain to color alone.
struct BaselineAlpha {
  /// Whether the file gets coverage.
  let isKept: Bool
  let notices: [Notice]

  init(hdr: SourceImage, sdr: SourceImage?, _ options: GainMapEncoder.Options) {
    let documents = [hdr] + [sdr].compactMap { $0 }
    guard documents.contains(where: \.image.layout.hasAlpha) else {
      (isKept, notices) = (false, [])
      return
    }
    let base = options.baseIsHDR ? hdr : sdr ?? hdr
    isKept = options.format.traits.holdsAlpha && base.image.layout.hasAlpha
    guard !isKept else {
      notices = []
      return
    }
    let images = Self.names(hdr, sdr)
    notices = [
      !options.format.traits.holdsAlpha
        ? Notice(.createAlphaDropped, ["images": images, "format": options.format.title])
        : Notice(.createAlphaNotOfBase, ["images": images])
    ]
  }

  /// The images that have an alpha channel.
  private static func names(_ hdr: SourceImage, _ sdr: SourceImage?) -> [String] {
    let images: [(name: String, SourceImage?)] = [("HDR image", hdr), ("SDR image", sdr)]
    return images.filter { $0.1?.image.layout.hasAlpha == true }.map(\.name)
  }

  /// Says that two renditions do not agree where they are opaque.
  static func difference(
    _ sdr: ImagePlanes, _ hdr: ImagePlanes, _ options: GainMapEncoder.Options
  ) -> [Notice] {
    guard case .integer(let ours) = sdr.separatingAlpha().alpha?.planes,
      case .integer(let theirs) = hdr.separatingAlpha().alpha?.planes
    else { return [] }
    let (plane, otherPlane) = (ours[0], theirs[0])
    let coverage = plane.span
    let otherCoverage = otherPlane.span
    let other = options.baseIsHDR ? "SDR" : "HDR"
    for index in coverage.indices
    where abs(Int(coverage[index]) - Int(otherCoverage[index])) > tolerance {
      return [
        Notice(.createAlphaDiffers, ["image": other])
      ]
    }
    return []
  }

  /// A step of 8 bits, in 16: what renditions of other depths may differ by.
  private static let tolerance = 257
}
