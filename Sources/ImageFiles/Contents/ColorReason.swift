internal import HDRCore

/// Display text of the reason why a carrier of color takes precedence.
///
/// The rules are in `Documentation/ColorPrecedence.md`, and implemented in `ColorDecision`.
struct ColorReason {
  let container: FileFormat
  let sources: ColorSources
  let carriers: [ColorInspection.Carrier]
  let codePoints: CICP?

  var text: String {
    switch sources.transfer ?? sources.primaries {
    case .fallback?: return "the file does not say"
    case .caller?: return "the file does not specify it; assumed by the caller"
    case .format? where carriers.isEmpty: return "the format defines what its silence means"
    case .format?: return "the format holds linear light; the file names the primaries"
    default: break
    }
    guard carriers.count > 1 else { return "nothing else in the file says anything" }
    let hasProfile = carriers.contains { $0.profile != nil }
    switch (container.traits.colorPrecedence, sources.transfer) {
    case (.codePoints, .codePoints?): return "cICP stands above iCCP, sRGB, gAMA and cHRM"
    case (.codePoints, .profile?):
      return "iCCP stands above sRGB, gAMA and cHRM where there is no cICP"
    case (.codePoints, .mark?): return "sRGB stands above gAMA and cHRM"
    case (.profileUnlessHighDynamicRange, .profile?):
      return "an ICC profile stands above code points, unless only these can say PQ or HLG"
    case (.profileUnlessHighDynamicRange, .codePoints?) where hasProfile:
      return codePoints?.isHighDynamicRange == true
        ? "the code points say PQ or HLG, which this profile cannot"
        : "the profile says nothing that can be used"
    case (.profileUnlessHighDynamicRange, .codePoints?):
      return "nclx stands above the bitstream, which fills what nclx leaves open"
    case (_, .profile?): return "an ICC profile stands above all else"
    default: return "nothing stronger says anything"
    }
  }
}
