// SPDX-License-Identifier: Apache-2.0
#if JPEG
internal import Dispatch
internal import HDRCore
internal import ImageContainers
internal import ImageFiles
internal import Synchronization

/// A file whose rows are encoded on a separate thread while the next ones are produced.
final class JPEGStream: Sendable {
  private let encoding: Encoding
  private let queue = DispatchQueue(label: "JPEG")
  private let coding = DispatchGroup()

  /// The encoder and its error, for the thread.
  private final class Encoding: Sendable {
    let coder: Mutex<JPEGCoder>
    let failure = Mutex<ImageError?>(nil)

    init(_ coder: consuming sending JPEGCoder) { self.coder = Mutex(coder) }
  }

  /// Begins a file for an image.
  init(_ image: ImageDescription, options: EncoderOptions) throws(ImageError) {
    encoding = Encoding(
      try JPEGCodec.begin(image.layout, cicp: image.color.cicp, options: options))
  }

  // The thread ends with the operation, also if the file is not finished.
  deinit { coding.wait() }

  /// Starts to encode the next rows: whole blocks, except at the end of the image.
  ///
  /// - Throws: Errors of earlier rows; `.cancelled`.
  func append(_ piece: ImagePlanes) throws(ImageError) {
    try wait()
    // The queue does not inherit the conditions of the operation.
    let execution = Execution.current
    queue.async(group: coding) { [encoding] in
      do throws(ImageError) {
        try execution { () throws(ImageError) in
          try encoding.coder.withLock { (coder) throws(ImageError) in try coder.append(piece) }
        }
      } catch {
        encoding.failure.withLock { $0 = error }
      }
    }
  }

  /// Returns the encoded file after all rows were appended.
  func finish() throws(ImageError) -> [UInt8] {
    try wait()
    return try encoding.coder.withLock { (coder) throws(ImageError) in try coder.finish() }
  }

  private func wait() throws(ImageError) {
    coding.wait()
    if let error = encoding.failure.withLock({ $0 }) { throw error }
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
