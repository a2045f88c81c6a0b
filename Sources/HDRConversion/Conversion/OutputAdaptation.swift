internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// The SMPTE ST 2094-50 metadata of an output: in its ICC profile, and in the bitstream of HEIF and
/// AVIF.
struct OutputAdaptation {
  private let use: ConversionOptions.AdaptationUse
  private let kept: HeadroomAdaptation?
  private let referenceWhite: Double
  /// Whether a profile of our making carries it.
  let goesIntoProfile: Bool
  /// Whether a message in the bitstream carries it.
  let goesIntoBitstream: Bool

  /// - Returns: `nil` where there shall be none.
  /// - Throws: `.invalidArgument` where it is asked for and the output cannot carry it.
  init?(
    _ options: ConversionOptions, document: SourceImage, referenceWhite: Double
  ) throws(ImageError) {
    use = options.adaptation
    self.referenceWhite = referenceWhite
    kept = use == .keep && options.rendering == nil ? document.adaptation : nil
    guard use != .none, use != .keep || kept != nil else { return nil }
    let hasLight = options.transfer == .pq || options.transfer == .hlg
    goesIntoBitstream = hasLight && options.format.traits.carriesBitstreamMetadata
    let isOurs =
      switch options.icc {
      case .value, .none: false
      case .automatic, .keep: true
      }
    goesIntoProfile =
      hasLight && options.format.traits.carriesICC && options.signaling != .cicp && isOurs
    guard !goesIntoProfile, !goesIntoBitstream else { return }
    guard use == .keep else {
      throw ImageError(isOurs || !hasLight ? .adaptationNeedsProfile : .adaptationProfileGiven)
    }
    return nil
  }

  /// Whether the metadata depends on the light of the picture.
  var needsContentHeadroom: Bool { kept == nil }

  /// The metadata, given the light of the picture that will be coded.
  func adaptation(measured light: LightLevels) throws(ImageError) -> HeadroomAdaptation {
    if let kept { return kept }
    let content = Headroom(stops: min(light.contentHeadroom.stops, 6))
    let toneMap =
      use == .referenceWhite
      ? AdaptiveToneMap(baselineHeadroom: content, method: .referenceWhite)
      : try .shoulder(content: content)
    let isDefault = referenceWhite == LightMetadata.defaultDiffuseWhite
    return HeadroomAdaptation(
      customReferenceWhite: isDefault ? nil : referenceWhite, toneMap: toneMap)
  }
}
