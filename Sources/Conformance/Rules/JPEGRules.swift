// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Rules of the segments of JPEG files, and of the directories of images.
enum JPEGRules {
  private static let stale = "readers that use MPF or the directory do not find the image"

  static let all: [Rule] = [
    jpeg("end", .must, "ITU-T T.81, B.2.1", "Every image ends with EOI", end),
    jpeg(
      "scans", .must, "ITU-T T.81, A.2", "The scans of the primary image contain all its blocks",
      effect: "readers show gray in place of the rest", scans),
    jpeg(
      "icc-chunks", .must, "ICC.1:2022, B.4", "No chunk of a profile is missing",
      effect: "readers ignore the profile", profileChunks),
    jpeg(
      "exif", .must, "Exif 3.0, 4.7.2", "Exif has a TIFF header", effect: "readers ignore Exif",
      exif),
    jpeg("xmp", .must, "ISO 16684-1", "XMP is RDF in XML", effect: "readers ignore XMP", xmp),
    jpeg(
      "extended-xmp", .must, "XMP part 3, 1.1.3.1",
      "Extended XMP is complete and matches its digest", effect: "readers ignore extended XMP",
      extendedXMP),
    jpeg("mpf-content", .must, "CIPA DC-007, 5.2", "MPF is readable", effect: stale, mpfContent),
    jpeg(
      "mpf-offsets", .must, "CIPA DC-007, 5.2.3.3.3", "MPF has the offsets of the images",
      effect: stale, except: "if the container directory has the gain map, the only other image",
      mpfOffsets),
    jpeg(
      "mpf-sizes", .must, "CIPA DC-007, 5.2.3.3.2; cameras and editors leave them stale",
      "MPF has the sizes of the images", mpfSizes),
    jpeg(
      "directory", .must, "Ultra HDR Image Format v1.0, GContainer",
      "The container directory begins with the primary image", effect: stale, directory),
    jpeg(
      "directory-lengths", .must, "Ultra HDR Image Format v1.0, GContainer",
      "The lengths of the container directory match the images", effect: stale,
      except: "if MPF has the gain map", directoryLengths),
  ]

  static func jpeg(
    _ id: String, of family: String = "jpeg", _ level: Rule.Level, _ source: String,
    _ title: String, effect: String? = nil, except exception: String? = nil,
    _ check: @escaping @Sendable (CheckedJPEG) throws(ImageError) -> [Finding]?
  ) -> Rule {
    Rule("\(family)/\(id)", .jpeg, level, source, title, effect: effect, except: exception) {
      (checked) throws(ImageError) -> [Finding]? in
      guard let jpeg = checked.jpeg else { return nil }
      return try check(jpeg)
    }
  }

  private static func end(_ jpeg: CheckedJPEG) -> [Finding]? {
    jpeg.images.filter { !$0.image.hasEnd }.map {
      Finding("no EOI", at: jpeg.location($0), fix: .correctStructure)
    }
  }

  private static func scans(_ jpeg: CheckedJPEG) throws(ImageError) -> [Finding]? {
    guard let isComplete = try jpeg.primary.image.hasAllBlocks() else { return nil }
    return isComplete ? [] : [Finding("blocks are missing", at: jpeg.location(jpeg.primary))]
  }

  private static func profileChunks(_ jpeg: CheckedJPEG) -> [Finding]? {
    let images = jpeg.images.filter { !$0.image.segments(.icc).isEmpty }
    return images.isEmpty
      ? nil
      : images.flatMap { image in
        image.profileNotices.map { Finding($0.message, at: jpeg.location(image, .icc)) }
      }
  }

  private static func exif(_ jpeg: CheckedJPEG) throws(ImageError) -> [Finding]? {
    guard let exif = jpeg.primary.image.exif else { return nil }
    return try findings(at: jpeg.location(jpeg.primary, .exif)) { () throws(ImageError) in
      _ = try ExifBlock(parsing: exif)
    }
  }

  private static func xmp(_ jpeg: CheckedJPEG) throws(ImageError) -> [Finding]? {
    let images = jpeg.images.filter { !$0.image.segments(.xmp).isEmpty }
    return try findings(of: images, at: { jpeg.location($0, .xmp) }) { image throws(ImageError) in
      _ = try XMPPacket(parsing: image.image.segments(.xmp)[0].body)
    }
  }

  private static func extendedXMP(_ jpeg: CheckedJPEG) throws(ImageError) -> [Finding]? {
    let images = jpeg.images.filter { !$0.image.segments(.extendedXMP).isEmpty }
    guard !images.isEmpty else { return nil }
    var findings: [Finding] = []
    for image in images {
      var notices: [Notice] = []
      _ = try ifReadable(try image.image.xmp(notices: &notices))
      findings += notices.filter { $0.code.id.hasPrefix("xmp/extended") }.map {
        Finding($0.message, at: jpeg.location(image, .extendedXMP))
      }
    }
    return findings
  }

  private static func mpfContent(_ jpeg: CheckedJPEG) throws(ImageError) -> [Finding]? {
    guard !jpeg.primary.image.segments(.multiPicture).isEmpty else { return nil }
    return try findings(at: jpeg.location(jpeg.primary, .multiPicture)) { () throws(ImageError) in
      _ = try jpeg.primary.image.multiPicture()
    }
  }

  /// Entries of the MPF directory, with the image at their offset.
  private static func entries(_ jpeg: CheckedJPEG) throws(ImageError) -> [(
    entry: MultiPictureFormat.Entry, start: Int, image: CheckedJPEG.Image?
  )]? {
    guard let (format, header) = try ifReadable(try jpeg.primary.image.multiPicture()) else {
      return nil
    }
    return format.entries.enumerated().map { index, entry in
      let start = index == 0 ? 0 : header + Int(entry.offset)
      return (entry, start, jpeg.images.first { $0.range.lowerBound == start })
    }
  }

  private static func mpfOffsets(_ jpeg: CheckedJPEG) throws(ImageError) -> [Finding]? {
    guard let entries = try entries(jpeg) else { return nil }
    let place = jpeg.location(jpeg.primary, .multiPicture)
    // Entries can be matched to images by number if there are as many.
    let fix: Fix? = entries.count == jpeg.images.count ? .correctStructure : nil
    let isHarmless = jpeg.images.count == 2 && jpeg.directories.isInContainer
    return entries.enumerated().compactMap { index, found in
      if index == 0, found.entry.offset != 0 {
        return Finding(
          "offset \(found.entry.offset) of the first image is not 0", at: place, fix: fix)
      }
      guard found.image == nil else { return nil }
      return Finding(
        "no image \(index + 1) at \(found.start)", at: place, fix: fix, isHarmless: isHarmless)
    }
  }

  private static func mpfSizes(_ jpeg: CheckedJPEG) throws(ImageError) -> [Finding]? {
    guard let entries = try entries(jpeg) else { return nil }
    return entries.enumerated().compactMap { index, found in
      guard let image = found.image, image.range.count != Int(found.entry.size) else { return nil }
      return Finding(
        "size of image \(index + 1)", at: jpeg.location(jpeg.primary, .multiPicture),
        declared: "\(found.entry.size)", measured: "\(image.range.count)", fix: .correctStructure)
    }
  }

  private static func directory(_ jpeg: CheckedJPEG) -> [Finding]? {
    guard let first = jpeg.items.first else { return nil }
    return first.semantic == "Primary"
      ? []
      : [Finding("the first item is \(first.semantic)", at: jpeg.location(jpeg.primary, .xmp))]
  }

  private static func directoryLengths(_ jpeg: CheckedJPEG) throws(ImageError) -> [Finding]? {
    guard jpeg.items.count > 1 else { return nil }
    let place = jpeg.location(jpeg.primary, .xmp)
    let isInMPF = try entries(jpeg)?.contains {
      $0.image != nil && $0.start == jpeg.gainMap?.range.lowerBound
    }
    var position = jpeg.primary.range.upperBound
    var findings: [Finding] = []
    for (index, item) in jpeg.items.enumerated() {
      if index > 0, item.semantic == "GainMap" {
        let image = jpeg.images.first { $0.range.lowerBound == position }
        if image?.range.count != item.length {
          findings.append(
            Finding(
              "no gain map of this length at \(position)", at: place, declared: "\(item.length)",
              measured: image.map { "\($0.range.count)" }, isHarmless: isInMPF ?? false))
        }
      }
      let length = index > 0 ? item.length : 0
      guard position <= jpeg.byteCount, length <= jpeg.byteCount, item.padding <= jpeg.byteCount
      else { break }
      position += length + item.padding
    }
    return findings
  }
}
