internal import HDRCore

/// The SMPTE ST 2094-50 metadata of an output, which its ICC profile carries.
struct AdaptationPlan {
  private let use: ConversionOptions.AdaptationUse
  private let kept: HeadroomAdaptation?
  private let referenceWhite: Double

  /// - Returns: `nil` where there shall be none.
  /// - Throws: `.invalidArgument` where it is asked for and the output cannot carry it.
  init?(
    _ options: ConversionOptions, document: PictureDocument, referenceWhite: Double
  ) throws(ImageError) {
    use = options.adaptation
    self.referenceWhite = referenceWhite
    kept = use == .keep && options.rendering == nil ? document.adaptation : nil
    guard use != .none, use != .keep || kept != nil else { return nil }
    let hasCarrier =
      (options.transfer == .pq || options.transfer == .hlg) && options.format != .exr
      && options.signaling != .cicp
    if !hasCarrier {
      guard use == .keep else {
        throw ImageError(
          .invalidArgument, "ST 2094-50 metadata needs PQ or HLG with an ICC profile",
          remedy: "leave out --adaptation, or --signal both")
      }
      return nil
    }
    if case .value = options.icc {
      guard use == .keep else {
        throw ImageError(
          .invalidArgument, "a given ICC profile stays as it is, without ST 2094-50 metadata",
          remedy: "leave out --icc or --adaptation")
      }
      return nil
    }
  }

  /// The metadata, given the light of the picture that will be coded.
  func adaptation(measured light: LightLevels) throws(ImageError) -> HeadroomAdaptation {
    if let kept { return kept }
    let content = Headroom(stops: min(light.contentHeadroom.stops, 6))
    let toneMap =
      use == .referenceWhite
      ? AdaptiveToneMap(baselineHeadroom: content, method: .referenceWhite)
      : try .shoulder(content: content)
    let isDefault = referenceWhite == HDRDescription.defaultDiffuseWhite
    return HeadroomAdaptation(
      customReferenceWhite: isDefault ? nil : referenceWhite, toneMap: toneMap)
  }
}
