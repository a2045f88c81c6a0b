// SPDX-License-Identifier: Apache-2.0
#if PNG
internal import HDRCore
internal import ImageFiles

/// A PNG file whose rows are encoded as they are produced.
///
/// The coded data are in memory until the end, since the chunks with measured light levels precede them.
final class PNGFileStream: ImageStream {
  private let sink: any ByteSink
  private var writer: PNGSampleWriter
  private var chunks: [[UInt8]] = []
  /// The memory of `chunks`.
  private var reservations: [Execution.Reservation] = []

  /// Begins a file for an image.
  ///
  /// - Throws: `.invalidArgument` for an image that PNG cannot store.
  init(
    _ image: ImageDescription, to sink: any ByteSink, options: EncoderOptions
  ) throws(ImageError) {
    let (header, bits) = try PNGCodec.header(for: image)
    self.sink = sink
    writer = PNGSampleWriter(bits: bits, header: header, options: options)
  }

  func append(_ rows: ImagePlanes) throws(ImageError) {
    guard case .integer(let planes) = rows.planes else {
      preconditionFailure("PNG stores integers")
    }
    try writer.append(planes) { chunk throws(ImageError) in
      reservations.append(
        try Execution.current.budget.reserve(memory: chunk.count, for: "encoded blocks"))
      chunks.append(chunk)
    }
  }

  func finish(_ header: StreamedImage) throws(ImageError) {
    try sink.write(PNGCodec.metadata(of: header).serializedStart())
    for chunk in chunks { try PNGSampleWriter.append(chunk, to: sink) }
    try sink.write(PNGFile.serializedEnd)
  }
}
#endif
