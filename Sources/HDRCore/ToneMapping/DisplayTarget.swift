// SPDX-License-Identifier: Apache-2.0
/// The target display of a rendition, and the share of its headroom that images may use.
public struct DisplayTarget: Hashable, Sendable {
  /// Headroom of the display: its peak luminance over its reference white.
  public var headroom: Headroom
  /// Share of the headroom that images may use.
  public var range: DynamicRange.Mix
  /// Primaries of the display; `nil` for the primaries of the output.
  public var primaries: ColorPrimaries?
  /// Luminances of the display and its surround; `nil` if they are unknown.
  ///
  /// With them, HLG is rendered with the system gamma of the display, and black is raised.
  public var viewing: Viewing?

  /// Reference white, black and surround of a display, in cd/m².
  public struct Viewing: Hashable, Sendable {
    /// Luminance of reference white on the display, in cd/m²; above 0.
    public var referenceWhite: Double
    /// Luminance of the surround, in cd/m²; above 0.
    public var surroundLuminance: Double
    /// Luminance of black on the display, in cd/m².
    public var blackLuminance: Double

    public init(
      referenceWhite: Double, surroundLuminance: Double = HLG.referenceSurround,
      blackLuminance: Double = 0
    ) {
      self.referenceWhite = referenceWhite
      self.surroundLuminance = surroundLuminance
      self.blackLuminance = blackLuminance
    }
  }

  public init(
    headroom: Headroom, range: DynamicRange.Mix = DynamicRange.Mix(.high),
    primaries: ColorPrimaries? = nil, viewing: Viewing? = nil
  ) {
    self.headroom = headroom
    self.range = range
    self.primaries = primaries
    self.viewing = viewing
  }

  /// Makes the target display of a preset.
  public init(_ preset: DisplayPreset, range: DynamicRange.Mix = DynamicRange.Mix(.high)) {
    self.init(
      headroom: preset.headroom, range: range, primaries: preset.primaries,
      viewing: Viewing(
        referenceWhite: preset.referenceWhite, surroundLuminance: preset.surroundLuminance,
        blackLuminance: preset.blackLuminance))
  }

  /// The display for HLG, with the system gamma of its peak and surround; `nil` if `viewing` is.
  ///
  /// Its black is 0: `Rendition.black` raises black after rendering.
  public var hlgDisplay: HLG.Display? {
    viewing.map { viewing in
      HLG.Display(
        peakLuminance: headroom.ratio * viewing.referenceWhite,
        ambientLuminance: viewing.surroundLuminance)
    }
  }

  /// Headroom available to images: that of `range` on this display, at least 0 stops.
  public var usableHeadroom: Headroom { range.headroom(on: headroom) }
}
