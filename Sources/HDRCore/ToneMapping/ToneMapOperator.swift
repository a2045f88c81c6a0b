/// The tone-map operators by their names in the command.
public enum ToneMapOperator: String, Hashable, Sendable, CaseIterable {
  /// `RationalShoulder`, the default: keeps the exposure, rolls off highlights.
  case shoulder
  /// `ReferenceWhiteToneMap`, as Apple's and Chromium's targets do: darkens to keep highlight
  /// contrast.
  case referenceWhite = "reference-white"
  /// `BT2390`: crisp middle tones, an abrupt roll-off.
  case bt2390
  /// `BT2446A`: a film-like, darker look.
  case bt2446a
  /// `ExtendedReinhard`, as libultrahdr does.
  case reinhard
  /// `HardClip`: no tone mapping.
  case clip

  /// The operator between two headrooms.
  ///
  /// - Parameters:
  ///   - content: Headroom of the content; taken as 1 if less.
  ///   - display: Headroom of the display, at least 1.
  ///   - referenceWhite: Luminance of light 1.0, cd/m²; matters to the operators that are defined
  ///     on luminance.
  /// - Returns: The operator, ready to be applied to light in BT.2020.
  /// - Throws: `.invalidArgument` for a display below reference white and for what is not a number.
  package func toneMap(
    content: Headroom, display: Headroom,
    referenceWhite: Double = LightMetadata.defaultDiffuseWhite
  ) throws(ImageError) -> ToneMap {
    switch self {
    case .shoulder: .shoulder(try RationalShoulder(content: content, display: display))
    case .referenceWhite:
      .referenceWhite(try ReferenceWhiteToneMap(content: content, display: display))
    case .bt2390:
      .bt2390(try BT2390(content: content, display: display, referenceWhite: referenceWhite))
    case .bt2446a:
      .bt2446a(try BT2446A(content: content, display: display, referenceWhite: referenceWhite))
    case .reinhard: .reinhard(try ExtendedReinhard(content: content, display: display))
    case .clip: .clip(try HardClip(content: content, display: display))
    }
  }
}
