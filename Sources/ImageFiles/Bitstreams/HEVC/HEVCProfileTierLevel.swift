// SPDX-License-Identifier: Apache-2.0
package import HDRCore

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

extension HEVCProfileTierLevel {
  /// Bytes of the general part, which is always byte-aligned.
  static let size = 12

  /// Parses profile_tier_level(1, layers - 1).
  ///
  /// Source: ITU-T H.265, 7.3.3.
  init(parsing reader: inout BitReader, layers: Int) throws(ImageError) {
    profileSpace = UInt8(try reader.read(2))
    isHighTier = try reader.readFlag()
    profileIDC = UInt8(try reader.read(5))
    compatibilityFlags = try reader.read(32)
    constraintFlags = UInt64(try reader.read(16)) << 32 | UInt64(try reader.read(32))
    levelIDC = UInt8(try reader.read(8))
    guard layers > 1 else { return }
    var bits = 0
    for _ in 1..<layers {
      if try reader.readFlag() { bits += 88 }
      if try reader.readFlag() { bits += 8 }
    }
    // reserved_zero_2bits pads the flags to eight sub-layers.
    try reader.skip(2 * (9 - layers) + bits)
  }

  /// Serialized form of the general part.
  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.writeBigEndian(profileSpace << 6 | (isHighTier ? 0x20 : 0) | profileIDC & 0x1F)
    writer.writeBigEndian(compatibilityFlags)
    writer.writeUnsigned(constraintFlags, bytes: 6)
    writer.writeBigEndian(levelIDC)
    return writer.bytes
  }
}

extension HEVCNALUnit {
  /// Returns a copy of a video or sequence parameter set with another general profile, tier and
  /// level.
  ///
  /// - Throws: `.invalidArgument` for a unit of another type, `.truncated` if the unit is too
  ///   short.
  ///
  /// Source: ITU-T H.265, 7.3.2.1 and 7.3.2.2: profile_tier_level begins after 4 bytes and 1 byte.
  package func replacing(
    _ profileTierLevel: HEVCProfileTierLevel
  ) throws(ImageError) -> HEVCNALUnit {
    let start: Int
    switch type {
    case .videoParameterSet: start = 4
    case .sequenceParameterSet: start = 1
    default:
      throw ImageError(
        .invalidArgument, "HEVC NAL units of type {type} do not contain a profile",
        ["type": type.rawValue])
    }
    var payload = rbsp
    let end = start + HEVCProfileTierLevel.size
    guard end <= payload.count else {
      throw ImageError(
        .truncated, "the HEVC parameter set has only {size byte}", ["size": payload.count])
    }
    payload.replaceSubrange(start..<end, with: profileTierLevel.bytes)
    return try HEVCNALUnit(header: bytes.prefix(2), rbsp: payload)
  }
}
