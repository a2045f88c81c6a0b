// SPDX-License-Identifier: Apache-2.0
#if JPEGXL
internal import CLibJXL
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// Yields the rows of a JPEG XL image.
///
/// libjxl decodes groups of a codestream in any order, so the image is decoded as a whole; its
/// interleaved samples are kept, and converted to planes strip by strip.
final class JPEGXLReader: RowReader {
  let layout: ImageLayout
  private let samples: Samples
  /// The memory of `samples`.
  private let memory: Execution.Reservation

  /// Interleaved samples as libjxl decodes them.
  private enum Samples {
    /// At most 8 bits, scaled to 8.
    case bytes([UInt8])
    /// 9 to 16 bits, scaled to 16.
    case words([UInt16])
    case floats([Float])
  }

  /// Decodes an image.
  ///
  /// - Parameters:
  ///   - codestream: A complete codestream.
  ///   - header: Its header.
  ///   - layout: Layout of the samples.
  ///   - color: Color to convert XYB to; `nil` for the color that the codestream declares.
  ///   - extraChannel: Index of the extra channel to decode; `nil` for color and alpha.
  /// - Throws: Errors of the codestream; `.limitExceeded` for too large an image.
  init(
    _ codestream: [UInt8], as header: JPEGXLImageHeader, layout: ImageLayout,
    color: JxlColorEncoding?, extraChannel: Int? = nil
  ) throws(ImageError) {
    self.layout = layout
    let count = layout.width * layout.height * layout.planeCount
    let (type, size) = Self.type(of: layout)
    let budget = Execution.current.budget
    memory = try budget.reserve(memory: count * size, for: "JPEG XL samples")
    let image = header.imageLayout
    let request = JPEGXLDecoder.Request(
      channels: layout.planeCount, type: type, color: color, extraChannel: extraChannel
    ) { (info) throws(ImageError) in
      guard Int(info.xsize) == header.width, Int(info.ysize) == header.height,
        Int(info.num_color_channels) == image.componentCount,
        (info.alpha_bits > 0) == image.hasAlpha
      else { throw ImageError(.jpegxlCodestreamInvalid) }
    }
    samples = try budget.reserving(
      memory: codestream.count + Self.workingMemory(header), for: "JPEG XL decoder"
    ) { () throws(ImageError) in
      try Self.decode(codestream, request, count: count)
    }
  }

  /// Memory of libjxl: coefficients or channels of 32 bits, and floating-point samples.
  private static func workingMemory(_ header: JPEGXLImageHeader) -> Int {
    let channels = max(3, header.color.colorSpace == .gray ? 1 : 3) + header.extraChannels.count
    return 8 * channels * header.width * header.height
  }

  private static func type(of layout: ImageLayout) -> (type: JxlDataType, size: Int) {
    guard case .integer(let bits) = layout.samples else { return (JXL_TYPE_FLOAT, 4) }
    return bits <= 8 ? (JXL_TYPE_UINT8, 1) : (JXL_TYPE_UINT16, 2)
  }

  private static func decode(
    _ codestream: [UInt8], _ request: JPEGXLDecoder.Request, count: Int
  ) throws(ImageError) -> Samples {
    let decoder = try JPEGXLDecoder()
    switch request.type {
    case JXL_TYPE_UINT8:
      var samples = [UInt8](repeating: 0, count: count)
      try decoder.decode(codestream, request, into: &samples)
      return .bytes(samples)
    case JXL_TYPE_UINT16:
      var samples = [UInt16](repeating: 0, count: count)
      try decoder.decode(codestream, request, into: &samples)
      return .words(samples)
    default:
      var samples = [Float](repeating: 0, count: count)
      try decoder.decode(codestream, request, into: &samples)
      return .floats(samples)
    }
  }

  func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    let strip = layout.strip(height: rows.count)
    switch (samples, layout.samples) {
    case (.bytes(let samples), .integer(let bits)):
      let scale = UInt32(1) << UInt32(bits) - 1
      return ImagePlanes(
        layout: strip,
        planes: .integer(
          planes(of: rows) { UInt16(truncatingIfNeeded: (UInt32(samples[$0]) * scale + 127) / 255) }
        ))
    case (.words(let samples), .integer(let bits)):
      let scale = UInt64(1) << UInt64(bits) - 1
      return ImagePlanes(
        layout: strip,
        planes: .integer(
          planes(of: rows) {
            UInt16(truncatingIfNeeded: (UInt64(samples[$0]) * scale + 32_767) / 65_535)
          }))
    case (.floats(let samples), _):
      return ImagePlanes(layout: strip, planes: .float(planes(of: rows) { samples[$0] }))
    default: throw ImageError(.libraryResultUnexpected, ["library": "libjxl"])
    }
  }

  /// Planes of some rows; `sample` returns the sample with an index in interleaved order.
  private func planes<Sample: BitwiseCopyable & Sendable>(
    of rows: Range<Int>, _ sample: (Int) -> Sample
  ) -> [Plane<Sample>] {
    let (width, channels) = (layout.width, layout.planeCount)
    return (0..<channels).map { channel in
      Plane(width: width, height: rows.count) { plane in
        let start = rows.lowerBound * width * channels + channel
        for pixel in 0..<width * rows.count { plane.append(sample(start + pixel * channels)) }
      }
    }
  }
}
#endif
