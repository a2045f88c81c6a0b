// SPDX-License-Identifier: Apache-2.0
#if JPEG
internal import Dispatch
internal import HDRCore
internal import ImageContainers
internal import ImageFiles
internal import Synchronization

/// A file whose rows are encoded on a separate thread while the next ones are produced.
final class JPEGStream: Sendable {
  private let coder: Mutex<JPEGCoder>
  private let failure = Mutex<ImageError?>(nil)
  private let queue = DispatchQueue(label: "JPEG")
  private let coding = DispatchGroup()

  /// Begins a file for an image.
  init(_ image: ImageDescription, options: EncoderOptions) throws(ImageError) {
    coder = Mutex(try JPEGCodec.begin(image.layout, cicp: image.color.cicp, options: options))
  }

  /// Starts to encode the next rows: whole blocks, except at the end of the image.
  ///
  /// - Throws: Errors of earlier rows; `.cancelled`.
  func append(_ piece: ImagePlanes) throws(ImageError) {
    try wait()
    // The queue does not inherit the conditions of the operation.
    let execution = Execution.current
    queue.async(group: coding) { [self] in
      do throws(ImageError) {
        try execution { () throws(ImageError) in
          try coder.withLock { (coder) throws(ImageError) in try coder.append(piece) }
        }
      } catch {
        failure.withLock { $0 = error }
      }
    }
  }

  /// Returns the encoded file after all rows were appended.
  func finish() throws(ImageError) -> [UInt8] {
    try wait()
    return try coder.withLock { (coder) throws(ImageError) in try coder.finish() }
  }

  private func wait() throws(ImageError) {
    coding.wait()
    if let error = failure.withLock({ $0 }) { throw error }
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
