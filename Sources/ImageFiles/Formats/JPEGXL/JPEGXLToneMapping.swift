// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Luminances of a JPEG XL image.
///
/// Source: ISO/IEC 18181-1, E.4: ToneMapping.
package struct JPEGXLToneMapping: Hashable, Sendable {
  /// Upper bound of the luminance of the image in cd/m²; the luminance of the largest sample of
  /// formats that are not absolute.
  package var intensityTarget = Self.standardIntensityTarget
  /// Lower bound of the luminance of the image, in cd/m².
  package var minimumLuminance = 0.0

  /// The default, with which encoders mark images of standard dynamic range.
  package static let standardIntensityTarget = 255.0

  init() {}

  init(_ reader: inout BitReader) throws(ImageError) {
    if try reader.readFlag() { return }
    intensityTarget = try reader.readHalf()
    minimumLuminance = try reader.readHalf()
    _ = try reader.readFlag()  // Whether the next field is relative to the display.
    _ = try reader.readHalf()  // Luminance below which tone mapping is linear.
  }
}
