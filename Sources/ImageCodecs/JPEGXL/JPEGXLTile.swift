// SPDX-License-Identifier: Apache-2.0
#if JPEGXL
internal import CLibJXL
package import HDRCore
internal import ImageContainers
internal import ImageFiles

/// Samples of a JPEG XL image that is part of another file, such as a tile of DNG.
///
/// Samples are returned as coded, without color conversion or rotation.
package enum JPEGXLTile {
  /// Properties that the enclosing file declares for the image.
  package struct Shape: Hashable, Sendable {
    package var width: Int
    package var height: Int
    /// Number of samples of a pixel, stored interleaved.
    package var planes: Int
    package var bits: Int
    package var isFloat: Bool

    package init(width: Int, height: Int, planes: Int, bits: Int, isFloat: Bool) {
      self.width = width
      self.height = height
      self.planes = planes
      self.bits = bits
      self.isFloat = isFloat
    }

    var sampleCount: Int { width * height * planes }
  }

  /// Decodes an image of integers; more than 8 bits are scaled to 16.
  ///
  /// Source: DNG 1.7.1, as read by Adobe's SDK: white is 65535 at any bit depth.
  ///
  /// - Throws: `.malformed` or `.truncated` for a corrupt image or one of a different shape.
  package static func integers(
    _ bytes: [UInt8], _ shape: Shape
  ) throws(ImageError) -> [UInt16] {
    guard shape.bits <= 8 else { return try samples(bytes, shape) }
    let narrow: [UInt8] = try samples(bytes, shape)
    return narrow.map(UInt16.init)
  }

  /// Decodes a floating-point image.
  ///
  /// - Throws: As `integers`.
  package static func floats(_ bytes: [UInt8], _ shape: Shape) throws(ImageError) -> [Float] {
    try samples(bytes, shape)
  }

  private static func samples<Sample: BitwiseCopyable & ExpressibleByIntegerLiteral & Sendable>(
    _ bytes: [UInt8], _ shape: Shape
  ) throws(ImageError) -> [Sample] {
    try JPEGXLRequest.tile(shape).samples(
      of: bytes, count: shape.sampleCount)
  }

  /// Name and version of the library.
  package static var library: String { JPEGXLDecoder.library }
}

extension JPEGXLTile.Shape {
  /// Throws for an image of a different shape.
  func check(_ info: JxlBasicInfo) throws(ImageError) {
    let found = Self(
      width: Int(info.xsize), height: Int(info.ysize), planes: Int(info.num_color_channels),
      bits: Int(info.bits_per_sample), isFloat: info.exponent_bits_per_sample > 0)
    guard found.width == width, found.height == height,
      found.planes == planes, found.isFloat == isFloat,
      (found.bits > 8) == (bits > 8), info.num_extra_channels == 0
    else {
      throw ImageError(
        .jpegxlTileDiffers,
        [
          "size": .size(found.width, found.height), "planes": found.planes, "bits": found.bits,
          "expectedSize": .size(width, height), "expectedPlanes": planes,
          "expectedBits": bits,
        ])
    }
  }
}
#endif
