// SPDX-License-Identifier: Apache-2.0
internal import Platform

extension HLG {
  /// A display for HLG signals; its values are not checked.
  public struct Display: Hashable, Sendable {
    /// Luminance of full signal, in cd/m².
    public var peakLuminance: Double
    /// Luminance of signal 0, in cd/m²; below `peakLuminance`.
    public var blackLuminance: Double
    /// System gamma: the exponent of the OOTF.
    public var gamma: Double

    /// Makes a display with the system gamma for its peak and surround.
    ///
    /// - Parameters:
    ///   - peakLuminance: Luminance of full signal, in cd/m²; above 0.
    ///   - blackLuminance: Luminance of signal 0, in cd/m².
    ///   - ambientLuminance: Luminance of the surround in cd/m², above 0; by default that of the
    ///     reference viewing environment.
    public init(
      peakLuminance: Double, blackLuminance: Double = 0,
      ambientLuminance: Double = referenceSurround
    ) {
      self.init(
        peakLuminance: peakLuminance, blackLuminance: blackLuminance,
        gamma: systemGamma(peak: peakLuminance, ambient: ambientLuminance))
    }

    /// Makes a display with a given system gamma.
    public init(peakLuminance: Double, blackLuminance: Double = 0, gamma: Double) {
      self.peakLuminance = peakLuminance
      self.blackLuminance = blackLuminance
      self.gamma = gamma
    }

    /// The reference display of HLG images and of conversion to PQ: 1000 cd/m², no black lift,
    /// gamma 1.2.
    ///
    /// Source: BT.2100, table 5, note 5f; BT.2408, section 6.2.
    public static let reference = Display(peakLuminance: 1000)
  }

  /// Luminance of the surround in the reference viewing environment: 5 cd/m².
  ///
  /// Source: BT.2100, table 3.
  public static let referenceSurround = 5.0

  /// System gamma of a display, continuous in its peak.
  ///
  /// In the reference surround this is the formula of BT.2100 in its range of 400...2000 cd/m².
  /// Outside that range, gamma continues from its end at the rate of BT.2390, a factor of 1.111 for
  /// each doubling of the peak. In other surrounds, which only BT.2390 specifies, it is the formula
  /// of BT.2390. The two differ by at most 0.012 in the range and agree at 1000 cd/m².
  ///
  /// Source: BT.2100, table 5, note 5f; Report ITU-R BT.2390.
  ///
  /// - Parameters:
  ///   - peak: Luminance of full signal in cd/m², above 0.
  ///   - ambient: Luminance of the surround in cd/m², above 0.
  /// - Returns: The exponent of the OOTF.
  public static func systemGamma(peak: Double, ambient: Double = referenceSurround) -> Double {
    guard ambient == referenceSurround else { return extendedGamma(peak: peak, ambient: ambient) }
    let nominal = min(max(peak, 400), 2000)
    return nominalGamma(peak: nominal) * pow(1.111, log2(peak / nominal))
  }

  /// System gamma in the reference surround, for peaks of 400...2000 cd/m²; others are not limited.
  ///
  /// Source: BT.2100, table 5, note 5f.
  public static func nominalGamma(peak: Double) -> Double { 1.2 + 0.42 * log10(peak / 1000) }

  /// System gamma for any peak and any surround above 0, both in cd/m².
  ///
  /// Source: Report ITU-R BT.2390.
  public static func extendedGamma(peak: Double, ambient: Double = referenceSurround) -> Double {
    1.2 * pow(1.111, log2(peak / 1000)) * pow(0.98, log2(ambient / referenceSurround))
  }
}
