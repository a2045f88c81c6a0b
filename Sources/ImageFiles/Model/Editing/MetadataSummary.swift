// SPDX-License-Identifier: Apache-2.0
public import HDRCore

/// The metadata of an image that a `MetadataEdit` can change.
public struct MetadataSummary: Hashable, Sendable {
  /// HDR metadata.
  public var hdr = LightMetadata()
  /// CICP code points.
  public var codePoints: CICP?
  /// ICC profile.
  public var profile: [UInt8]?
  /// Orientation.
  public var orientation = Orientation.upright
  /// Exif, from its TIFF header on.
  public var exif: [UInt8]?
  /// XMP packet, UTF-8.
  public var xmp: [UInt8]?
  /// Whether any metadata in the file contain a location.
  public var hasLocation = false
}
