// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The video parameter set, as far as needed for still images.
///
/// Source: ITU-T H.265, 7.3.2.1.
package struct HEVCVideoParameterSet: Hashable, Sendable {
  package let id: UInt8
  package let temporalLayerCount: Int
  package let isTemporalIDNested: Bool
  package let profileTierLevel: HEVCProfileTierLevel

  /// Parses a unit of nal_unit_type 32.
  ///
  /// - Throws: `.truncated` if the unit is too short.
  package init(parsing unit: HEVCNALUnit) throws(ImageError) {
    var reader = BitReader(unit.rbsp)
    do throws(ImageError) {
      id = UInt8(try reader.read(4))
      try reader.skip(8)
      temporalLayerCount = Int(try reader.read(3)) + 1
      isTemporalIDNested = try reader.readFlag()
      try reader.skip(16)
      profileTierLevel = try HEVCProfileTierLevel(parsing: &reader, layers: temporalLayerCount)
    } catch {
      throw error.inside("VPS")
    }
  }
}
