// SPDX-License-Identifier: Apache-2.0
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
    case .override?: return "overrides the declarations of the file"
    case .fallback?: return "the file does not specify color"
    case .caller?: return "the file does not specify color; the caller does"
    case .format? where carriers.isEmpty: return "the format defines a default"
    case .format?: return "the format stores linear values; the file specifies the primaries"
    default: break
    }
    guard carriers.count > 1 else { return "only declaration in the file" }
    let hasProfile = carriers.contains { $0.profile != nil }
    // That of JPEG XR implies a color.
    let hasPixelFormat = carriers.contains { $0.name == "PIXEL_FORMAT" }
    switch (container.traits.colorPrecedence, sources.transfer) {
    case (.codePoints, .codePoints?) where hasPixelFormat:
      return hasProfile ? "overrides ICC_PROFILE and PIXEL_FORMAT" : "overrides PIXEL_FORMAT"
    case (.codePoints, .profile?) where hasPixelFormat: return "overrides PIXEL_FORMAT"
    case (.codePoints, .codePoints?): return "overrides iCCP, sRGB, gAMA and cHRM"
    case (.codePoints, .profile?):
      return "overrides sRGB, gAMA and cHRM"
    case (.codePoints, .mark?): return "overrides gAMA and cHRM"
    case (.profileUnlessHighDynamicRange, .profile?):
      return "overrides code points without PQ or HLG"
    case (.profileUnlessHighDynamicRange, .codePoints?) where hasProfile:
      return codePoints?.isHighDynamicRange == true
        ? "PQ and HLG override an ICC profile without a cicp tag"
        : "the profile is empty or unusable"
    case (.profileUnlessHighDynamicRange, .codePoints?):
      return "overrides the bitstream"
    case (_, .profile?): return "overrides all other declarations"
    default: return "highest precedence in the file"
    }
  }
}
