internal import Foundation

/// The tone curve of method C of BT.2446: HDR to SDR for broadcast, bright and with super-whites.
///
/// Skin stays at SDR levels, reference white lands at 96 %, the peak of HLG at 118 % of SDR's
/// white.
///
/// Source: Report ITU-R BT.2446, section 6.
package enum BT2446C {
  /// SDR luminance of HDR luminance.
  ///
  /// - Parameter luminance: Luminance of the content, cd/m².
  /// - Returns: Percent of SDR's white, up to 118.4.
  package static func percent(ofLuminance luminance: Double) -> Double {
    luminance < inflection
      ? k1 * luminance : k2 * log(luminance / inflection - k3) + k4
  }

  private static let inflection = 58.5 / k1
  private static let k1 = 0.838_02
  private static let k2 = 15.099_68
  private static let k3 = 0.742_04
  private static let k4 = 78.994_39
}
