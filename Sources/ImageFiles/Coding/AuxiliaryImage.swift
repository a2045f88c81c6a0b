// SPDX-License-Identifier: Apache-2.0
public import HDRCore

/// A gray image that covers the same area as another image.
///
/// Examples are depth maps and mattes of skin, hair or sky. Its size in pixels may differ.
public struct AuxiliaryImage: Sendable {
  /// Purpose of the image: a URN as in `auxC` of HEIF, for example `AuxiliaryTypeBox.depth`.
  public var type: String
  /// Subtype bytes of `auxC`, which follow the URN.
  public var subtype: [UInt8]
  /// Full-range gray with integer samples, in the orientation of the image that it belongs to.
  ///
  /// For an encoder, primaries and transfer function are ignored.
  public var image: Image
  /// The XMP packet that describes the auxiliary image, UTF-8; stored by HEIF and AVIF only.
  public var xmp: [UInt8]?

  /// Creates an auxiliary image.
  ///
  /// - Parameters:
  ///   - type: Purpose of the image: a URN as in `auxC` of HEIF.
  ///   - subtype: Subtype bytes of `auxC`, which follow the URN; empty by default.
  ///   - image: Full-range gray with integer samples; primaries and transfer function are ignored.
  ///   - xmp: The XMP packet that describes the auxiliary image, UTF-8; `nil` by default.
  public init(type: String, subtype: [UInt8] = [], image: Image, xmp: [UInt8]? = nil) {
    self.type = type
    self.subtype = subtype
    self.image = image
    self.xmp = xmp
  }

  /// The name for people, such as `depth map`.
  package var displayName: String { ImageFile.NamedAuxiliary(item: 0, type: type).displayName }
}

extension Image {
  /// Integer samples that are data, such as gain.
  ///
  /// Of the color encoding, only matrix, range and chroma location are meaningful.
  package init(
    data planes: ImagePlanes, matrix: CICP.Matrix = .identity, isFullRange: Bool = true,
    chromaLocation: ChromaLocation = .left
  ) {
    var color = ColorEncoding.data
    (color.matrix, color.isFullRange) = (matrix, isFullRange)
    color.chromaLocation = chromaLocation
    self.init(ImageDescription(layout: planes.layout, color: color), planes)
  }
}
