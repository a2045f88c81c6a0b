// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension HEVCConfigurationBox {
  /// Returns the configuration record with the coded picture cropped at the right and bottom.
  ///
  /// The conformance window of the sequence parameter set is changed; coded samples are not. The
  /// window consists of whole chroma samples, so with subsampled chroma an odd width or height is
  /// rounded up to an even one.
  ///
  /// - Parameters:
  ///   - width: Width of the cropped image, in luma samples; at most the coded width less the left
  ///     edge of the present window, else nothing is cropped at the right.
  ///   - height: Height of the cropped image, in luma samples; as `width`.
  /// - Returns: The record with the changed sequence parameter sets.
  /// - Throws: Errors of parsing the sequence parameter set.
  ///
  /// Source: ITU-T H.265, 7.4.3.2.1 (conf_win_right_offset).
  package func cropped(width: Int, height: Int) throws(ImageError) -> HEVCConfigurationBox {
    let set = try sequenceParameterSet
    var window = set.conformanceWindow
    window.right = set.codedWidth - window.left - width
    window.bottom = set.codedHeight - window.top - height
    var cropped = self
    for (index, array) in arrays.enumerated() where array.type == .sequenceParameterSet {
      var units: [[UInt8]] = []
      for unit in array.units {
        units.append(Array(try HEVCNALUnit(unit[...]).replacing(window, in: set).bytes))
      }
      cropped.arrays[index].units = units
    }
    // Parse the result: a parameter set that was parsed beyond its final bit is now malformed.
    _ = try cropped.sequenceParameterSet
    return cropped
  }
}

extension HEVCNALUnit {
  /// Returns a copy of a sequence parameter set with another conformance window.
  ///
  /// Source: ITU-T H.265, 7.3.2.2.1.
  fileprivate func replacing(
    _ window: HEVCSequenceParameterSet.Window, in set: HEVCSequenceParameterSet
  ) throws(ImageError) -> HEVCNALUnit {
    let payload = rbsp
    var reader = BitReader(payload)
    try reader.skip(8)
    _ = try HEVCProfileTierLevel(parsing: &reader, layers: set.temporalLayerCount)
    for _ in 0..<2 { _ = try reader.readExpGolomb() }
    if set.chromaFormat == 3 { try reader.skip(1) }
    for _ in 0..<2 { _ = try reader.readExpGolomb() }
    let start = reader.position
    if try reader.readFlag() { for _ in 0..<4 { _ = try reader.readExpGolomb() } }

    var bits = BitAppender()
    bits.append(payload, from: 0, to: start)
    bits.append(1, count: 1)
    let (horizontal, vertical) = (set.chroma.horizontal, set.chroma.vertical)
    for (length, unit) in [
      (window.left, horizontal), (window.right, horizontal), (window.top, vertical),
      (window.bottom, vertical),
    ] {
      bits.appendExpGolomb(UInt32(clamping: length / unit))
    }
    // rbsp_stop_one_bit ends the payload; zero bits up to the next byte follow it.
    guard let last = payload.lastIndex(where: { $0 != 0 }) else {
      throw ImageError(.invalidValue, ["field": "parameter set", "value": "empty"])
    }
    let end = 8 * last + 7 - payload[last].trailingZeroBitCount
    bits.append(payload, from: reader.position, to: end)
    bits.append(1, count: 1)
    return try HEVCNALUnit(header: bytes.prefix(2), rbsp: bits.bytes)
  }
}

/// Appends bits, most significant bit of each byte first.
private struct BitAppender {
  private(set) var bytes: [UInt8] = []
  private var count = 0

  /// Appends the low `count` bits of `value`.
  mutating func append(_ value: UInt64, count: Int) {
    for bit in stride(from: count - 1, through: 0, by: -1) {
      if self.count & 7 == 0 { bytes.append(0) }
      bytes[bytes.count - 1] |= UInt8(value >> UInt64(bit) & 1) << UInt8(7 - self.count & 7)
      self.count += 1
    }
  }

  /// Appends the bits `start..<end` of `source`.
  mutating func append(_ source: [UInt8], from start: Int, to end: Int) {
    for position in start..<max(start, end) {
      append(UInt64(source[position >> 3] >> UInt8(7 - position & 7) & 1), count: 1)
    }
  }

  /// Source: ITU-T H.265, 9.2.
  mutating func appendExpGolomb(_ value: UInt32) {
    let code = UInt64(value) + 1
    let length = 64 - code.leadingZeroBitCount
    append(code, count: 2 * length - 1)
  }
}

extension HEVCConfigurationBox {
  /// Creates the configuration record of an image from its parameter sets.
  ///
  /// The summary fields are copied from the sequence parameter set.
  ///
  /// - Parameter units: NAL units of the image; only parameter sets are kept.
  /// - Throws: `.malformed` if one of the three types of parameter sets is missing; `.unsupported`
  ///   if the record cannot store a value; errors of parsing the sequence parameter set.
  package init(parameterSets units: [HEVCNALUnit]) throws(ImageError) {
    var arrays: [NALUnitArray] = []
    for type in [
      HEVCNALUnit.UnitType.videoParameterSet, .sequenceParameterSet, .pictureParameterSet,
    ] {
      let sets = units.filter { $0.type == type }.map { Array($0.bytes) }
      guard !sets.isEmpty else {
        throw ImageError(
          .malformed, "HEVC NAL unit of type {type} is missing", ["type": type.rawValue])
      }
      guard sets.count <= UInt16.max, sets.allSatisfy({ $0.count <= UInt16.max }) else {
        throw ImageError(.malformed, "more parameter sets than 'hvcC' can store")
      }
      arrays.append(NALUnitArray(isComplete: true, type: type, units: sets))
    }
    let placeholder = HEVCProfileTierLevel(
      profileIDC: 0, compatibilityFlags: 0, constraintFlags: 0, levelIDC: 0)
    self.init(
      profileTierLevel: placeholder, chromaFormat: 0, lumaBitDepth: 8, chromaBitDepth: 8,
      arrays: arrays)
    let set = try sequenceParameterSet
    guard max(set.lumaBitDepth, set.chromaBitDepth) <= 15, set.temporalLayerCount <= 7,
      set.usability?.minimumSpatialSegmentation ?? 0 <= 0xFFF
    else {
      throw ImageError(
        .unsupported, "'hvcC' cannot store {bits bit} with {layers temporal layer}",
        ["bits": set.lumaBitDepth, "layers": set.temporalLayerCount])
    }
    summarize(set)
  }

  /// NAL units of the record, in order.
  ///
  /// - Throws: `.malformed` for an invalid NAL unit header.
  package var parameterSets: [HEVCNALUnit] {
    get throws(ImageError) {
      var units: [HEVCNALUnit] = []
      for array in arrays {
        for unit in array.units { units.append(try HEVCNALUnit(unit[...])) }
      }
      return units
    }
  }

  /// The first sequence parameter set of the base layer.
  ///
  /// - Throws: `.malformed` if it is missing; errors of parsing it.
  package var sequenceParameterSet: HEVCSequenceParameterSet {
    get throws(ImageError) {
      let unit = try parameterSets.first { $0.type == .sequenceParameterSet && $0.layerID == 0 }
      guard let unit else {
        throw ImageError(
          .missingElement, ["element": "the sequence parameter set"], at: .init(path: ["hvcC"]))
      }
      return try HEVCSequenceParameterSet(parsing: unit)
    }
  }

  /// Copies the fields that the record repeats from a sequence parameter set.
  ///
  /// Source: ISO/IEC 14496-15, 8.3.3.1.2 and 8.3.3.1.3.
  private mutating func summarize(_ set: HEVCSequenceParameterSet) {
    profileTierLevel = set.profileTierLevel
    minimumSpatialSegmentation = set.usability?.minimumSpatialSegmentation ?? 0
    chromaFormat = set.chromaFormat
    lumaBitDepth = UInt8(set.lumaBitDepth)
    chromaBitDepth = UInt8(set.chromaBitDepth)
    temporalLayerCount = UInt8(set.temporalLayerCount)
    isTemporalIDNested = set.isTemporalIDNested
  }

  /// Names of the fields that contradict the sequence parameter set; empty if the record agrees.
  ///
  /// Names are those of the standard, such as `general_profile_idc` or `chromaFormat`. A value of 0
  /// for segmentation or temporal layers means unspecified and is never inconsistent. Compatibility
  /// and constraint flags may be set only if the parameter set has them set; they may be omitted.
  ///
  /// - Throws: `.malformed` if the parameter set is missing; errors of parsing it.
  ///
  /// Source: ISO/IEC 14496-15, 8.3.3.1.3.
  package var inconsistentFields: [String] {
    get throws(ImageError) {
      var expected = self
      expected.summarize(try sequenceParameterSet)
      let fields: [(String, Bool)] = [
        (
          "general_profile_space",
          profileTierLevel.profileSpace == expected.profileTierLevel.profileSpace
        ),
        ("general_tier_flag", profileTierLevel.isHighTier == expected.profileTierLevel.isHighTier),
        (
          "general_profile_idc", profileTierLevel.profileIDC == expected.profileTierLevel.profileIDC
        ),
        (
          "general_profile_compatibility_flags",
          profileTierLevel.compatibilityFlags & ~expected.profileTierLevel.compatibilityFlags == 0
        ),
        (
          "general_constraint_indicator_flags",
          profileTierLevel.constraintFlags & ~expected.profileTierLevel.constraintFlags == 0
        ),
        ("general_level_idc", profileTierLevel.levelIDC == expected.profileTierLevel.levelIDC),
        (
          "min_spatial_segmentation_idc",
          minimumSpatialSegmentation == 0
            || minimumSpatialSegmentation == expected.minimumSpatialSegmentation
        ),
        ("chromaFormat", chromaFormat == expected.chromaFormat),
        ("bitDepthLumaMinus8", lumaBitDepth == expected.lumaBitDepth),
        ("bitDepthChromaMinus8", chromaBitDepth == expected.chromaBitDepth),
        (
          "numTemporalLayers",
          temporalLayerCount == 0 || temporalLayerCount == expected.temporalLayerCount
        ),
      ]
      return fields.filter { !$0.1 }.map(\.0)
    }
  }

  /// The record with the fields of its sequence parameter set.
  ///
  /// - Throws: Errors of parsing the parameter set.
  package var corrected: HEVCConfigurationBox {
    get throws(ImageError) {
      guard try !inconsistentFields.isEmpty else { return self }
      var box = self
      box.summarize(try sequenceParameterSet)
      return box
    }
  }

  /// The record with the Main 10 profile, if the image conforms to it.
  ///
  /// Encoders signal the format range extensions profile for 10-bit still images, which hardware
  /// decoders reject. A 4:2:0 image of at most 10 bits that uses no tool of the extensions conforms
  /// to Main 10 and decodes to the same samples.
  ///
  /// - Returns: The record with changed video and sequence parameter sets, or an unchanged copy.
  /// - Throws: `.malformed` if the sequence parameter set is missing; errors of parsing the sets.
  ///
  /// Source: ITU-T H.265, A.3.3.
  package var markedMain10: HEVCConfigurationBox {
    get throws(ImageError) {
      let set = try sequenceParameterSet
      guard !profileTierLevel.isCompatible(with: 1), !profileTierLevel.isCompatible(with: 2),
        set.chromaFormat == 1, max(set.lumaBitDepth, set.chromaBitDepth) <= 10,
        !set.usesRangeExtensions
      else { return self }
      var marked = self
      let main10 = set.profileTierLevel.main10
      for (index, array) in arrays.enumerated() {
        guard array.type == .videoParameterSet || array.type == .sequenceParameterSet else {
          continue
        }
        var units: [[UInt8]] = []
        for unit in array.units {
          units.append(Array(try HEVCNALUnit(unit[...]).replacing(main10).bytes))
        }
        marked.arrays[index].units = units
      }
      marked.profileTierLevel = main10
      return marked
    }
  }
}
