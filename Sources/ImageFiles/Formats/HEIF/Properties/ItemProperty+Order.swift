// SPDX-License-Identifier: Apache-2.0
extension ItemProperty.Box {
  /// Whether a reader that does not support the property must ignore the item.
  ///
  /// Source: ISO/IEC 23000-22 (MIAF), 7.3.9, for transformations; AV1 Image File Format, 2.2.1 and
  /// 2.3.2.1.2; ISO/IEC 23008-12, 6.5.11.1.
  package var isEssentialByDefault: Bool {
    switch self {
    case .hevcConfiguration, .av1Configuration, .cleanAperture, .imageRotation, .imageMirror,
      .layerSelector, .av1OperatingPoint:
      true
    default: false
    }
  }

  /// Rank in the recommended order of an item's properties.
  ///
  /// A reader processes descriptive properties only up to the first transformative or unsupported
  /// one, so the least supported properties come last; transformative ones follow in the order of
  /// MIAF.
  ///
  /// Source: ISO/IEC 23008-12, 6.5.1; ISO/IEC 23000-22, 7.3.6.7.
  package var rank: Int {
    switch self {
    case .hevcConfiguration, .av1Configuration: 0
    case .imageSpatialExtents: 1
    case .colorInformation: 2
    case .pixelInformation: 3
    case .auxiliaryType: 4
    case .pixelAspectRatio: 5
    case .layerSelector, .av1LayeredImageIndexing, .av1OperatingPoint: 6
    case .contentLightLevel: 7
    case .masteringDisplayColorVolume: 8
    case .contentColorVolume: 9
    case .ambientViewingEnvironment: 10
    case .nominalDiffuseWhite: 11
    case .referenceViewingEnvironment: 12
    case .unknown, .unreadable: 13
    case .cleanAperture: 14
    case .imageRotation: 15
    case .imageMirror: 16
    }
  }
}

extension [ItemProperty] {
  /// The properties in the recommended order, which most readers support.
  package var inRecommendedOrder: [ItemProperty] {
    // A stable sort: the order of color descriptions is significant.
    enumerated().sorted { ($0.element.box.rank, $0.offset) < ($1.element.box.rank, $1.offset) }
      .map(\.element)
  }
}
