public import HDRCore

extension Image {
  /// Samples in memory with the color of code points; their reference white is the diffuse white.
  ///
  /// - Precondition: Primaries and transfer function have a meaning, or are unspecified: the color is
  ///   then that of data.
  public init(
    _ planes: ImagePlanes, _ cicp: CICP, chromaLocation: ChromaLocation = .left,
    light: LightMetadata = LightMetadata(), orientation: Orientation = .upright
  ) {
    self.init(
      ImageDescription(
        layout: planes.layout,
        color: ColorEncoding(
          primaries: ColorPrimaries(cicp.primaries) ?? ColorEncoding.data.primaries,
          transfer: TransferFunction(cicp.transfer) ?? ColorEncoding.data.transfer,
          matrix: cicp.matrix, isFullRange: cicp.isFullRange, chromaLocation: chromaLocation,
          referenceWhite: light.diffuseWhite ?? LightMetadata.defaultDiffuseWhite),
        light: light, orientation: orientation),
      planes)
  }

  /// Samples in memory with a color.
  public init(_ planes: ImagePlanes, _ color: ColorEncoding) {
    self.init(ImageDescription(layout: planes.layout, color: color), planes)
  }
}
