// SPDX-License-Identifier: Apache-2.0
internal import GainMap
public import HDRCore

/// The contents of a file: images with their color and HDR metadata, gain maps and other metadata.
///
/// Derived from the structure and the headers of bitstreams only, so it is available even for
/// formats whose codec is not in the build.
public struct FileContents: Sendable {
  /// Format of the file.
  public var format: FileFormat
  /// Variant within the format: the major brand, the DNG version; `nil` if the format does not have
  /// variants.
  public var variant: String?
  /// Size of the file, in bytes.
  public var byteCount: Int
  /// The images of the file, the primary one first; never empty.
  public internal(set) var images: [FileImage]
  /// The gain maps of the file; those applicable to the baseline image first.
  public internal(set) var gainMaps: [FoundGainMap] = []
  /// Summary of the Exif metadata; `nil` if they are missing or cannot be read.
  public var exif: ExifSummary?
  /// Summary of the XMP packet; `nil` if it is missing or cannot be read.
  public var xmp: XMPSummary?
  /// Whether Exif, XMP or the video of a motion photo contains a location.
  public internal(set) var hasLocation = false
  /// Size of the video of a motion photo, in bytes; `nil` without a video.
  public internal(set) var videoByteCount: Int?
  /// Notices about irregular, contradictory and assumed properties.
  public package(set) var notices: [Notice]

  /// The primary image.
  public var primary: FileImage { images[0] }

  package init(format: FileFormat, source: ByteSource, images: [FileImage], notices: [Notice]) {
    self.format = format
    byteCount = source.count
    self.images = images
    self.notices = notices
  }

  /// The gain map of the primary image that can be applied; `nil` if none can.
  public var gainMap: FoundGainMap? { gainMaps.first { $0.isApplicable } }

  /// Whether the primary image, or its gain map, can exceed reference white on an HDR display.
  public var isHighDynamicRange: Bool {
    let headroom = gainMap?.metadata?.fullHeadroom.stops ?? 0
    return primary.isHighDynamicRange || headroom > 0
  }
}

extension FileContents {
  /// Interprets the structure of a file.
  ///
  /// - Throws: As `ImageFile.contents()`.
  init(of file: ImageFile) throws(ImageError) {
    self = try file.container.structure.contents(of: file)
    videoByteCount = try file.videoByteCount
    hasLocation = hasLocation || exif?.hasLocation ?? false
    if !hasLocation, let video = try ifReadable(try file.video(removing: nil)) {
      hasLocation = video.hasLocation
    }
    guard primary.isCMYK else { return }
    notices.append(Notice(.colorCMYKNotDecodable))
  }
}

extension FileContents {
  /// Adds gain maps and the notices about them.
  mutating func take(_ inventory: GainMapInventory) {
    gainMaps = inventory.maps
    notices += inventory.notices
  }

  /// Adds metadata summaries and the notices about them.
  ///
  /// - Throws: Errors that end the whole job.
  mutating func take(_ metadata: FileMetadata) throws(ImageError) {
    exif = try metadata.exif.map { block throws(ImageError) in
      try ExifSummary(block.structure, byteCount: block.bytes.count)
    }
    xmp = metadata.xmp.map { XMPSummary($0) }
    hasLocation = try metadata.exif?.hasLocation ?? false
    if try metadata.xmp?.hasLocation == true { hasLocation = true }
    notices += metadata.notices
  }
}
