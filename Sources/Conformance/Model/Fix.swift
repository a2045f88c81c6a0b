// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
public import HDRCore
internal import ImageFiles

/// A change of metadata or structure that fixes a finding.
public enum Fix: Hashable, Sendable {
  /// Measure the light level again.
  case measureLightLevel
  /// Measure the color volume again.
  case measureColorVolume
  /// Set the luminance of diffuse white, in cd/m².
  case setDiffuseWhite(Double)
  case setCICP(CICP)
  case dropMasteringDisplay
  case dropAmbientEnvironment
  case dropReferenceEnvironment
  case dropProfile
  case dropGainMap
  /// Correct everything that follows from the rest of the file: checksums, order, duplicates,
  /// brands, sizes, depths, configurations, offsets and profile IDs.
  case correctStructure
}

extension Double {
  /// Text with three significant digits.
  var threeDigits: String { DiagnosticTemplate("{number}").rendered(with: ["number": self]) }

  /// Text with at most four fractional digits, without trailing zeros.
  package var formattedShort: String {
    let rounded = (self * 10_000).rounded() / 10_000
    return rounded == rounded.rounded() && abs(rounded) < 1e15
      ? "\(Int(clamping: rounded))" : "\(rounded)"
  }
}
