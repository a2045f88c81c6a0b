// SPDX-License-Identifier: Apache-2.0
public import HDRCore

extension Image {
  /// Creates an image from samples in memory with the color of CICP code points.
  ///
  /// Reference white is the diffuse white of `light`. Unsupported or unspecified code points result
  /// in `ColorEncoding.data`.
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
          referenceWhite: light.diffuseWhite ?? ColorEncoding.defaultReferenceWhite),
        light: light, orientation: orientation),
      planes)
  }

  /// Creates an image from samples in memory with a color.
  public init(_ planes: ImagePlanes, _ color: ColorEncoding) {
    self.init(ImageDescription(layout: planes.layout, color: color), planes)
  }
}

extension ImagePlanes {
  /// The code values of each plane, row by row; empty for floating-point samples.
  public var codes: [[UInt16]] {
    guard case .integer(let planes) = planes else { return [] }
    return planes.map { plane in
      (0..<plane.height).flatMap { y in
        let row = plane.row(y)
        return row.indices.map { row[$0] }
      }
    }
  }
}
