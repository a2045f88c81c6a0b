package import HDRCore

extension HEVCConfigurationBox {
  /// The record of a picture, with the fields that its sequence parameter set says.
  ///
  /// - Parameter units: The picture's units; all but the parameter sets are left out.
  /// - Throws: `.malformed` if one of the three kinds of parameter sets is missing; what reading
  ///   the sequence parameter set throws.
  package init(parameterSets units: [HEVCNALUnit]) throws(ImageError) {
    var arrays: [NALUnitArray] = []
    for kind in [
      HEVCNALUnit.Kind.videoParameterSet, .sequenceParameterSet, .pictureParameterSet,
    ] {
      let sets = units.filter { $0.kind == kind }.map { Array($0.bytes) }
      guard !sets.isEmpty else {
        throw ImageError(.hevcNALUnitMissing, ["type": kind.rawValue])
      }
      guard sets.count <= UInt16.max, sets.allSatisfy({ $0.count <= UInt16.max }) else {
        throw ImageError(.hevcTooManyParameterSets)
      }
      arrays.append(NALUnitArray(isComplete: true, type: kind, units: sets))
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
        .hevcConfigurationNotStorable, ["bits": set.lumaBitDepth, "layers": set.temporalLayerCount])
    }
    summarize(set)
  }

  /// The units of the record, in order.
  ///
  /// - Throws: `.malformed` for what is no unit.
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
  /// - Throws: `.malformed` if there is none; what reading it throws.
  package var sequenceParameterSet: HEVCSequenceParameterSet {
    get throws(ImageError) {
      let unit = try parameterSets.first { $0.kind == .sequenceParameterSet && $0.layerID == 0 }
      guard let unit else {
        throw ImageError(
          .missingElement, ["element": "the sequence parameter set"], at: .init(path: ["hvcC"]))
      }
      return try HEVCSequenceParameterSet(parsing: unit)
    }
  }

  /// Copies what the record repeats of a sequence parameter set.
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

  /// Where the record says something else than its sequence parameter set: the names of the fields.
  ///
  /// A summary of 0 for segmentation or layers says nothing, so it never disagrees; flags may be set
  /// only if the parameter set has them, and left out at will.
  ///
  /// Source: ISO/IEC 14496-15, 8.3.3.1.3.
  ///
  /// - Throws: What reading the parameter set throws.
  public var inconsistentFields: [String] {
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

  /// The record with its picture marked Main 10, if it is one in fact.
  ///
  /// Encoders mark 10-bit still pictures as format range extensions, which hardware decoders
  /// refuse. A 4:2:0 picture of at most 10 bits that uses no tool of the extensions is a Main 10
  /// picture, and decodes to the same samples.
  ///
  /// - Returns: The record with changed video and sequence parameter sets, or as it is.
  /// - Throws: What reading the parameter sets throws.
  ///
  /// Source: ITU-T H.265, A.3.3.
  public var markedMain10: HEVCConfigurationBox {
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
