// SPDX-License-Identifier: Apache-2.0
#if JPEG
internal import HDRCore
internal import ImageFiles
internal import Synchronization

/// A file whose rows are encoded on a separate thread while the next ones are produced.
final class JPEGStream: Sendable {
  private let coding: Coding

  /// The encoder, and what it does on the other thread.
  private final class Coding: Sendable {
    let coder: Mutex<JPEGCoder>
    let pending = Mutex<PendingResult<Void>?>(nil)

    init(_ coder: consuming sending JPEGCoder) { self.coder = Mutex(coder) }

    /// Waits for the rows that are being encoded.
    func wait() throws(ImageError) { try pending.withLock { $0.take() }?.wait().get() }
  }

  /// Begins a file for an image.
  init(_ image: ImageDescription, options: EncoderOptions) throws(ImageError) {
    coding = Coding(try JPEGCodec.begin(image.layout, cicp: image.color.cicp, options: options))
  }

  // The thread ends with the operation, also if the file is not finished.
  deinit { try? coding.wait() }

  /// Starts to encode the next rows: whole blocks, except at the end of the image.
  ///
  /// - Throws: Errors of earlier rows; `.cancelled`.
  func append(_ piece: ImagePlanes) throws(ImageError) {
    try coding.wait()
    let rows = PendingResult(of: .current) { [coding] () throws(ImageError) in
      try Execution.current.checkCancellation()
      try coding.coder.withLock { (coder) throws(ImageError) in try coder.append(piece) }
    }
    coding.pending.withLock { $0 = rows }
  }

  /// Returns the encoded file after all rows were appended.
  func finish() throws(ImageError) -> [UInt8] {
    try coding.wait()
    return try coding.coder.withLock { (coder) throws(ImageError) in try coder.finish() }
  }
}

/// A JPEG file whose rows are encoded as they are produced.
final class JPEGFileStream: ImageStream {
  private let coding: JPEGStream
  private let sink: any ByteSink

  init(
    _ image: ImageDescription, to sink: any ByteSink, options: EncoderOptions
  ) throws(ImageError) {
    coding = try JPEGStream(image, options: options)
    self.sink = sink
  }

  func append(_ rows: ImagePlanes) throws(ImageError) { try coding.append(rows) }

  func finish(_ header: StreamedImage) throws(ImageError) {
    try JPEGCodec.write(try coding.finish(), header, to: sink)
  }
}
#endif
