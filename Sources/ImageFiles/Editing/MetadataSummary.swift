public import HDRCore
internal import ImageContainers

/// What a file says about one of its pictures: what a `MetadataEdit` can change.
public struct MetadataSummary: Hashable, Sendable {
  public var hdr = LightMetadata()
  public var codePoints: CICP?
  public var profile: [UInt8]?
  public var orientation = Orientation.upright
  public var exif: [UInt8]?
  public var xmp: [UInt8]?
  /// Whether anything in the file says where the picture was taken.
  public var hasLocation = false
}
