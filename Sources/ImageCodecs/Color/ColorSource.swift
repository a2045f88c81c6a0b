/// Whose word about color is believed.
enum ColorSource: Hashable, Sendable {
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
struct ColorSources: Hashable, Sendable {
  var primaries: ColorSource?
  var transfer: ColorSource?
  /// Only for Y'CbCr.
  var matrix: ColorSource?
}
