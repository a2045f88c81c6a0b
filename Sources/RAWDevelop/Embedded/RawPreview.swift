// SPDX-License-Identifier: Apache-2.0
/// A rendered image in a raw file, which can be extracted.
public struct RawPreview: Hashable, Sendable {
  /// Columns as stored.
  public let width: Int
  /// Rows as stored.
  public let height: Int
  /// Whether the preview is JPEG XL instead of JPEG.
  public let isJPEGXL: Bool
  /// Bytes in the file: a complete JPEG or JPEG XL file.
  public let bytes: Range<Int>

  /// The number of pixels.
  var pixelCount: Int { width * height }
}
