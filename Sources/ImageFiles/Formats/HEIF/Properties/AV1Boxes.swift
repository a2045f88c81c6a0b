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

/// Operating point to decode of a scalable AV1 image (`a1op`).
///
/// Source: AV1 Image File Format, 2.3.2.1.
package struct AV1OperatingPointBox: BoxContent {
  package static let boxType: FourCC = "a1op"

  /// Index of the operating point to decode, 0...31.
  package var index: UInt8

  package init(index: UInt8) { self.index = index }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    index = try reader.readBigEndian()
  }

  package func write(to writer: inout ByteWriter) { writer.writeBigEndian(index) }
}

/// Spatial layer of a coded image to display (`lsel`).
///
/// Source: ISO/IEC 23008-12, 6.5.11.
package struct LayerSelectorBox: BoxContent {
  package static let boxType: FourCC = "lsel"

  /// Identifier of the layer; 0xFFFF for progressive display of all layers.
  package var layerID: UInt16

  /// The layer to decode; `nil` for all of them.
  package var layer: Int? { layerID == 0xFFFF ? nil : Int(layerID) }

  package init(layerID: UInt16) { self.layerID = layerID }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    layerID = try reader.readBigEndian()
  }

  package func write(to writer: inout ByteWriter) { writer.writeBigEndian(layerID) }
}

/// Sizes of the layers of a layered AV1 image (`a1lx`).
///
/// Source: AV1 Image File Format, 2.3.2.3.
package struct AV1LayeredImageIndexingBox: BoxContent {
  package static let boxType: FourCC = "a1lx"

  /// Sizes of the first three layers in bytes, 0 for none; other bytes belong to the last layer.
  package var layerSizes: [UInt32]
  private var hasLargeSizes: Bool

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    hasLargeSizes = try reader.readBigEndian(as: UInt8.self) & 1 == 1
    layerSizes = []
    for _ in 0..<3 {
      layerSizes.append(
        UInt32(truncatingIfNeeded: try reader.readUnsigned(bytes: hasLargeSizes ? 4 : 2)))
    }
  }

  package func write(to writer: inout ByteWriter) {
    writer.writeBigEndian(UInt8(hasLargeSizes ? 1 : 0))
    for size in layerSizes { writer.writeUnsigned(UInt64(size), bytes: hasLargeSizes ? 4 : 2) }
  }
}
