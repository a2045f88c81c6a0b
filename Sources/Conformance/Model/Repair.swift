internal import HDRConversion
public import HDRCore
internal import ImageFiles

/// A change of metadata that mends a finding.
public enum Repair: Hashable, Sendable {
  /// Measure the light level again.
  case measureLightLevel
  /// Measure the color volume again.
  case measureColorVolume
  case setDiffuseWhite(Double)
  case setCICP(CICP)
  case dropMasteringDisplay
  case dropAmbientEnvironment
  case dropReferenceEnvironment
  case dropProfile
  /// Put in order what only stands in a wrong place, or lacks a mark.
  case arrange
}

extension Double {
  /// With at most four digits after the point, and none that say nothing.
  package var formattedShort: String {
    let rounded = (self * 10_000).rounded() / 10_000
    return rounded == rounded.rounded() && abs(rounded) < 1e15
      ? "\(Int(rounded))" : "\(rounded)"
  }
}
