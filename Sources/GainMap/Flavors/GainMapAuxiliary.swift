/// The auxiliary pictures that HEIF and AVIF files hold gain maps in.
///
/// Told by the type in the `auxC` property; Apple's also stands in the XMP of its JPEG maps.
package enum GainMapAuxiliary: Hashable, Sendable {
  /// Described by Apple's XMP and maker note.
  case apple
  /// Described by Adobe's XMP; announced in the XMP of the base.
  case adobe
  /// Described by Adobe's XMP, beside a `tmap` item on the same samples.
  case samsung
  /// A gain map by its name, of a vendor not known here.
  case other(String)

  static let appleType = "urn:com:apple:photo:2020:aux:hdrgainmap"
  static let adobeType = "urn:com:photo:aux:hdrgainmap"
  static let samsungType = "urn:com:samsung:photo:2024:aux:hdrgainmap"

  /// The kind of an auxiliary picture; `nil` if it is no gain map.
  public init?(auxiliaryType: String) {
    switch auxiliaryType {
    case Self.appleType: self = .apple
    case Self.adobeType: self = .adobe
    case Self.samsungType: self = .samsung
    case let type where type.hasSuffix(":aux:hdrgainmap"): self = .other(type)
    default: return nil
    }
  }

  /// What the `auxC` property says.
  public var auxiliaryType: String {
    switch self {
    case .apple: Self.appleType
    case .adobe: Self.adobeType
    case .samsung: Self.samsungType
    case .other(let type): type
    }
  }
}
