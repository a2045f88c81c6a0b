// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The configuration record of an AV1 item (`av1C`), which summarizes its sequence header.
///
/// Source: AV1 Codec ISO Media File Format Binding, 2.3.3.
package struct AV1ConfigurationBox: BoxContent {
  package static let boxType: FourCC = "av1C"

  /// seq_profile: 0 Main, 1 High, 2 Professional.
  package var profile: UInt8
  /// seq_level_idx_0, 0...31: level 2 + n / 4, with n % 4 after the dot; 31 is unlimited.
  package var level: UInt8
  /// Whether seq_tier_0 is High; the tier is Main otherwise.
  package var isHighTier: Bool
  /// Whether samples have more than 8 bits.
  package var isHighBitDepth: Bool
  /// Whether samples have 12 bits; requires `isHighBitDepth`.
  package var isTwelveBit: Bool
  /// Whether the image has luma only.
  package var isMonochrome: Bool
  /// Whether chroma has half the width of luma.
  package var isSubsampledHorizontally: Bool
  /// Whether chroma has half the height of luma.
  package var isSubsampledVertically: Bool
  /// chroma_sample_position: 0 unknown, 1 vertical (left), 2 colocated (top left).
  package var chromaSamplePosition: UInt8
  /// initial_presentation_delay_minus_one, 0...15; `nil` if absent.
  package var initialPresentationDelayMinusOne: UInt8?
  /// OBUs that precede those of the item; AVIF files should not have any.
  package var configurationOBUs: [UInt8]

  /// Creates a record without configuration OBUs.
  package init(
    profile: UInt8, level: UInt8, isHighTier: Bool, isHighBitDepth: Bool, isTwelveBit: Bool,
    isMonochrome: Bool, isSubsampledHorizontally: Bool, isSubsampledVertically: Bool,
    chromaSamplePosition: UInt8
  ) {
    self.profile = profile
    self.level = level
    self.isHighTier = isHighTier
    self.isHighBitDepth = isHighBitDepth
    self.isTwelveBit = isTwelveBit
    self.isMonochrome = isMonochrome
    self.isSubsampledHorizontally = isSubsampledHorizontally
    self.isSubsampledVertically = isSubsampledVertically
    self.chromaSamplePosition = chromaSamplePosition
    initialPresentationDelayMinusOne = nil
    configurationOBUs = []
  }

  /// Bits per sample: 8, 10 or 12.
  package var bitDepth: Int { isTwelveBit ? 12 : isHighBitDepth ? 10 : 8 }

  /// Chroma subsampling; `.yuv400` for an image with luma only.
  package var chroma: ChromaSubsampling {
    if isMonochrome { return .yuv400 }
    if isSubsampledVertically { return .yuv420 }
    return isSubsampledHorizontally ? .yuv422 : .yuv444
  }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    let marker: UInt8 = try reader.readBigEndian()
    guard marker == 0x81 else {
      throw reader.error(
        .unsupportedValue, ["field": "marker and version of 'av1C'", "value": marker])
    }
    let profileLevel: UInt8 = try reader.readBigEndian()
    profile = profileLevel >> 5
    level = profileLevel & 0x1F
    let bits: UInt8 = try reader.readBigEndian()
    isHighTier = bits & 0x80 != 0
    isHighBitDepth = bits & 0x40 != 0
    isTwelveBit = bits & 0x20 != 0
    isMonochrome = bits & 0x10 != 0
    isSubsampledHorizontally = bits & 8 != 0
    isSubsampledVertically = bits & 4 != 0
    chromaSamplePosition = bits & 3
    let delay: UInt8 = try reader.readBigEndian()
    initialPresentationDelayMinusOne = delay & 0x10 != 0 ? delay & 0xF : nil
    configurationOBUs = reader.readRest()
  }

  package func write(to writer: inout ByteWriter) {
    writer.writeBigEndian(0x81 as UInt8)
    writer.writeBigEndian(profile << 5 | level & 0x1F)
    var bits = chromaSamplePosition & 3
    let flags: [(Bool, UInt8)] = [
      (isHighTier, 0x80), (isHighBitDepth, 0x40), (isTwelveBit, 0x20), (isMonochrome, 0x10),
      (isSubsampledHorizontally, 8), (isSubsampledVertically, 4),
    ]
    for (isSet, bit) in flags where isSet { bits |= bit }
    writer.writeBigEndian(bits)
    writer.writeBigEndian(initialPresentationDelayMinusOne.map { 0x10 | $0 & 0xF } ?? 0)
    writer.write(configurationOBUs)
  }
}
