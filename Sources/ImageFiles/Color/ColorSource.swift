/// Whose word about color is believed.
package enum ColorSource: Hashable, Sendable {
  /// Code points: `nclx`, `cICP`, the bitstream.
  case codePoints
  /// An ICC profile: its `cicp` tag, its curves, or the whole of it through color management.
  case profile
  /// PNG's sRGB chunk or Exif's ColorSpace.
  case mark
  /// Primaries that the file spells out.
  case chromaticities
  /// PNG's gAMA chunk.
  case gamma
  /// What the format defines for files that do not say.
  case format
  /// What the caller knows.
  case caller
  /// A guess.
  case fallback
}

/// Who decided which part of a color; `nil` where nobody had to.
package struct ColorSources: Hashable, Sendable {
  package var primaries: ColorSource?
  package var transfer: ColorSource?
  /// Only for Y'CbCr.
  package var matrix: ColorSource?
}
