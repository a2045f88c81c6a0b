public import HDRCore
internal import ImageContainers

/// What a file says about one of its pictures: what a `MetadataEdit` can change.
public struct MetadataSummary: Hashable, Sendable {
  /// Light metadata.
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
  /// Whether anything in the file says where the picture was taken.
  public var hasLocation = false
}
