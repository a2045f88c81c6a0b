// SPDX-License-Identifier: Apache-2.0
/// Source of a color value.
package enum ColorSource: Hashable, Sendable {
  /// Value that the caller declares against the file.
  case override
  /// CICP code points: `nclx`, `cICP`, the bitstream.
  case codePoints
  /// An ICC profile: its `cicp` tag, its curves, or the whole profile through color management.
  case profile
  /// PNG sRGB chunk or Exif ColorSpace.
  case mark
  /// Primaries as chromaticities.
  case chromaticities
  /// PNG gAMA chunk.
  case gamma
  /// Default of the format for files that do not specify the value.
  case format
  /// Value assumed by the caller.
  case caller
  /// Value assumed by this library.
  case fallback
}

/// Sources of the parts of a color; `nil` for parts that do not apply.
package struct ColorSources: Hashable, Sendable {
  package var primaries: ColorSource?
  package var transfer: ColorSource?
  /// Only for Y'CbCr.
  package var matrix: ColorSource?
}
