// SPDX-License-Identifier: Apache-2.0
import HDRConversion
import HDRCore
import ImageCodecs
import ImageFiles

extension SourceImage {
  /// Creates an image of float samples in memory, one array per component.
  init(
    _ components: [[Float]], width: Int, orientation: Orientation = .upright,
    hdr: LightMetadata = LightMetadata(), encoding: ColorEncoding, xmp: [UInt8]? = nil
  ) {
    let height = components[0].count / width
    let format = ImageLayout(
      width: width, height: height, components: components.count == 1 ? .gray : .rgb,
      samples: .float)
    let planes = components.map { values in
      Plane<Float>(width: width, height: height) { samples in
        for value in values { samples.append(value) }
      }
    }
    let description = ImageDescription(
      layout: format, color: encoding, light: hdr, orientation: orientation)
    let image = Image(description, ImagePlanes(layout: format, planes: .float(planes)))
    self.init(format: .exr, image: image, xmp: xmp)
  }

  /// One pixel of reference white, linear BT.2020.
  static func white(orientation: Orientation = .upright, xmp: [UInt8]? = nil) -> SourceImage {
    SourceImage(
      [[1], [1], [1]], width: 1, orientation: orientation,
      encoding: ColorEncoding(primaries: .bt2020, transfer: .linear), xmp: xmp)
  }
}

extension ConversionOptions {
  /// Default options.
  static func plain(_ format: FileFormat) -> ConversionOptions {
    ConversionOptions(format: format, encoder: EncoderOptions())
  }
}
