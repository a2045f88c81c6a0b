// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

extension Progress {
  /// Starts progress, by time, of encoding the images of a file with or without a gain map.
  ///
  /// - Parameters:
  ///   - file: The input.
  ///   - path: Its name.
  ///   - format: Format of the output.
  ///   - encoder: Options of the baseline image.
  ///   - style: Form of the display.
  /// - Returns: The progress, which the caller completes or finishes.
  /// - Throws: The failure to read the size of the input.
  static func encoding(
    _ file: ImageFile, _ path: String, as format: FileFormat, _ encoder: EncoderOptions,
    _ style: ProgressStyle
  ) throws(Failure) -> Progress {
    let size = try during(.reading, path) { () throws(ImageError) in
      try file.contents().primary.shownSize
    }
    let progress = Progress(style, label: path)
    let seconds = ExpectedTime.encoding(size, as: format, encoder, chroma: .yuv420)
    // The input is decoded as well; the gain map has fewer samples.
    progress.update(.planned([.encoding: 1.5 * seconds + 0.5]))
    progress.update(.progress(.encoding, 0))
    return progress
  }
}
