// SPDX-License-Identifier: Apache-2.0
/// The general part of profile_tier_level: profile, tier and level required of a decoder.
///
/// Source: ITU-T H.265, 7.3.3 and 7.4.4.
package struct HEVCProfileTierLevel: Hashable, Sendable {
  package var profileSpace: UInt8
  package var isHighTier: Bool
  /// 1 Main, 2 Main 10, 3 Main Still Picture, 4 format range extensions.
  package var profileIDC: UInt8
  /// general_profile_compatibility_flag[0...31]; flag 0 is the most significant bit.
  package var compatibilityFlags: UInt32
  /// The 48 bits from general_progressive_source_flag up to general_level_idc.
  package var constraintFlags: UInt64
  /// general_level_idc: 30 times the number of the level.
  package var levelIDC: UInt8

  package init(
    profileSpace: UInt8 = 0, isHighTier: Bool = false, profileIDC: UInt8,
    compatibilityFlags: UInt32, constraintFlags: UInt64, levelIDC: UInt8
  ) {
    self.profileSpace = profileSpace
    self.isHighTier = isHighTier
    self.profileIDC = profileIDC
    self.compatibilityFlags = compatibilityFlags
    self.constraintFlags = constraintFlags
    self.levelIDC = levelIDC
  }

  /// Whether the image conforms to `profile`, by profile_idc or by compatibility flag.
  package func isCompatible(with profile: UInt8) -> Bool {
    profileIDC == profile || profile < 32 && compatibilityFlags & (1 << (31 - profile)) != 0
  }

  /// A copy with the same tier and level and the Main 10 profile.
  ///
  /// The four source flags are kept. The 44 bits after them are constraints of the format range
  /// extensions; Main 10 reserves them as zero.
  ///
  /// Source: ITU-T H.265, 7.3.3, 7.4.4 and A.3.3.
  package var main10: HEVCProfileTierLevel {
    HEVCProfileTierLevel(
      profileSpace: 0, isHighTier: isHighTier, profileIDC: 2,
      compatibilityFlags: 1 << (31 - 2), constraintFlags: constraintFlags & 0xF000_0000_0000,
      levelIDC: levelIDC)
  }
}
