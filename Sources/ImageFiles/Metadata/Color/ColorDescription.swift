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

/// Source of a color value.
package enum ColorSource: Hashable, Sendable {
  /// Value that the caller declares against the file.
  case override
  /// CICP code points: `nclx`, `cICP`, the bitstream.
  case codePoints
  /// An ICC profile: its `cicp` tag, its curves, or the whole profile through color management.
  case profile
  /// PNG sRGB chunk or Exif ColorSpace.
  case mark
  /// Primaries as chromaticities.
  case chromaticities
  /// PNG gAMA chunk.
  case gamma
  /// Default of the format for files that do not specify the value.
  case format
  /// Value assumed by the caller.
  case caller
  /// Value assumed by this library.
  case fallback
}

/// Sources of the parts of a color; `nil` for parts that do not apply.
package struct ColorSources: Hashable, Sendable {
  package var primaries: ColorSource?
  package var transfer: ColorSource?
  /// Only for Y'CbCr.
  package var matrix: ColorSource?
}

/// The luminance of linear value 1.0 as declared by a file, if it is plausible.
package struct DeclaredReferenceWhite {
  /// Luminance in cd/m²; `nil` if not specified or not plausible.
  package var luminance: Double?
  package var notices: [Notice] = []

  /// Checks the value that a file declares.
  ///
  /// - Parameters:
  ///   - declared: The value in the file, in cd/m².
  ///   - name: Name of the field in the format.
  ///   - plausible: Whether a value is plausible; values above 10,000 cd/m², the peak of PQ, never
  ///     are.
  package init(_ declared: Double?, named name: String, plausible: (Double) -> Bool) {
    guard let declared else { return }
    // This comparison is false for NaN as well.
    if declared <= 10_000, plausible(declared) {
      luminance = declared
    } else {
      notices = [
        Notice(
          .irregular, "ignored: {field} of {value cd/m²}", ["field": name, "value": declared],
          at: .init(path: [name]))
      ]
    }
  }
}

/// The color of the samples of an image, resolved from all declarations in its file.
///
/// The rules for each container are in `Documentation/ColorPrecedence.md`.
package struct ResolvedColor {
  /// Color encoding of the samples; if a profile must be applied, the encoding of the result.
  package var encoding: ColorEncoding
  /// A profile that requires color management by Little CMS; `nil` if `encoding` is sufficient.
  package var appliedProfile: [UInt8]?
  /// The matrix coefficients of the coded components, and the primaries that they may depend on.
  ///
  /// If a profile must be applied, the linear values of this encoding are the R'G'B' input of the
  /// profile.
  package private(set) var signal: ColorEncoding
  /// Sources of the parts of the encoding.
  package var sources: ColorSources
  /// The reason why the samples cannot be decoded; `nil` if they can.
  package private(set) var refusal: ImageError?
  package var notices: [Notice]

  /// Resolves contradictory declarations, and assumes values for missing ones.
  ///
  /// - Parameters:
  ///   - color: Color declarations of the file.
  ///   - container: Format whose precedence applies.
  ///   - format: Layout of the image. Floating-point samples are linear unless specified otherwise,
  ///     and only Y'CbCr has matrix coefficients.
  ///   - diffuseWhite: Luminance of diffuse white in the file, in cd/m².
  ///   - assumed: Color to assume if the file does not specify it.
  ///   - override: Color that takes precedence over all declarations of the file.
  ///   - unusableProfile: Reason why a profile that requires color management cannot be applied; it
  ///     is then ignored.
  package init(
    _ color: ColorDescription, in container: FileFormat, format: ImageLayout,
    diffuseWhite: Double? = nil, assumed: AssumedColor?,
    override: OpeningOptions.DeclaredColor? = nil,
    unusableProfile: ImageError? = nil
  ) {
    var decision = ColorDecision(
      container: container, format: format, assumed: assumed ?? AssumedColor(),
      override: override, unusableProfile: unusableProfile)
    decision.decide(color)
    let isAbsolute = decision.transfer == .pq || decision.transfer == .hlg
    // Signals of PQ and HLG are not relative to a luminance of 1.0.
    let declared =
      (isAbsolute ? nil : color.referenceWhite) ?? diffuseWhite.flatMap { $0 > 0 ? $0 : nil }
    let white = declared ?? assumed?.referenceWhite ?? ColorEncoding.defaultReferenceWhite
    appliedProfile = decision.appliedProfile
    sources = decision.sources
    notices = decision.notices
    if let idle = assumed?.referenceWhite, isAbsolute || declared.map({ $0 != idle }) == true {
      notices.append(
        Notice(
          isAbsolute
            ? NoticeCode(
              .conflict, "not used: assumed luminance of white (PQ and HLG are absolute)")
            : NoticeCode(
              .conflict, "not used: assumed luminance of white (the file specifies {white cd/m²})"),
          ["white": white],
          at: .init(path: ["color"])))
    }
    encoding =
      appliedProfile == nil
      ? ColorEncoding(
        primaries: decision.primaries ?? .bt709, transfer: decision.transfer ?? .srgb,
        matrix: decision.matrix, isFullRange: decision.isFullRange,
        referenceWhite: white, imageState: decision.imageState)
      : ColorEncoding(
        primaries: .bt2020, transfer: .linear, referenceWhite: white,
        imageState: decision.imageState)
    signal = ColorEncoding(
      primaries: color.cicp.flatMap { ColorPrimaries($0.primaries) } ?? encoding.primaries,
      transfer: .linear, matrix: decision.matrix,
      isFullRange: decision.isFullRange)
    refusal = decision.refusal
    do throws(ImageError) {
      if appliedProfile == nil {
        try encoding.requireDecodable(format)
      } else {
        try requireSignal(format)
      }
    } catch {
      refusal = error
    }
  }

  /// Throws an error unless R'G'B' can be computed from the coded components without the profile.
  private func requireSignal(_ format: ImageLayout) throws(ImageError) {
    guard case .ycbcr = format.components else { return }
    try signal.requireDecodable(format)
    guard ![.bt2020Constant, .chromaDerivedConstant].contains(signal.matrix) else {
      throw ImageError(
        .unsupported, "{matrix} with the curves of an ICC profile is not supported",
        ["matrix": signal.matrix.numberedName],
        at: .init(path: ["color"]))
    }
  }
}
