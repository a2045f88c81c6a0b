// SPDX-License-Identifier: Apache-2.0
public import HDRCore

/// The metadata of an image that a `MetadataEdit` can change, or that can be extracted.
public struct MetadataSummary: Hashable, Sendable {
  /// HDR metadata; empty for TIFF, OpenEXR and Radiance HDR.
  public var light = LightMetadata()
  /// CICP code points; `nil` if missing.
  public var codePoints: CICP?
  /// ICC profile; `nil` if missing.
  public var profile: [UInt8]?
  /// Orientation of the stored rows and columns relative to the upright image.
  public var orientation = Orientation.upright
  /// Exif, from its TIFF header on; `nil` if missing.
  public var exif: [UInt8]?
  /// XMP packet, UTF-8; `nil` if missing.
  public var xmp: [UInt8]?
  /// Whether any metadata in the file contain a location.
  public var hasLocation = false
}

extension MetadataSummary {
  /// The metadata of an image whose file cannot be edited.
  ///
  /// - Throws: Errors of the budget.
  init(
    profile: [UInt8]?, exif: [UInt8]?, xmp: [UInt8]?, orientation: Orientation
  ) throws(ImageError) {
    self.init()
    (self.profile, self.exif, self.xmp) = (profile, exif, xmp)
    self.orientation = orientation
    if let exif { hasLocation = try ifReadable(try ExifBlock(parsing: exif).hasLocation) ?? false }
    guard !hasLocation, let xmp else { return }
    hasLocation = try ifReadable(try XMPPacket(parsing: xmp).hasLocation) ?? false
  }
}
