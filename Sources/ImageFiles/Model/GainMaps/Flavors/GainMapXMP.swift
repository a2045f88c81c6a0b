// SPDX-License-Identifier: Apache-2.0
/// Adobe's gain-map metadata in XMP, with the prefix `hdrgm`: that of Ultra HDR JPEG, of Camera Raw,
/// and of auxiliary images in HEIF and AVIF.
///
/// Names refer to SDR and HDR renditions, those of ISO 21496-1 to baseline and alternate image; a
/// property specifies which of the two the baseline image is.
///
/// Source: Ultra HDR Image Format v1.0, "XMP attributes"; Adobe, "Gain map 1.0".
package enum GainMapXMP {
  /// Namespace of the properties.
  package static let namespace = "http://ns.adobe.com/hdr-gain-map/1.0/"
  /// Usual prefix of the namespace.
  package static let prefix = "hdrgm"
  /// The version that is parsed.
  package static let version = "1.0"

  /// The property that announces a gain map in the packet of the baseline image.
  package static let versionName = name("Version")

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

    /// Default of a missing number; `nil` for required ones.
    var defaultText: String? {
      switch self {
      case .maximum, .capacityMaximum: nil
      case .gamma: "1"
      case .minimum, .capacityMinimum: "0"
      case .offsetSDR, .offsetHDR: "0.015625"
      }
    }

    var name: XMPName { GainMapXMP.name(rawValue) }
  }

  static let isBaseHDR = name("BaseRenditionIsHDR")
  /// Used by early Adobe files.
  static let legacyBase = name("BaseRendition")

  /// Whether a packet contains gain map metadata, and does not only announce a gain map.
  package static func describesMap(_ packet: XMPPacket) -> Bool {
    Field.allCases.contains { packet[$0.name] != nil }
  }
}
