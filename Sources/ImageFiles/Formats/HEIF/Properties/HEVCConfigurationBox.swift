// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The configuration record of an HEVC item (`hvcC`): parameter sets and a summary of them.
///
/// Source: ISO/IEC 14496-15, 8.3.3.1 (HEVCDecoderConfigurationRecord).
package struct HEVCConfigurationBox: BoxContent {
  package static let boxType: FourCC = "hvcC"

  /// NAL units of one type.
  package struct NALUnitArray: Hashable, Sendable {
    /// Whether the item's data do not contain further units of this type.
    package var isComplete: Bool
    package var type: HEVCNALUnit.UnitType
    /// The NAL units, without length fields.
    package var units: [[UInt8]]

    package init(isComplete: Bool, type: HEVCNALUnit.UnitType, units: [[UInt8]]) {
      self.isComplete = isComplete
      self.type = type
      self.units = units
    }
  }

  package var profileTierLevel: HEVCProfileTierLevel
  /// min_spatial_segmentation_idc, 0...4095; 0 if unspecified.
  package var minimumSpatialSegmentation: UInt16
  /// parallelismType: 0 unknown or mixed, 1 slices, 2 tiles, 3 entropy-coding synchronization.
  package var parallelismType: UInt8
  /// chroma_format_idc: 0 monochrome, 1 4:2:0, 2 4:2:2, 3 4:4:4.
  package var chromaFormat: UInt8
  /// Bits per luma sample, 8...15.
  package var lumaBitDepth: UInt8
  /// Bits per chroma sample, 8...15.
  package var chromaBitDepth: UInt8
  /// avgFrameRate: frames in 256 seconds; 0 if unspecified.
  package var averageFrameRate: UInt16
  /// constantFrameRate, 0...3: 0 if unspecified.
  package var constantFrameRate: UInt8
  /// Number of temporal layers, 0...7; 0 if unknown.
  package var temporalLayerCount: UInt8
  /// temporalIdNested.
  package var isTemporalIDNested: Bool
  /// Size of the length before each NAL unit in the item's data, in bytes: 1, 2 or 4; a file may
  /// contain the invalid value 3.
  package var nalLengthSize: Int
  /// Parameter sets and SEI messages, by type.
  package var arrays: [NALUnitArray]

  /// Creates a record for a still image: without frame rate, one temporal layer.
  package init(
    profileTierLevel: HEVCProfileTierLevel, chromaFormat: UInt8, lumaBitDepth: UInt8,
    chromaBitDepth: UInt8, arrays: [NALUnitArray]
  ) {
    self.profileTierLevel = profileTierLevel
    minimumSpatialSegmentation = 0
    parallelismType = 0
    self.chromaFormat = chromaFormat
    self.lumaBitDepth = lumaBitDepth
    self.chromaBitDepth = chromaBitDepth
    averageFrameRate = 0
    constantFrameRate = 0
    temporalLayerCount = 1
    isTemporalIDNested = true
    nalLengthSize = 4
    self.arrays = arrays
  }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    let version: UInt8 = try reader.readBigEndian()
    // Early encoders write 0; libheif accepts it.
    guard version <= 1 else {
      throw reader.error(.unsupportedValue, ["field": "version of 'hvcC'", "value": version])
    }
    let profile: UInt8 = try reader.readBigEndian()
    profileTierLevel = HEVCProfileTierLevel(
      profileSpace: profile >> 6, isHighTier: profile & 0x20 != 0, profileIDC: profile & 0x1F,
      compatibilityFlags: try reader.readBigEndian(),
      constraintFlags: try reader.readUnsigned(bytes: 6), levelIDC: try reader.readBigEndian())
    minimumSpatialSegmentation = try reader.readBigEndian() & 0xFFF
    parallelismType = try reader.readBigEndian() & 3
    chromaFormat = try reader.readBigEndian() & 3
    lumaBitDepth = try reader.readBigEndian() & 7 + 8
    chromaBitDepth = try reader.readBigEndian() & 7 + 8
    averageFrameRate = try reader.readBigEndian()
    let layers: UInt8 = try reader.readBigEndian()
    constantFrameRate = layers >> 6
    temporalLayerCount = layers >> 3 & 7
    isTemporalIDNested = layers & 4 != 0
    nalLengthSize = Int(layers & 3) + 1
    let count: UInt8 = try reader.readBigEndian()
    arrays = []
    for _ in 0..<count {
      let head: UInt8 = try reader.readBigEndian()
      var array = NALUnitArray(
        isComplete: head & 0x80 != 0, type: .init(rawValue: head & 0x3F), units: [])
      for _ in 0..<(try reader.readBigEndian(as: UInt16.self)) {
        let length: UInt16 = try reader.readBigEndian()
        array.units.append(try reader.readBytes(Int(length)))
      }
      arrays.append(array)
    }
  }

  package func write(to writer: inout ByteWriter) {
    let general = profileTierLevel
    writer.writeBigEndian(1 as UInt8)
    writer.writeBigEndian(
      general.profileSpace << 6 | (general.isHighTier ? 0x20 : 0) | general.profileIDC & 0x1F)
    writer.writeBigEndian(general.compatibilityFlags)
    writer.writeUnsigned(general.constraintFlags, bytes: 6)
    writer.writeBigEndian(general.levelIDC)
    writer.writeBigEndian(0xF000 | minimumSpatialSegmentation & 0xFFF)
    writer.writeBigEndian(0xFC | parallelismType & 3)
    writer.writeBigEndian(0xFC | chromaFormat & 3)
    writer.writeBigEndian(0xF8 | (lumaBitDepth &- 8) & 7)
    writer.writeBigEndian(0xF8 | (chromaBitDepth &- 8) & 7)
    writer.writeBigEndian(averageFrameRate)
    writer.writeBigEndian(
      constantFrameRate << 6 | (temporalLayerCount & 7) << 3 | (isTemporalIDNested ? 4 : 0)
        | UInt8(truncatingIfNeeded: nalLengthSize - 1) & 3)
    writer.writeBigEndian(UInt8(arrays.count))
    for array in arrays {
      writer.writeBigEndian((array.isComplete ? 0x80 : 0) | array.type.rawValue & 0x3F)
      writer.writeBigEndian(UInt16(array.units.count))
      for unit in array.units {
        writer.writeBigEndian(UInt16(unit.count))
        writer.write(unit)
      }
    }
  }
}
