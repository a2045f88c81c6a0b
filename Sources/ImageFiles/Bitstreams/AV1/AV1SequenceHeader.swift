// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The AV1 sequence header: size, bit depth, color and required decoder profile and level.
///
/// Source: AV1 bitstream specification, 5.5.
package struct AV1SequenceHeader: Hashable, Sendable {
  /// 0 Main, 1 High, 2 Professional.
  package let profile: UInt8
  package let isStillPicture: Bool
  package let isReduced: Bool
  /// seq_level_idx[0].
  package let level: UInt8
  /// seq_tier[0].
  package let isHighTier: Bool
  /// Spatial layers of each operating point, one bit each; 0 without scalability.
  package let operatingPoints: [UInt8]
  package let widthBits: Int
  package let heightBits: Int
  package let maximumWidth: Int
  package let maximumHeight: Int
  package let bitDepth: Int
  package let isMonochrome: Bool
  package let isSubsampledHorizontally: Bool
  package let isSubsampledVertically: Bool
  /// chroma_sample_position: 0 unknown, 1 vertical (left), 2 colocated (top left).
  package let chromaSamplePosition: UInt8
  package let cicp: CICP
  package let hasFilmGrain: Bool

  package var chroma: ChromaSubsampling {
    if isMonochrome { return .yuv400 }
    if isSubsampledVertically { return .yuv420 }
    return isSubsampledHorizontally ? .yuv422 : .yuv444
  }

  /// Parses the first sequence header of an item.
  ///
  /// - Throws: `.malformed` if the item does not contain one; errors of parsing it.
  package init(ofItem bytes: [UInt8]) throws(ImageError) {
    let unit = try AV1OBU.split(bytes, through: .sequenceHeader).last
    guard let unit, unit.type == .sequenceHeader else {
      throw ImageError(.missingElement, ["element": "the AV1 sequence header"])
    }
    try self.init(parsing: unit)
  }

  /// Parses a unit of obu_type 1.
  ///
  /// - Throws: `.truncated`, or `.malformed` for reserved values.
  package init(parsing unit: AV1OBU) throws(ImageError) {
    var reader = BitReader(Array(unit.payload))
    do throws(ImageError) {
      try self.init(parsing: &reader)
    } catch {
      throw error.inside("sequence header")
    }
  }

  private init(parsing reader: inout BitReader) throws(ImageError) {
    profile = UInt8(try reader.read(3))
    guard profile <= 2 else {
      throw ImageError(.unsupportedValue, ["field": "seq_profile", "value": profile])
    }
    isStillPicture = try reader.readFlag()
    isReduced = try reader.readFlag()
    if isReduced {
      level = UInt8(try reader.read(5))
      (isHighTier, operatingPoints) = (false, [0])
    } else {
      (level, isHighTier, operatingPoints) = try Self.readOperatingPoints(&reader)
    }
    widthBits = Int(try reader.read(4)) + 1
    heightBits = Int(try reader.read(4)) + 1
    maximumWidth = Int(try reader.read(widthBits)) + 1
    maximumHeight = Int(try reader.read(heightBits)) + 1
    if !isReduced, try reader.readFlag() { try reader.skip(4 + 3) }
    // Superblock size, filter_intra, intra_edge_filter.
    try reader.skip(3)
    if !isReduced { try Self.skipInterTools(&reader) }
    // superres, cdef, restoration.
    try reader.skip(3)
    let color = try AV1ColorConfiguration(parsing: &reader, profile: profile)
    bitDepth = color.bitDepth
    isMonochrome = color.isMonochrome
    isSubsampledHorizontally = color.isSubsampledHorizontally
    isSubsampledVertically = color.isSubsampledVertically
    chromaSamplePosition = color.chromaSamplePosition
    cicp = color.cicp
    hasFilmGrain = try reader.readFlag()
  }

  /// Reads timing information and operating points; returns level and tier of the first, and the
  /// spatial layers of each.
  private static func readOperatingPoints(
    _ reader: inout BitReader
  ) throws(ImageError) -> (level: UInt8, isHighTier: Bool, operatingPoints: [UInt8]) {
    var delayBits: Int?
    if try reader.readFlag() {
      try reader.skip(64)
      if try reader.readFlag() { _ = try reader.readExpGolomb() }
      if try reader.readFlag() {
        delayBits = Int(try reader.read(5)) + 1
        try reader.skip(32 + 5 + 5)
      }
    }
    let hasDisplayDelay = try reader.readFlag()
    var first: (level: UInt8, isHighTier: Bool)?
    var layers: [UInt8] = []
    for _ in 0...(try reader.read(5)) {
      layers.append(UInt8(try reader.read(12) >> 8))
      let level = UInt8(try reader.read(5))
      let isHighTier = level > 7 ? try reader.readFlag() : false
      first = first ?? (level, isHighTier)
      if let delayBits, try reader.readFlag() { try reader.skip(2 * delayBits + 1) }
      if hasDisplayDelay, try reader.readFlag() { try reader.skip(4) }
    }
    return (first?.level ?? 0, first?.isHighTier ?? false, layers)
  }

  /// Skips the coding tools of inter prediction.
  private static func skipInterTools(_ reader: inout BitReader) throws(ImageError) {
    // interintra, masked, warped motion, dual filter.
    try reader.skip(4)
    let hasOrderHint = try reader.readFlag()
    if hasOrderHint { try reader.skip(2) }
    let selectsContentTools = try reader.readFlag()
    let mayForceContentTools = selectsContentTools ? true : try reader.readFlag()
    if mayForceContentTools, try !reader.readFlag() { try reader.skip(1) }
    if hasOrderHint { try reader.skip(3) }
  }
}

/// Source: AV1 bitstream specification, 5.5.2 (color_config).
private struct AV1ColorConfiguration {
  let bitDepth: Int
  let isMonochrome: Bool
  let isSubsampledHorizontally: Bool
  let isSubsampledVertically: Bool
  let chromaSamplePosition: UInt8
  let cicp: CICP

  init(parsing reader: inout BitReader, profile: UInt8) throws(ImageError) {
    let isHighBitDepth = try reader.readFlag()
    let isTwelveBit = profile == 2 && isHighBitDepth ? try reader.readFlag() : false
    bitDepth = isTwelveBit ? 12 : isHighBitDepth ? 10 : 8
    isMonochrome = profile == 1 ? false : try reader.readFlag()
    var cicp = CICP(primaries: .unspecified, transfer: .unspecified, matrix: .unspecified)
    if try reader.readFlag() {
      cicp.primaries = .init(rawValue: UInt16(try reader.read(8)))
      cicp.transfer = .init(rawValue: UInt16(try reader.read(8)))
      cicp.matrix = .init(rawValue: UInt16(try reader.read(8)))
    }
    if isMonochrome {
      cicp.isFullRange = try reader.readFlag()
      (isSubsampledHorizontally, isSubsampledVertically) = (true, true)
      chromaSamplePosition = 0
      self.cicp = cicp
      return
    }
    if cicp.primaries == .bt709 && cicp.transfer == .srgb && cicp.matrix == .identity {
      cicp.isFullRange = true
      (isSubsampledHorizontally, isSubsampledVertically) = (false, false)
    } else {
      cicp.isFullRange = try reader.readFlag()
      switch (profile, bitDepth) {
      case (0, _): (isSubsampledHorizontally, isSubsampledVertically) = (true, true)
      case (1, _): (isSubsampledHorizontally, isSubsampledVertically) = (false, false)
      case (_, 12):
        isSubsampledHorizontally = try reader.readFlag()
        isSubsampledVertically = isSubsampledHorizontally ? try reader.readFlag() : false
      default: (isSubsampledHorizontally, isSubsampledVertically) = (true, false)
      }
    }
    let hasPosition = isSubsampledHorizontally && isSubsampledVertically
    chromaSamplePosition = hasPosition ? UInt8(try reader.read(2)) : 0
    // separate_uv_delta_q.
    try reader.skip(1)
    self.cicp = cicp
  }
}

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
