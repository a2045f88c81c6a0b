// SPDX-License-Identifier: Apache-2.0
public import HDRCore

extension CICP {
  /// The code points with reserved ones replaced by unspecified ones, so that the next declaration
  /// is used.
  package var withoutReserved: CICP {
    CICP(
      primaries: primaries.isReserved ? .unspecified : primaries,
      transfer: transfer.isReserved ? .unspecified : transfer,
      matrix: matrix.isReserved ? .unspecified : matrix, isFullRange: isFullRange)
  }

  /// Returns the code points without reserved ones, and reports those.
  func withoutReserved(at place: ImageError.Location, notices: inout [Notice]) -> CICP {
    if let notice = reservedNotice(at: place) { notices.append(notice) }
    return withoutReserved
  }

  /// The notice that names the reserved code points; `nil` without any.
  package func reservedNotice(at place: ImageError.Location) -> Notice? {
    var reserved: [String] = []
    if primaries.isReserved { reserved.append("color primaries \(primaries.rawValue)") }
    if transfer.isReserved { reserved.append("transfer characteristics \(transfer.rawValue)") }
    if matrix.isReserved { reserved.append("matrix coefficients \(matrix.rawValue)") }
    return reserved.isEmpty
      ? nil : Notice(.colorCodePointsReserved, ["codes": reserved], at: place)
  }
}

/// The color declarations of a file for an image; each may be missing or wrong.
public struct ColorDescription: Hashable, Sendable {
  /// Code points from `nclx` or `cICP`, or from the bitstream or the codestream if the container
  /// does not specify them.
  public var cicp: CICP?
  /// An embedded ICC profile, verbatim.
  public var icc: [UInt8]?
  /// Primaries as chromaticities: PNG cHRM, OpenEXR chromaticities, Radiance PRIMARIES, primaries
  /// of JPEG XL without a code point.
  public var primaries: ColorPrimaries?
  /// Encoding exponent of PNG gAMA or a JPEG XL codestream, such as 0.45455.
  public var gamma: Double?
  /// Whether a PNG sRGB chunk or Exif ColorSpace declares sRGB.
  public var isMarkedSRGB: Bool
  /// Luminance of linear value 1.0 as declared by the file, in cd/m²; ignored for PQ and HLG.
  ///
  /// OpenEXR whiteLuminance, LogLuv SampleToNits, intensity target of JPEG XL; 1 for Radiance XYZ.
  public var referenceWhite: Double?

  public init(
    cicp: CICP? = nil, icc: [UInt8]? = nil, primaries: ColorPrimaries? = nil,
    gamma: Double? = nil, isMarkedSRGB: Bool = false, referenceWhite: Double? = nil
  ) {
    self.cicp = cicp
    self.icc = icc
    self.primaries = primaries
    self.gamma = gamma
    self.isMarkedSRGB = isMarkedSRGB
    self.referenceWhite = referenceWhite
  }
}
