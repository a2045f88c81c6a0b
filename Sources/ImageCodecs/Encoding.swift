// SPDX-License-Identifier: Apache-2.0
public import HDRCore
public import ImageContainers
public import ImageFiles

extension OutputImage {
  /// Encodes the image and writes its file.
  ///
  /// - Parameters:
  ///   - sink: Receives the bytes of the file as they are written.
  ///   - format: The format of the file.
  ///   - options: Quality and speed.
  /// - Throws: `.missingCodec` if no codec of this build writes the format, `.invalidArgument` for
  ///   an image that it cannot store; errors of the codec and of the sink.
  public func write(
    to sink: any ByteSink, as format: FileFormat, options: EncoderOptions
  ) throws(ImageError) {
    try format.encoder().write(self, to: sink, options: options)
  }

  /// Encodes the image and returns its file in memory.
  ///
  /// - Parameters:
  ///   - format: The format of the file.
  ///   - options: Quality and speed.
  /// - Returns: The bytes of the file.
  /// - Throws: Errors of `write(to:as:options:)`.
  public func encoded(
    as format: FileFormat, options: EncoderOptions
  ) throws(ImageError) -> [UInt8] {
    let sink = MemorySink()
    try write(to: sink, as: format, options: options)
    return sink.bytes
  }
}
