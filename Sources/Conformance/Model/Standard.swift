// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import ImageFiles

/// A standard that files are checked against.
public enum Standard: String, Hashable, Sendable, CaseIterable {
  /// HDR still images.
  case iso22028 = "22028-5"
  /// Gain maps.
  case iso21496 = "21496-1"
  /// Items in an ISO base media file, with the rules of MIAF.
  case heif
  case avif
  case png
  /// JPEG segments, and Ultra HDR.
  case jpeg
  /// JPEG XL boxes and levels.
  case jpegXL = "jpegxl"
  /// JPEG XR containers.
  case jpegXR = "jpegxr"
  case icc
  /// Raw images.
  case dng

  /// Name for people.
  public var title: String {
    switch self {
    case .iso22028: "ISO 22028-5, HDR still images"
    case .iso21496: "ISO 21496-1, gain maps"
    case .heif: "HEIF (ISO/IEC 23008-12) and MIAF (ISO/IEC 23000-22)"
    case .avif: "AVIF"
    case .png: "PNG, Third Edition"
    case .jpeg: "JPEG and Ultra HDR"
    case .jpegXL: "JPEG XL (ISO/IEC 18181)"
    case .jpegXR: "JPEG XR (ITU-T T.832)"
    case .icc: "ICC profiles"
    case .dng: "DNG 1.7.1"
    }
  }
}
