// SPDX-License-Identifier: Apache-2.0
#if JPEGXL
internal import CLibJXL
internal import HDRCore
internal import ImageFiles

/// JPEG XL images that are parts of other files, and transcoded JPEG files, by libjxl.
enum LibJXL: JPEGXLLibrary {
  static var name: String { JPEGXLDecoder.library }

  static func integers(_ bytes: [UInt8], _ shape: JPEGXLTileShape) throws(ImageError) -> [UInt16] {
    guard shape.bits <= 8 else { return try samples(bytes, shape) }
    let narrow: [UInt8] = try samples(bytes, shape)
    return narrow.map(UInt16.init)
  }

  static func floats(_ bytes: [UInt8], _ shape: JPEGXLTileShape) throws(ImageError) -> [Float] {
    try samples(bytes, shape)
  }

  private static func samples<Sample: BitwiseCopyable & ExpressibleByIntegerLiteral & Sendable>(
    _ bytes: [UInt8], _ shape: JPEGXLTileShape
  ) throws(ImageError) -> [Sample] {
    try JPEGXLRequest.tile(shape).samples(of: bytes, count: shape.sampleCount)
  }

  static func encoded(_ jpeg: [UInt8], speed: Int) throws(ImageError) -> [UInt8] {
    let file = try JPEGXLEncoder().transcode(jpeg, EncoderOptions(speed: speed))
    guard try reconstructed(file, limit: jpeg.count) == jpeg else {
      throw ImageError(.unsupported, "the JPEG file cannot be reconstructed exactly")
    }
    return file
  }

  static func reconstructed(_ file: [UInt8], limit: Int) throws(ImageError) -> [UInt8] {
    let first = try JPEGXLDecoder().reconstruct(file, limit: limit)
    guard let (rest, map) = try JPEGXLFile(parsing: ByteSource(file)).restOfJPEG else {
      return first
    }
    let others = first.count + rest.before.count + rest.after.count
    let second = try JPEGXLDecoder().reconstruct(map, limit: max(limit - others, 0))
    return first + rest.before + second + rest.after
  }
}

extension JPEGXLTileShape {
  fileprivate var sampleCount: Int { width * height * planes }

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
        .malformed,
        "JPEG XL image of {size pixel} with {planes component} of {bits bit}, not "
          + "{expectedSize} with {expectedPlanes} of {expectedBits}",
        [
          "size": .size(found.width, found.height), "planes": found.planes, "bits": found.bits,
          "expectedSize": .size(width, height), "expectedPlanes": planes,
          "expectedBits": bits,
        ])
    }
  }
}
#endif
