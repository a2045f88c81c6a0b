// SPDX-License-Identifier: Apache-2.0
/// Kinds of auxiliary images of HEIF and AVIF that are gain maps.
///
/// Specified by the type in the `auxC` property; Apple's is also in the XMP of JPEG gain maps.
package enum GainMapAuxiliary: Hashable, Sendable {
  /// With Apple XMP and maker note.
  case apple
  /// With Adobe XMP; announced in the XMP of the baseline image.
  case adobe
  /// With Adobe XMP and a `tmap` item.
  case samsung
  /// A gain map of an unknown vendor.
  case other(String)

  static let appleType = "urn:com:apple:photo:2020:aux:hdrgainmap"
  static let adobeType = "urn:com:photo:aux:hdrgainmap"
  static let samsungType = "urn:com:samsung:photo:2024:aux:hdrgainmap"

  /// Flavor of an auxiliary image; `nil` if it is not a gain map.
  package init?(auxiliaryType: String) {
    switch auxiliaryType {
    case Self.appleType: self = .apple
    case Self.adobeType: self = .adobe
    case Self.samsungType: self = .samsung
    case let type where type.hasSuffix(":aux:hdrgainmap"): self = .other(type)
    default: return nil
    }
  }

  /// Type in the `auxC` property.
  package var auxiliaryType: String {
    switch self {
    case .apple: Self.appleType
    case .adobe: Self.adobeType
    case .samsung: Self.samsungType
    case .other(let type): type
    }
  }
}
