#if JPEG
internal import Dispatch
package import HDRCore
package import ImageContainers
internal import ImageFiles
internal import Synchronization

/// A file whose rows are coded on a thread of their own, while the next ones are made.
package final class JPEGStream: Sendable {
  private let coder: Mutex<JPEGCoder>
  private let failure = Mutex<ImageError?>(nil)
  private let queue = DispatchQueue(label: "JPEG")
  private let coding = DispatchGroup()

  /// Begins a file for a picture of this layout and meaning.
  package init(_ format: ImageLayout, cicp: CICP, options: EncoderOptions) throws(ImageError) {
    coder = Mutex(try JPEGCodec.begin(format, cicp: cicp, options: options))
  }

  /// Starts to code the next rows: whole blocks, but for the last ones of the picture.
  ///
  /// - Throws: What was wrong with rows before these.
  package func append(_ piece: ImagePlanes) throws(ImageError) {
    try wait()
    queue.async(group: coding) { [self] in
      do throws(ImageError) {
        try coder.withLock { (coder) throws(ImageError) in try coder.append(piece) }
      } catch {
        failure.withLock { $0 = error }
      }
    }
  }

  /// Writes the file, whose rows have all been appended.
  package func finish(_ attachments: JPEGCodec.Attachments, to sink: any ByteSink)
    throws(ImageError)
  {
    try wait()
    let coded = try coder.withLock { (coder) throws(ImageError) in try coder.finish() }
    try JPEGCodec.write(coded, attachments, to: sink)
  }

  private func wait() throws(ImageError) {
    coding.wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }
}
#endif
