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
  package struct Shape: Hashable, Sendable, Codable {
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

  /// Decodes samples of a type that suits the shape.
  private static func samples<Sample: JPEGXLSample>(
    _ bytes: [UInt8], _ shape: Shape
  ) throws(ImageError) -> [Sample] {
    var samples = [Sample](repeating: 0, count: shape.sampleCount)
    if let process = try DecoderProcess.start() {
      let size = samples.count * MemoryLayout<Sample>.stride
      let memory = try SharedMemory(count: size)
      _ = try process.call(
        JPEGXLService.self, shape, beginning: DecoderInput(bytes), memory: memory)
      memory.copy(to: &samples, byteCount: size)
    } else {
      try decode(bytes, shape, into: &samples)
    }
    return samples
  }

  /// Name and version of the library.
  package static var library: String { JPEGXLDecoder.library }
}

/// A type of samples that libjxl returns.
private protocol JPEGXLSample: BitwiseCopyable, ExpressibleByIntegerLiteral {
  static var type: JxlDataType { get }
}

extension UInt8: JPEGXLSample {
  fileprivate static var type: JxlDataType { JXL_TYPE_UINT8 }
}

extension UInt16: JPEGXLSample {
  fileprivate static var type: JxlDataType { JXL_TYPE_UINT16 }
}

extension Float: JPEGXLSample {
  fileprivate static var type: JxlDataType { JXL_TYPE_FLOAT }
}

/// libjxl in a decoder process.
final class JPEGXLService: DecoderService {
  struct Result: Codable {}

  static let library = "libjxl"
  static let errorCodes: [ErrorCode] = [
    .notOfFormat, .outOfMemory, .libraryResultUnexpected, .jpegxlCodestreamInvalid,
    .jpegxlCodestreamTruncated, .jpegxlTileDiffers,
  ]
  private let input: ByteSource

  init(_ input: ByteSource) { self.input = input }

  func perform(
    _ shape: JPEGXLTile.Shape, _ memory: SharedMemory?
  ) throws(ImageError) -> Result {
    if shape.isFloat {
      try decode(shape, as: Float.self, memory)
    } else if shape.bits > 8 {
      try decode(shape, as: UInt16.self, memory)
    } else {
      try decode(shape, as: UInt8.self, memory)
    }
    return Result()
  }

  private func decode<Sample: JPEGXLSample>(
    _ shape: JPEGXLTile.Shape, as type: Sample.Type, _ memory: SharedMemory?
  ) throws(ImageError) {
    guard let memory else { throw .unexpectedCall(Self.library) }
    let bytes = try input.allBytes()
    // Libdispatch starts threads by system calls that a decoder process must not make.
    let execution = Execution(threads: 1)
    let samples = try execution { () throws(ImageError) in
      var samples = [Sample](repeating: 0, count: shape.sampleCount)
      try JPEGXLTile.decode(bytes, shape, into: &samples)
      return samples
    }
    memory.store(samples)
  }
}

extension JPEGXLTile {
  fileprivate static func decode<Sample: JPEGXLSample>(
    _ bytes: [UInt8], _ shape: Shape, into samples: inout [Sample]
  ) throws(ImageError) {
    let request = JPEGXLDecoder.Request(channels: shape.planes, type: Sample.type, color: nil) {
      (info) throws(ImageError) in
      try check(info, shape)
    }
    try JPEGXLDecoder().decode(bytes, request, into: &samples)
  }

  /// Throws for an image of a different shape.
  private static func check(_ info: JxlBasicInfo, _ shape: Shape) throws(ImageError) {
    let found = Shape(
      width: Int(info.xsize), height: Int(info.ysize), planes: Int(info.num_color_channels),
      bits: Int(info.bits_per_sample), isFloat: info.exponent_bits_per_sample > 0)
    guard found.width == shape.width, found.height == shape.height,
      found.planes == shape.planes, found.isFloat == shape.isFloat,
      (found.bits > 8) == (shape.bits > 8), info.num_extra_channels == 0
    else {
      throw ImageError(
        .jpegxlTileDiffers,
        [
          "size": .size(found.width, found.height), "planes": found.planes, "bits": found.bits,
          "expectedSize": .size(shape.width, shape.height), "expectedPlanes": shape.planes,
          "expectedBits": shape.bits,
        ])
    }
  }
}
#endif
