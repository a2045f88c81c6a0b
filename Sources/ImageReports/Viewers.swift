// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore
package import ImageFiles

/// Programs and systems that show a kind of file in HDR.
///
/// `Documentation/Viewers.md` has the same table with its sources.
package struct Viewers: ReportObject {
  package static let schemaName = "viewers"
  /// Date of the table.
  package static let date = "2026-11-23"

  /// The kind of file, as in the table.
  package let content: String
  /// Programs and systems with the first version that shows HDR; empty if none is known.
  package let hdr: [String]
  /// The display elsewhere.
  package let elsewhere: String

  package enum CodingKeys: String, CodingKey, CaseIterable { case content, hdr, elsewhere }

  package static let table = [
    Viewers(
      content: "JPEG, gain map by ISO 21496-1 and XMP",
      hdr: [
        "Chrome 116", "Edge 116", "Safari 26", "Android 14", "iOS 18", "macOS 15", "Lightroom",
      ], elsewhere: "SDR elsewhere"),
    Viewers(
      content: "JPEG, gain map by ISO 21496-1",
      hdr: ["Chrome", "Edge", "Safari 26", "Android 15", "iOS 18", "macOS 15"],
      elsewhere: "SDR elsewhere"),
    Viewers(
      content: "JPEG, gain map by XMP",
      hdr: ["Chrome 116", "Edge 116", "Android 14", "Lightroom"], elsewhere: "SDR elsewhere"),
    Viewers(
      content: "JPEG, Apple gain map", hdr: ["iOS 14", "macOS 11"], elsewhere: "SDR elsewhere"),
    Viewers(
      content: "JPEG, gain map that is not announced", hdr: [],
      elsewhere: "SDR in other programs, which do not find it; a copy written here announces it"
    ),
    Viewers(
      content: "HEIF, gain map by ISO 21496-1", hdr: ["Safari 26", "iOS 18", "macOS 15"],
      elsewhere: "SDR in other programs that open HEIF"),
    Viewers(
      content: "HEIF, Apple gain map", hdr: ["iOS 14", "macOS 11"],
      elsewhere: "SDR in other programs that open HEIF"),
    Viewers(
      content: "AVIF, gain map by ISO 21496-1", hdr: ["Chrome 137", "Edge 137", "Safari 26"],
      elsewhere: "the baseline image in other programs that open AVIF"),
    Viewers(
      content: "AVIF, HDR",
      hdr: ["Chrome 108", "Edge", "Safari 26", "Android 13", "iOS 17", "macOS 14"],
      elsewhere: "possibly too dark elsewhere"),
    Viewers(
      content: "HEIF, HDR", hdr: ["iOS 17", "macOS 14", "Android 13"],
      elsewhere: "no display in Chrome and Firefox"),
    Viewers(
      content: "PNG, gain map by ISO 21496-1", hdr: ["Android 16"],
      elsewhere: "the baseline image elsewhere"),
    Viewers(
      content: "PNG, HDR", hdr: ["Chrome 108", "Edge"],
      elsewhere: "possibly too dark elsewhere"),
    Viewers(
      content: "JPEG XL, HDR", hdr: ["Apple Photos", "Camera Raw"],
      elsewhere: "no display in most browsers"),
    Viewers(
      content: "TIFF, HDR", hdr: [], elsewhere: "for editing programs; convert it for viewers"),
    Viewers(
      content: "OpenEXR, HDR", hdr: [], elsewhere: "for editing programs; convert it for viewers"),
    Viewers(
      content: "Radiance HDR, HDR", hdr: [],
      elsewhere: "for editing programs; convert it for viewers"),
    Viewers(
      content: "JPEG XR, HDR", hdr: ["Windows 11"],
      elsewhere: "no display in browsers; convert it for viewers"),
    Viewers(
      content: "camera raw", hdr: [], elsewhere: "for raw developers; convert it for viewers"),
  ]

  /// The row of a file; `nil` for an SDR image and kinds that the table does not have.
  package static func of(_ contents: FileContents) -> Viewers? {
    table.first { $0.content == content(of: contents) }
  }

  private static func content(of contents: FileContents) -> String? {
    if contents.primary.isRaw || contents.format.traits.isCameraRaw { return "camera raw" }
    guard contents.isHighDynamicRange else { return nil }
    let title = contents.format.title
    guard !contents.primary.isHighDynamicRange, let map = contents.gainMap else {
      return "\(title), HDR"
    }
    let flavors = map.usableFlavors
    guard !flavors.isEmpty else { return "\(title), gain map that is not announced" }
    let both = "\(title), gain map by ISO 21496-1 and XMP"
    if flavors.contains(.iso), flavors.contains(.xmp), table.contains(where: { $0.content == both })
    {
      return both
    }
    if flavors.contains(.iso) { return "\(title), gain map by ISO 21496-1" }
    return flavors.contains(.apple) ? "\(title), Apple gain map" : "\(title), gain map by XMP"
  }

  /// One line: `Chrome 116, Safari 26; SDR elsewhere`.
  package var text: String {
    hdr.isEmpty ? elsewhere : "\(hdr.joined(separator: ", ")); \(elsewhere)"
  }
}
