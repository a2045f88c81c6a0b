// SPDX-License-Identifier: Apache-2.0
#if JPEG
internal import CShims
package import HDRCore
internal import ImageContainers
internal import ImageFiles

/// An 8-bit JPEG image that is part of another file, such as a tile of DNG.
package struct JPEGTile: Sendable {
  package let width: Int
  package let height: Int
  /// Interleaved red, green and blue; gray is repeated three times.
  package let samples: [UInt8]

  /// Decodes a complete JPEG.
  ///
  /// - Parameters:
  ///   - bytes: The JPEG, starting at its first marker.
  ///   - limits: Limits of the samples.
  /// - Throws: `.malformed` and `.truncated` for corrupt data, `.unsupported` for more than 8 bits,
  ///   `.limitExceeded` for too many samples.
  package init(decoding bytes: [UInt8], limits: ImageLimits) throws(ImageError) {
    let image = try JPEGFile(parsing: ByteSource(bytes), limits: limits).primary
    try limits.check(width: image.frame.width, height: image.frame.height)
    let reader = try JPEGSampleReader(image.serialized())
    let components = Int(reader.layout.components)
    guard image.frame.precision == 8, components == 1 || components == 3,
      Int(reader.layout.width) == image.frame.width,
      Int(reader.layout.height) == image.frame.height
    else {
      throw ImageError(
        .jpegTileUnsupported, ["components": components, "bits": image.frame.precision])
    }
    (width, height) = (image.frame.width, image.frame.height)
    try reader.start(asPlanes: false)
    var samples: [UInt8] = []
    samples.reserveCapacity(3 * width * height)
    var row = [UInt8](repeating: 0, count: 3 * width)
    for _ in 0..<height {
      try reader.readRGB(into: &row)
      samples += row
    }
    self.samples = samples
  }
}
#endif
