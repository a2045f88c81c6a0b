// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// The notices that are printed: those that a person may have to act on.
///
/// `--verbose` prints all, and JSON reports contain all.
enum NoticeVisibility {
  /// Codes that only `--verbose` prints: the output is what was asked for, and a person would change
  /// nothing.
  static let verboseOnly: Set<String> = [
    // Thumbnails, which programs make again.
    "exif/thumbnail-dropped", "exif/thumbnail-not-in-tiff", "exif/thumbnail-overlaps",
    // Re-encoding that the request implies.
    "base/re-encoded-in-format", "gain-map/re-encoded-in-format", "convert/gain-map-dropped",
    // Thumbnails and deltas of styles, which belong to the previous encoding.
    "metadata/thumbnail-not-copied",
    // Gamut mapping, which every image in a smaller gamut implies.
    "pixels/gamut-mapped",
    // Success, in numbers.
    "create/companion-registered",
    // What a gain map and readers need of metadata that are removed.
    "xmp/of-others-kept", "xmp/properties-kept",
    // Numbers of the camera without effect.
    "gain-map/stale-maker-note",
    // Attributes of the program that wrote an OpenEXR file.
    "exr/attributes-not-copied",
    // The mark of cameras and programs that change the profile only.
    "color/srgb-overridden",
    // Default primaries of OpenEXR and Radiance.
    "color/primaries-assumed",
    // Irregular syntax of the input, with one meaning.
    "bitstream/messages-unreadable", "cr3/box-ignored", "gain-map/announcement-dropped",
    "gain-map/base-rendition-spelling", "gain-map/brand-missing", "gain-map/common-denominator",
    "gain-map/directory-length-differs", "gain-map/group-missing",
    "gain-map/item-version-missing", "gain-map/item-version-unexpected",
    "gain-map/reserved-bits", "gain-map/xmp-version-missing", "heif/handler-not-first",
    "heif/minimized-form-read", "heif/trailing-bytes", "icc/cicp-padded", "icc/size-differs",
    "icc/tag-duplicate", "icc/tag-out-of-range", "icc/tags-overlap",
    "item/location-without-item", "jpeg/stray-bytes", "mpf/entry-without-image",
    "png/chunk-duplicate", "png/chunk-too-late", "png/trailing-bytes",
    "raw/color-table-without-mask", "raw/pixel-scale-ignored", "xmp/extended-digest-mismatch",
    "xmp/utf-16",
  ]

  /// Items whose loss only `--verbose` prints, by the code of the notice: previews, and data of
  /// Apple's styles.
  static let verboseOnlyItems: [String: Set<String>] = [
    "metadata/embedded-not-copied": ["thumbnail", "linear thumbnail", "style delta map"],
    "metadata/of-old-coding": ["photographic style", "Photoshop thumbnail"],
  ]

  /// Codes of clipped pixels, which are printed from `leastShare` on.
  static let countingPixels: Set<String> = [
    "compare/negative", "create/colors-outside-base", "pixels/above-display-peak",
    "pixels/above-hlg-maximum",
    "pixels/above-pq-maximum", "pixels/above-signal-range", "pixels/infinite",
    "pixels/not-a-number", "pixels/out-of-gamut", "sheet/clipped-in-pq",
    "swap/pixels-clipped",
  ]

  /// The smallest percentage of clipped pixels that is printed: below it, they are noise and edges.
  static let leastShare = 0.1

  /// Whether a notice is printed without `--verbose`.
  static func isPrinted(_ notice: Notice) -> Bool {
    let id = notice.code.id
    if verboseOnly.contains(id) { return false }
    if let items = verboseOnlyItems[id], case .list(let dropped)? = notice.parameters["items"] {
      return !dropped.allSatisfy { entry in items.contains { .text($0) == entry } }
    }
    if countingPixels.contains(id), case .number(let share)? = notice.parameters["share"] {
      return share >= leastShare
    }
    return true
  }

  /// When a notice is printed, for the documentation.
  static func words(for id: String) -> String {
    if verboseOnly.contains(id) { return "`--verbose`" }
    return countingPixels.contains(id) ? "from \(leastShare) % of the pixels on" : "always"
  }
}
