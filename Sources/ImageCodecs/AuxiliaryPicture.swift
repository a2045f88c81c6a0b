public import HDRCore
internal import ImageFiles

/// A gray picture that goes with another one and covers all of it: a matte of skin, hair or sky.
public struct AuxiliaryPicture: Sendable {
  /// What it is for: a URN, as HEIF's `auxC` has it.
  public var type: String

  private let decode: @Sendable () throws(ImageError) -> Plane<UInt16>

  /// Describes a picture; `decode` makes its samples, 65535 for the largest.
  public init(
    type: String, decode: @escaping @Sendable () throws(ImageError) -> Plane<UInt16>
  ) {
    self.type = type
    self.decode = decode
  }

  /// Decodes the samples, turned as those of the picture they belong to are stored.
  public func samples() throws(ImageError) -> Plane<UInt16> { try decode() }
}

extension PictureOutput {
  /// An auxiliary picture that is ready to be coded.
  public struct Auxiliary: Sendable {
    public var type: String
    /// Gray, of any size.
    public var image: StoredImage

    public init(type: String, image: StoredImage) {
      self.type = type
      self.image = image
    }
  }
}
