// SPDX-License-Identifier: Apache-2.0
#if JPEGXL
internal import CLibJXL
internal import HDRCore
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

  /// The part of a codestream to decode.
  enum Part {
    /// Color and alpha.
    case image
    /// The extra channel with an index.
    case extraChannel(Int)
    /// Color and alpha of the preview.
    case preview
  }

  /// Decodes an image.
  ///
  /// - Parameters:
  ///   - codestream: A complete codestream.
  ///   - header: Its header.
  ///   - part: The part to decode.
  ///   - layout: Layout of the samples.
  ///   - color: Color to convert XYB to; `nil` for the color that the codestream declares.
  ///   - acceptsTruncation: Whether a truncated image is decoded as far as it arrived.
  /// - Throws: Errors of the codestream; `.limitExceeded` for too large an image.
  init(
    _ codestream: [UInt8], as header: JPEGXLImageHeader, _ part: Part = .image,
    layout: ImageLayout, color: JxlColorEncoding?, acceptsTruncation: Bool = false
  ) throws(ImageError) {
    self.layout = layout
    let count = layout.width * layout.height * layout.planeCount
    let shape = JPEGXLImageShape(layout)
    var image = JPEGXLImageShape(header.imageLayout)
    image.acceptsTruncation = acceptsTruncation
    let request: JPEGXLRequest =
      switch part {
      case .image: .image(image, color)
      case .extraChannel(let index): .channel(index, shape, of: image)
      case .preview: .preview(shape, of: image, color)
      }
    let budget = Execution.current.budget
    memory = try budget.reserve(memory: count * request.sampleSize, for: "JPEG XL samples")
    // The memory of libjxl, which is reserved below, is that of the process.
    samples = try budget.reserving(
      memory: codestream.count + Self.workingMemory(header), for: "JPEG XL decoder"
    ) { () throws(ImageError) -> Samples in
      switch request.type {
      case JXL_TYPE_UINT8: .bytes(try request.samples(of: codestream, count: count))
      case JXL_TYPE_UINT16: .words(try request.samples(of: codestream, count: count))
      default: .floats(try request.samples(of: codestream, count: count))
      }
    }
  }

  /// Memory of libjxl: coefficients or channels of 32 bits, and floating-point samples.
  private static func workingMemory(_ header: JPEGXLImageHeader) -> Int {
    let channels = max(3, header.color.colorSpace == .gray ? 1 : 3) + header.extraChannels.count
    return 8 * channels * header.width * header.height
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
