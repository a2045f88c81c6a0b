// SPDX-License-Identifier: Apache-2.0
public import HDRCore

/// A gain map with its samples.
public struct GainMapImage: Sendable {
  /// Gray, RGB or Y'CbCr samples in memory, of any size; integers without alpha.
  ///
  /// Of the color, only matrix, range and chroma location are used. The size need not be a fraction
  /// of that of the baseline image: log gains are interpolated.
  public let image: Image
  /// The samples of `image`.
  package let planes: ImagePlanes
  /// Relation of the samples to gain.
  public let metadata: GainMapMetadata
  /// Primaries of the alternate image; `nil` if unspecified, and then taken to be the baseline's.
  public let alternatePrimaries: ColorPrimaries?

  /// Creates a gain map; an image whose rows are decoded on demand is decoded.
  ///
  /// - Parameters:
  ///   - image: The samples.
  ///   - metadata: Relation of the samples to gain.
  ///   - alternatePrimaries: Primaries of the alternate image, for which `isUsable` is true; used
  ///     only if the gain is in these. `nil` for those of the baseline image.
  /// - Throws: `.invalidArgument` unless samples are integers without alpha, of a valid size, depth
  ///   and color; `.unsupported` for a matrix that cannot be decoded; as `Image.planes()`.
  public init(
    _ image: Image, metadata: GainMapMetadata, alternatePrimaries: ColorPrimaries? = nil
  ) throws(ImageError) {
    guard case .integer = image.layout.samples, !image.layout.hasAlpha else {
      throw ImageError(.invalidArgument, "a gain map has integer samples and no alpha")
    }
    try image.description.checkDecodable()
    self.init(
      try image.planes(), color: image.color, metadata: metadata,
      alternatePrimaries: alternatePrimaries)
  }

  /// Creates a gain map from planes.
  ///
  /// - Precondition: Samples are integers without alpha.
  package init(
    _ planes: ImagePlanes, color: ColorEncoding = .data, metadata: GainMapMetadata,
    alternatePrimaries: ColorPrimaries? = nil
  ) {
    guard case .integer = planes.planes, !planes.layout.hasAlpha else {
      preconditionFailure("a gain map has integer samples and no alpha")
    }
    image = Image(ImageDescription(layout: planes.layout, color: color), planes)
    self.planes = planes
    self.metadata = metadata
    self.alternatePrimaries = alternatePrimaries
  }

  /// Whether each pixel has one sample for all components.
  public var isGray: Bool { image.layout.componentCount == 1 }

  /// Whether all components of a pixel have the same gain: the samples are gray, and the metadata
  /// have one channel or three equal ones.
  public var hasOneGain: Bool { isGray && metadata.collapsed.channels.all.count == 1 }

  /// Returns the primaries in which the gain is applied.
  ///
  /// - Parameter base: Primaries of the baseline image.
  /// - Returns: Those of the alternate image if the metadata require and the file specifies them,
  ///   and if they have an effect; otherwise `base`.
  public func primaries(forBase base: ColorPrimaries) -> ColorPrimaries {
    guard !metadata.usesBaseColorSpace, let alternatePrimaries,
      !metadata.hasColorlessGain(mapIsGray: isGray)
    else { return base }
    return alternatePrimaries
  }
}
