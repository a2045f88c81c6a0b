// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Alpha of a file with a gain map: that of the baseline image.
///
/// Source: ISO 21496-1 applies the gain to color components only.
struct BaselineAlpha {
  /// Whether the file has an alpha channel.
  let isKept: Bool
  let notices: [Notice]

  init(hdr: SourceImage, sdr: SourceImage?, _ options: GainMapEncoder.Options) {
    let images: [(name: String, SourceImage?)] = [("HDR image", hdr), ("SDR image", sdr)]
    let names = images.filter { $0.1?.image.layout.hasAlpha == true }.map(\.name)
    let isStorable = options.format.traits.holdsAlpha
    let base = options.isBaseHDR ? hdr : sdr ?? hdr
    isKept = isStorable && base.image.layout.hasAlpha
    guard !isKept, !names.isEmpty else {
      notices = []
      return
    }
    notices = [
      isStorable
        ? Notice(
          .dropped,
          "dropped: alpha channel of {images} (the baseline image has none); composed on black",
          ["images": names])
        : Notice(.createAlphaDropped, ["images": names, "format": options.format.title])
    ]
  }

  /// Returns a notice if the alpha channels of two images differ.
  static func difference(
    _ sdr: ImagePlanes, _ hdr: ImagePlanes, _ options: GainMapEncoder.Options
  ) -> [Notice] {
    guard case .integer(let ours) = sdr.separatingAlpha().alpha?.planes,
      case .integer(let theirs) = hdr.separatingAlpha().alpha?.planes
    else { return [] }
    let (plane, otherPlane) = (ours[0], theirs[0])
    let alpha = plane.span
    let otherAlpha = otherPlane.span
    let other = options.isBaseHDR ? "SDR" : "HDR"
    for index in alpha.indices
    where abs(Int(alpha[index]) - Int(otherAlpha[index])) > tolerance {
      return [
        Notice(
          .dropped,
          "not used: alpha channel of the {image} image (it differs from that of the baseline "
            + "image)",
          ["image": other])
      ]
    }
    return []
  }

  /// An 8-bit step in 16 bits, for images of other depths.
  private static let tolerance = 257
}
