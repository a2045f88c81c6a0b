package import ImageContainers

/// Adobe's gain-map metadata in XMP, with the prefix `hdrgm`: that of Ultra HDR JPEG, of Camera Raw,
/// and of auxiliary pictures in HEIF and AVIF.
///
/// Names speak of renditions, SDR and HDR, where ISO 21496-1 speaks of base and alternate; which of
/// the two is the base is a property of its own.
///
/// Source: Ultra HDR Image Format v1.0, "XMP attributes"; Adobe, "Gain map 1.0".
package enum GainMapXMP {
  public static let namespace = "http://ns.adobe.com/hdr-gain-map/1.0/"
  public static let prefix = "hdrgm"
  /// The version that is read.
  public static let version = "1.0"

  /// The property that the base's own packet has to announce a gain map.
  public static let versionName = name("Version")

  static func name(_ local: String) -> XMPName { XMPName(namespace, local) }

  /// The numbers of the format.
  enum Field: String, CaseIterable {
    case minimum = "GainMapMin"
    case maximum = "GainMapMax"
    case gamma = "Gamma"
    case offsetSDR = "OffsetSDR"
    case offsetHDR = "OffsetHDR"
    case capacityMinimum = "HDRCapacityMin"
    case capacityMaximum = "HDRCapacityMax"

    /// What absence means; `nil` for numbers that must be there.
    var standing: String? {
      switch self {
      case .maximum, .capacityMaximum: nil
      case .gamma: "1"
      case .minimum, .capacityMinimum: "0"
      case .offsetSDR, .offsetHDR: "0.015625"
      }
    }

    var name: XMPName { GainMapXMP.name(rawValue) }
  }

  static let baseIsHDR = name("BaseRenditionIsHDR")
  /// Of early Adobe files.
  static let legacyBase = name("BaseRendition")

  /// Whether a packet describes a gain map, and does not only announce one.
  public static func describesMap(_ packet: XMPPacket) -> Bool {
    Field.allCases.contains { packet[$0.name] != nil }
  }
}
