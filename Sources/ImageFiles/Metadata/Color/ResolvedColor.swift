// SPDX-License-Identifier: Apache-2.0
package import HDRCore

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
