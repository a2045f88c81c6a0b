// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Seconds that stages of a conversion take, as measured on the machine of `Documentation/Speed.md`
/// with two threads.
///
/// Only their ratios matter: they are the shares of the progress that the stages take.
enum ExpectedTime {
  /// The time until the first row of an image can be read.
  ///
  /// Images that are decoded row by row leave it to the next stage.
  static func reading(_ image: SourceImage) -> Double {
    image.image.layout.megapixels * (image.isDeveloped ? 0.15 : 0.03)
  }

  /// The time to measure or convert an image.
  static func converting(_ layout: ImageLayout) -> Double { layout.megapixels * 0.05 }

  /// The time to encode an image after an edit.
  ///
  /// - Parameters:
  ///   - layout: Its layout before the edit.
  ///   - edit: Crop, size and rotation.
  ///   - format: Format of the file.
  ///   - options: Options of the encoder.
  /// - Returns: Seconds.
  static func encoding(
    _ layout: ImageLayout, _ edit: GeometryEdit, as format: FileFormat, _ options: EncoderOptions
  ) -> Double {
    var layout = layout
    let parameters = try? edit.parameters(
      width: layout.width, height: layout.height, orientation: .upright,
      limits: Execution.current.limits)
    if let size = parameters?.resampling {
      (layout.width, layout.height) = (size.width, size.height)
    }
    return format.traits.encodingTime(of: layout, options)
  }
}
