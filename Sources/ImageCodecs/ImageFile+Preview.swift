// SPDX-License-Identifier: Apache-2.0
public import HDRCore
public import ImageFiles

extension ImageFile {
  /// The preview of a file whose format does not store it as an image of its own, such as the preview
  /// frame of JPEG XL; encoded without loss in the same format.
  ///
  /// `preview()` extracts previews that are images.
  ///
  /// - Returns: A file; `nil` without such a preview, or if this build cannot decode the format.
  /// - Throws: Errors of the codec.
  public func reencodedPreview() throws(ImageError) -> [UInt8]? {
    guard let decoder = try? format.decoder(), let preview = try decoder.preview(of: self) else {
      return nil
    }
    return try preview.encoded(as: format, options: EncoderOptions(isLossless: true))
  }
}
