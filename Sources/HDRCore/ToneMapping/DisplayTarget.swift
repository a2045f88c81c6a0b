/// A display that images are rendered for, and how much of it they may use.
public struct DisplayTarget: Hashable, Sendable {
  /// Peak over reference white.
  public var headroom: Headroom
  /// How much of the headroom images may use.
  public var range: DynamicRange.Mix
  /// Primaries of the display; `nil` for those of the output.
  public var primaries: ColorPrimaries?
  /// Display and surround that HLG's system gamma depends on; `nil` for the reference display.
  public var viewing: Viewing?

  /// Reference white and surround of a display, cd/m².
  public struct Viewing: Hashable, Sendable {
    /// Luminance at which the display shows reference white.
    public var referenceWhite: Double
    /// Luminance of what surrounds the display.
    public var surroundLuminance: Double

    public init(referenceWhite: Double, surroundLuminance: Double = HLG.referenceSurround) {
      self.referenceWhite = referenceWhite
      self.surroundLuminance = surroundLuminance
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

  /// The display of a preset.
  public init(_ preset: DisplayPreset, range: DynamicRange.Mix = DynamicRange.Mix(.high)) {
    self.init(
      headroom: preset.headroom, range: range, primaries: preset.primaries,
      viewing: Viewing(
        referenceWhite: preset.referenceWhite, surroundLuminance: preset.surroundLuminance))
  }

  /// The display for HLG, whose system gamma is that of the peak and the surround; `nil` without
  /// `viewing`.
  public var hlgDisplay: HLG.Display? {
    viewing.map { viewing in
      HLG.Display(
        peakLuminance: headroom.ratio * viewing.referenceWhite,
        ambientLuminance: viewing.surroundLuminance)
    }
  }

  /// Headroom that images get, at least 1.
  public var usableHeadroom: Headroom { range.headroom(on: headroom) }
}
