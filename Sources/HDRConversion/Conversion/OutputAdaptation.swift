// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// SMPTE ST 2094-50 metadata of an output: in its ICC profile, and in the bitstream of HEIF and AVIF.
struct OutputAdaptation {
  private let use: ConversionRequest.Metadata.Adaptation
  private let kept: HeadroomAdaptation?
  private let referenceWhite: Double
  /// Whether a generated ICC profile contains them.
  let goesIntoProfile: Bool
  /// Whether a message in the bitstream contains them.
  let goesIntoBitstream: Bool

  /// Chooses the carriers; `nil` without metadata.
  ///
  /// - Throws: `.invalidArgument` if metadata are requested that the output cannot store.
  init?(
    _ options: ConversionOptions, document: SourceImage, referenceWhite: Double
  ) throws(ImageError) {
    use = options.headroomAdaptation
    self.referenceWhite = referenceWhite
    kept = use == .keep && options.rendering == nil ? document.headroomAdaptation : nil
    guard use != .none, use != .keep || kept != nil else { return nil }
    let isHDR = options.transfer == .pq || options.transfer == .hlg
    goesIntoBitstream = isHDR && options.format.traits.carriesBitstreamMetadata
    let isGenerated = options.icc == .measure || options.icc == .keep
    goesIntoProfile =
      isHDR && options.format.traits.carriesICC && options.signaling != .cicp && isGenerated
    guard !goesIntoProfile, !goesIntoBitstream else { return }
    guard use == .keep else {
      throw ImageError(isGenerated || !isHDR ? .adaptationNeedsProfile : .adaptationProfileGiven)
    }
    return nil
  }

  /// Whether the metadata depend on measured light levels.
  var needsContentHeadroom: Bool { kept == nil }

  /// Returns the metadata.
  ///
  /// - Parameter light: Light levels of the output.
  /// - Returns: The metadata of the input, or those of the chosen operator.
  /// - Throws: `.invalidArgument` for a headroom that is not possible.
  func adaptation(measured light: LightLevels) throws(ImageError) -> HeadroomAdaptation {
    if let kept { return kept }
    let content = Headroom(stops: min(light.contentHeadroom.stops, 6))
    let toneMap: AdaptiveToneMap =
      switch use {
      case .referenceWhite: AdaptiveToneMap(baselineHeadroom: content, method: .referenceWhite)
      case .shoulder: try .shoulder(content: content)
      default:
        try .adaptive(content: ToneMapOperator.ContentStatistics(headroom: content, key: light.key))
      }
    let isDefault = referenceWhite == ColorEncoding.defaultReferenceWhite
    return HeadroomAdaptation(referenceWhite: isDefault ? nil : referenceWhite, toneMap: toneMap)
  }
}
