// SPDX-License-Identifier: Apache-2.0
#if JPEGXL
internal import CLibJXL
internal import HDRCore
internal import ImageFiles

/// Samples to decode, of the image that its file declares.
enum JPEGXLRequest: Sendable {
  /// A whole image, converted to the color if it is coded in XYB.
  case image(JPEGXLImageShape, JxlColorEncoding?)
  /// An extra channel of a whole image: its index, and its shape as an image.
  case channel(Int, JPEGXLImageShape, of: JPEGXLImageShape)
  /// The preview of a whole image, converted as the image is.
  case preview(JPEGXLImageShape, of: JPEGXLImageShape, JxlColorEncoding?)
  /// An image that is part of another file.
  case tile(JPEGXLTileShape)

  /// Number of interleaved channels: color, then alpha.
  var channels: Int {
    switch self {
    case .image(let shape, _), .preview(let shape, of: _, _):
      shape.colors + (shape.hasAlpha ? 1 : 0)
    case .channel: 1
    case .tile(let shape): shape.planes
    }
  }

  /// Type of the samples; integers are scaled to its range.
  var type: JxlDataType {
    let (bits, isFloat) =
      switch self {
      case .image(let shape, _), .channel(_, let shape, of: _), .preview(let shape, of: _, _):
        (shape.bits, shape.isFloat)
      case .tile(let shape): (shape.bits, shape.isFloat)
      }
    if isFloat { return JXL_TYPE_FLOAT }
    return bits <= 8 ? JXL_TYPE_UINT8 : JXL_TYPE_UINT16
  }

  /// Size of a sample, in bytes.
  var sampleSize: Int {
    switch type {
    case JXL_TYPE_UINT8: 1
    case JXL_TYPE_UINT16: 2
    default: 4
    }
  }

  /// Color to convert XYB to; `nil` for the color that the codestream declares.
  var color: JxlColorEncoding? {
    switch self {
    case .image(_, let color), .preview(_, of: _, let color): color
    case .channel, .tile: nil
    }
  }

  /// Whether the preview is decoded instead of the image.
  var isPreview: Bool {
    if case .preview = self { true } else { false }
  }

  /// Whether a truncated image is decoded as far as it arrived.
  var acceptsTruncation: Bool {
    switch self {
    case .image(let shape, _), .channel(_, _, of: let shape): shape.acceptsTruncation
    case .preview, .tile: false
    }
  }

  /// Index of the extra channel; `nil` for color and alpha.
  var extraChannel: Int? {
    guard case .channel(let index, _, of: _) = self else { return nil }
    return index
  }

  /// Throws for an image of a different shape.
  func check(_ info: JxlBasicInfo) throws(ImageError) {
    switch self {
    case .image(let shape, _), .channel(_, _, of: let shape), .preview(_, of: let shape, _):
      guard Int(info.xsize) == shape.width, Int(info.ysize) == shape.height,
        Int(info.num_color_channels) == shape.colors, (info.alpha_bits > 0) == shape.hasAlpha
      else { throw ImageError(.jpegxlCodestreamInvalid) }
    case .tile(let shape): try shape.check(info)
    }
  }
}

/// Properties of a whole image that its headers declare.
struct JPEGXLImageShape: Sendable {
  var width: Int
  var height: Int
  var colors: Int
  var hasAlpha: Bool
  var bits: Int
  var isFloat: Bool
  /// Whether a truncated image is decoded as far as it arrived.
  var acceptsTruncation = false

  init(_ layout: ImageLayout) {
    (width, height) = (layout.width, layout.height)
    colors = layout.componentCount
    hasAlpha = layout.hasAlpha
    if case .integer(let bits) = layout.samples {
      (self.bits, isFloat) = (bits, false)
    } else {
      (bits, isFloat) = (32, true)
    }
  }
}

extension JPEGXLRequest {
  /// Decodes samples.
  ///
  /// - Parameters:
  ///   - file: A file or a codestream.
  ///   - count: Number of samples, of the type of the request.
  /// - Returns: The samples, interleaved.
  /// - Throws: Errors of libjxl.
  func samples<Sample: BitwiseCopyable & ExpressibleByIntegerLiteral & Sendable>(
    of file: [UInt8], count: Int
  ) throws(ImageError) -> [Sample] {
    try Execution.current.callLibrary(seconds: 0.02e-6 * Double(count)) { () throws(ImageError) in
      var samples = [Sample](repeating: 0, count: count)
      // SAFETY: libjxl writes the samples only inside the closure, and within their size.
      try unsafe samples.withUnsafeMutableBufferPointer { (target) throws(ImageError) in
        try unsafe JPEGXLDecoder().decode(file, self, into: UnsafeMutableRawBufferPointer(target))
      }
      return samples
    }
  }
}
#endif
