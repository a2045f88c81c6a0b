// SPDX-License-Identifier: Apache-2.0
extension AV1ConfigurationBox {
  /// Configuration record of an image with this sequence header.
  ///
  /// Source: AV1 Codec ISO Media File Format Binding, 2.3.4.
  package init(_ header: AV1SequenceHeader) {
    self.init(
      profile: header.profile, level: header.level, isHighTier: header.isHighTier,
      isHighBitDepth: header.bitDepth > 8, isTwelveBit: header.bitDepth == 12,
      isMonochrome: header.isMonochrome,
      isSubsampledHorizontally: header.isSubsampledHorizontally,
      isSubsampledVertically: header.isSubsampledVertically,
      chromaSamplePosition: header.chromaSamplePosition)
  }

  /// Names of the fields that differ from those of a sequence header.
  ///
  /// `chroma_sample_position` is compared only if chroma is subsampled vertically: sequence headers
  /// contain it only for 4:2:0.
  package func inconsistentFields(with header: AV1SequenceHeader) -> [String] {
    let expected = AV1ConfigurationBox(header)
    let fields: [(String, Bool)] = [
      ("seq_profile", profile == expected.profile),
      ("seq_level_idx_0", level == expected.level),
      ("seq_tier_0", isHighTier == expected.isHighTier),
      ("high_bitdepth", isHighBitDepth == expected.isHighBitDepth),
      ("twelve_bit", isTwelveBit == expected.isTwelveBit),
      ("monochrome", isMonochrome == expected.isMonochrome),
      ("chroma_subsampling_x", isSubsampledHorizontally == expected.isSubsampledHorizontally),
      ("chroma_subsampling_y", isSubsampledVertically == expected.isSubsampledVertically),
      (
        "chroma_sample_position",
        !isSubsampledVertically || chromaSamplePosition == expected.chromaSamplePosition
      ),
    ]
    return fields.filter { !$0.1 }.map(\.0)
  }

  /// Returns the record with the fields of a sequence header, and without a copy of the header.
  package func corrected(with header: AV1SequenceHeader) -> AV1ConfigurationBox {
    var box = inconsistentFields(with: header).isEmpty ? self : AV1ConfigurationBox(header)
    box.initialPresentationDelayMinusOne = initialPresentationDelayMinusOne
    let units = (try? AV1OBU.split(configurationOBUs)) ?? []
    let isCopy = !units.isEmpty && units.allSatisfy { $0.type == .sequenceHeader }
    box.configurationOBUs = isCopy ? [] : configurationOBUs
    return box
  }
}
