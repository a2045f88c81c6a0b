/// A class of displays with typical values, to simulate by name.
public struct DisplayPreset: Hashable, Sendable {
  /// The name on the command line.
  public let name: String
  /// Description of the display, with the origin of its numbers.
  public let summary: String
  /// Luminance of reference white on the display, in cd/m².
  public let referenceWhite: Double
  /// Peak luminance of small highlights, in cd/m².
  public let peakLuminance: Double
  /// Primaries of the display.
  public let primaries: ColorPrimaries
  /// Luminance of the surround, in cd/m².
  public let surroundLuminance: Double

  /// Ratio of peak luminance to reference white.
  public var headroom: Headroom { Headroom(ratio: peakLuminance / referenceWhite) }

  /// Finds a preset by name.
  ///
  /// - Throws: `.invalidArgument` with the known names.
  public init(named name: String) throws(ImageError) {
    guard let preset = Self.all.first(where: { $0.name == name }) else {
      throw ImageError(.displayUnknown, ["name": name, "known": Self.all.map(\.name)])
    }
    self = preset
  }

  private init(
    _ name: String, white: Double, peak: Double, _ primaries: ColorPrimaries, surround: Double,
    _ summary: String
  ) {
    self.name = name
    self.summary = summary
    referenceWhite = white
    peakLuminance = peak
    self.primaries = primaries
    surroundLuminance = surround
  }

  /// All presets, each class before its ambient variants.
  ///
  /// Televisions show reference white at 203 cd/m² (BT.2408) in a surround of 5 cd/m² (BT.2100).
  /// Computers and phones adapt white to the ambient light; their peaks are from data sheets.
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
