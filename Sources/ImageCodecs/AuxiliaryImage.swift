public import HDRCore

/// A gray image that goes with another one and covers all of it: a depth map, or a matte of skin,
/// hair or sky.
public struct AuxiliaryImage: Sendable {
  /// Purpose of the image: a URN, as in HEIF's `auxC`.
  public var type: String
  /// Subtype bytes of `auxC`, which follow the URN.
  public var subtype: [UInt8]
  /// Gray, integers in full range, in the orientation of the image it belongs to.
  public var image: Image
  /// The XMP packet that describes it.
  public var xmp: [UInt8]?

  /// Describes an auxiliary image.
  ///
  /// - Parameters:
  ///   - type: Purpose of the image.
  ///   - subtype: Subtype bytes of `auxC`, which follow the URN.
  ///   - image: The samples; their color does not count.
  ///   - xmp: The packet that describes it.
  public init(type: String, subtype: [UInt8] = [], image: Image, xmp: [UInt8]? = nil) {
    self.type = type
    self.subtype = subtype
    self.image = image
    self.xmp = xmp
  }
}

extension Image {
  /// Integers that are data, such as gain: all of color that counts is how components are coded.
  init(
    data planes: ImagePlanes, matrix: CICP.Matrix = .identity, isFullRange: Bool = true,
    chromaLocation: ChromaLocation = .left
  ) {
    var color = ColorEncoding.data
    (color.matrix, color.isFullRange) = (matrix, isFullRange)
    color.chromaLocation = chromaLocation
    self.init(ImageDescription(layout: planes.layout, color: color), planes)
  }
}
