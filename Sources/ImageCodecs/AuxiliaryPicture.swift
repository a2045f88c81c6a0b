public import HDRCore
internal import ImageFiles

/// A gray picture that goes with another one and covers all of it: a depth map, or a matte of skin,
/// hair or sky.
public struct AuxiliaryPicture: Sendable {
  /// What it is for: a URN, as HEIF's `auxC` has it.
  public var type: String
  /// Subtype bytes of `auxC`, which follow the URN.
  public var subtype: [UInt8]
  /// Depth of its samples in the file.
  public var bits: Int
  /// The XMP packet that describes it.
  public var xmp: [UInt8]?

  private let decode: @Sendable () throws(ImageError) -> Plane<UInt16>

  /// Describes a picture.
  ///
  /// - Parameters:
  ///   - type: What it is for.
  ///   - subtype: Subtype bytes of `auxC`, which follow the URN.
  ///   - bits: Depth of its samples in the file.
  ///   - xmp: The packet that describes it.
  ///   - decode: Makes its samples, 65535 for the largest.
  public init(
    type: String, subtype: [UInt8] = [], bits: Int = 8, xmp: [UInt8]? = nil,
    decode: @escaping @Sendable () throws(ImageError) -> Plane<UInt16>
  ) {
    self.type = type
    self.subtype = subtype
    self.bits = bits
    self.xmp = xmp
    self.decode = decode
  }

  /// Decodes the samples, turned as those of the picture they belong to are stored.
  public func samples() throws(ImageError) -> Plane<UInt16> { try decode() }
}

extension PictureOutput {
  /// An auxiliary picture that is ready to be coded.
  public struct Auxiliary: Sendable {
    public var type: String
    /// Subtype bytes of `auxC`, which follow the type.
    public var subtype: [UInt8]
    /// Gray, of any size.
    public var image: ImagePlanes
    /// The XMP packet that describes it.
    public var xmp: [UInt8]?

    public init(
      type: String, subtype: [UInt8] = [], image: ImagePlanes, xmp: [UInt8]? = nil
    ) {
      self.type = type
      self.subtype = subtype
      self.image = image
      self.xmp = xmp
    }
  }
}
