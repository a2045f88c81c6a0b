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

/// A class of displays with typical values, or a display of given luminances, to simulate.
public struct DisplayPreset: Hashable, Sendable {
  /// The name of the preset, such as `laptop-xdr`; `custom` for given luminances.
  public let name: String
  /// Short description of the display, in English.
  public let summary: String
  /// Luminance of reference white on the display, in cd/m².
  public let referenceWhite: Double
  /// Peak luminance of small highlights, in cd/m².
  public let peakLuminance: Double
  /// Primaries of the display.
  public let primaries: ColorPrimaries
  /// Luminance of the surround, in cd/m².
  public let surroundLuminance: Double
  /// Luminance of black, in cd/m²; 0 for all presets.
  public let blackLuminance: Double

  /// Headroom of the display: peak luminance over reference white, at least 0 stops.
  public var headroom: Headroom { Headroom(ratio: peakLuminance / referenceWhite) }

  /// Finds a preset by name.
  ///
  /// - Parameter name: A name in `all`, in lower case.
  /// - Throws: `.invalidArgument` with the known names.
  public init(named name: String) throws(ImageError) {
    guard let preset = Self.all.first(where: { $0.name == name }) else {
      throw ImageError(.displayUnknown, ["name": name, "known": Self.all.map(\.name)])
    }
    self = preset
  }

  /// Makes a display with given values.
  ///
  /// - Parameters:
  ///   - referenceWhite: Luminance of reference white, above 0, in cd/m².
  ///   - peakLuminance: Peak luminance of small highlights, from reference white to 100 000 cd/m²
  ///     and to 100 000 times reference white.
  ///   - primaries: Primaries of the display, for which `isUsable` is true; they are not checked.
  ///   - surroundLuminance: Luminance of the surround, 0.01 to 100 000 cd/m².
  ///   - blackLuminance: Luminance of black, at least 0 and below reference white, in cd/m².
  /// - Throws: `.invalidArgument` for luminances out of these ranges.
  public init(
    referenceWhite: Double, peakLuminance: Double, primaries: ColorPrimaries,
    surroundLuminance: Double, blackLuminance: Double = 0
  ) throws(ImageError) {
    let largest = 100_000.0
    guard referenceWhite > 0, referenceWhite <= peakLuminance, peakLuminance <= largest,
      peakLuminance / referenceWhite <= largest, (0.01...largest).contains(surroundLuminance),
      blackLuminance >= 0, blackLuminance < referenceWhite
    else {
      throw ImageError(
        .invalidArgument,
        "not possible: a display with white at {white}, a peak of {peak}, black at {black} and "
          + "a surround of {surround} cd/m²",
        [
          "white": referenceWhite, "peak": peakLuminance, "black": blackLuminance,
          "surround": surroundLuminance,
        ])
    }
    self.init(
      "custom", white: referenceWhite, peak: peakLuminance, primaries, surround: surroundLuminance,
      black: blackLuminance, "given luminances")
  }

  private init(
    _ name: String, white: Double, peak: Double, _ primaries: ColorPrimaries, surround: Double,
    black: Double = 0, _ summary: String
  ) {
    self.name = name
    self.summary = summary
    referenceWhite = white
    peakLuminance = peak
    self.primaries = primaries
    surroundLuminance = surround
    blackLuminance = black
  }

  /// All presets, each class before its ambient variants.
  ///
  /// In a dim room, televisions show reference white at 203 cd/m² ([Report ITU-R
  /// BT.2408](https://www.itu.int/pub/R-REP-BT.2408), table 1) in a surround of 5 cd/m²
  /// ([Recommendation ITU-R BT.2100](https://www.itu.int/rec/R-REC-BT.2100), table 3); 1000 cd/m²
  /// is the peak of its reference display of HLG (table 5). All other figures are estimates for
  /// classes of displays, not for products. Computers and phones adapt white to the ambient
  /// light.
  public static let all = [
    DisplayPreset(
      "sdr", white: 203, peak: 203, .bt709, surround: 5,
      "SDR panel, nothing above white"),
    DisplayPreset(
      "laptop", white: 250, peak: 500, .displayP3, surround: 20,
      "500-nit laptop in an office, white at half its peak"),
    DisplayPreset(
      "laptop-bright", white: 400, peak: 500, .displayP3, surround: 60,
      "500-nit laptop next to a window"),
    DisplayPreset(
      "phone", white: 200, peak: 1600, .displayP3, surround: 20,
      "1600-nit phone indoors"),
    DisplayPreset(
      "phone-outdoors", white: 1000, peak: 2000, .displayP3, surround: 400,
      "phone in daylight, with raised peak and white"),
    DisplayPreset(
      "tablet-xdr", white: 100, peak: 1600, .displayP3, surround: 5,
      "1600-nit tablet in a dim room"),
    DisplayPreset(
      "laptop-xdr", white: 100, peak: 1600, .displayP3, surround: 5,
      "1600-nit laptop in a dim room"),
    DisplayPreset(
      "laptop-xdr-office", white: 400, peak: 1600, .displayP3, surround: 40,
      "1600-nit laptop in a bright office"),
    DisplayPreset(
      "tv-1000", white: 203, peak: 1000, .bt2020, surround: 5,
      "1000-nit television, reference display of BT.2100"),
    DisplayPreset(
      "tv-1000-daylight", white: 400, peak: 1000, .bt2020, surround: 40,
      "1000-nit television in daylight, white raised by a stop"),
    DisplayPreset(
      "tv-4000", white: 203, peak: 4000, .bt2020, surround: 5,
      "4000-nit television or mastering display"),
  ]
}
