// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Parses the tags of ICC profiles.
func exerciseICC(_ bytes: [UInt8]) throws {
  let profile = try ICCProfile(parsing: bytes)
  _ = (profile.cicp, profile.description, profile.text(.copyright), profile.imageState)
  _ = profile.xyz(.luminance)
  _ = try? profile.headroomAdaptation()
  for tag in profile.tags.prefix(64) {
    _ = (profile.text(tag.signature), profile.xyz(tag.signature))
    if let curve = profile.curve(tag.signature) {
      _ = (curve.exponent, curve.isSRGB, curve.sampled)
      for step in 0...8 { _ = curve.linearValue(ofSignal: Double(step) / 8) }
    }
  }
  switch profile.model {
  case .matrix(let matrix): _ = (matrix.primaries, matrix.transfer)
  default: break
  }
}
