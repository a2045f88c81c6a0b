package import HDRCore
internal import ImageContainers

/// What a picture's samples mean, decided from all that its file says.
///
/// The rules per container are in `Documentation/ColorPrecedence.md`.
package struct ResolvedColor {
  /// What the samples mean; if a profile has to be applied, what they mean afterwards.
  package var encoding: ColorEncoding
  /// A profile that Little CMS has to apply; nobody else could.
  package var appliedProfile: [UInt8]?
  /// Whose light the picture holds, if its profile says so.
  package var imageState: LightMetadata.ImageState?
  /// The matrix of the coded components, and the primaries that it may depend on; with a profile
  /// that has to be applied, light of these is the R'G'B' that the profile is for.
  package private(set) var signal: ColorEncoding
  /// Who said which part of it.
  package var sources: ColorSources
  /// Why samples of this color cannot be decoded; `nil` if they can.
  package private(set) var refusal: ImageError?
  package var notices: [Notice]

  /// Decides between the carriers of a file, and fills what they leave open.
  ///
  /// - Parameters:
  ///   - color: What the file says.
  ///   - container: Whose rules apply.
  ///   - format: Layout of the picture: floating-point samples are light unless something else is
  ///     said, and only Y'CbCr has a matrix.
  ///   - diffuseWhite: Luminance of diffuse white that the file gives, cd/m².
  ///   - assumed: What the caller knows about files that do not say.
  ///   - unusableProfile: Why a profile that has to be applied cannot be; it is ignored then.
  package init(
    _ color: ColorDescription, in container: FileFormat, format: ImageLayout,
    diffuseWhite: Double? = nil, assumed: AssumedColor?, unusableProfile: ImageError? = nil
  ) {
    var decision = ColorDecision(
      container: container, format: format, assumed: assumed ?? AssumedColor(),
      unusableProfile: unusableProfile)
    decision.decide(color)
    let stated = color.whiteLuminance ?? diffuseWhite.flatMap { $0 > 0 ? $0 : nil }
    let white = stated ?? assumed?.referenceWhite ?? LightMetadata.defaultDiffuseWhite
    appliedProfile = decision.appliedProfile
    imageState = decision.imageState
    sources = decision.sources
    notices = decision.notices
    let isAbsolute = decision.transfer == .pq || decision.transfer == .hlg
    if let idle = assumed?.referenceWhite, isAbsolute || stated.map({ $0 != idle }) == true {
      notices.append(
        Notice(
          isAbsolute ? .colorAssumedWhiteAbsolute : .colorAssumedWhiteNotUsed, ["white": white],
          at: .init(path: ["color"])))
    }
    encoding =
      appliedProfile == nil
      ? ColorEncoding(
        primaries: decision.primaries ?? .bt709, transfer: decision.transfer ?? .srgb,
        matrix: decision.matrix, isFullRange: color.cicp?.isFullRange ?? true,
        referenceWhite: white)
      : ColorEncoding(primaries: .bt2020, transfer: .linear, referenceWhite: white)
    signal = ColorEncoding(
      primaries: color.cicp.flatMap { ColorPrimaries($0.primaries) } ?? encoding.primaries,
      transfer: .linear, matrix: decision.matrix,
      isFullRange: color.cicp?.isFullRange ?? true)
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

  /// Fails unless R'G'B' follow from the coded components without the profile that they are for.
  private func requireSignal(_ format: ImageLayout) throws(ImageError) {
    guard case .ycbcr = format.components else { return }
    try signal.requireDecodable(format)
    guard ![.bt2020Constant, .chromaDerivedConstant].contains(signal.matrix) else {
      throw ImageError(
        .colorMatrixWithProfileUnsupported, ["matrix": signal.matrix.numberedName],
        at: .init(path: ["color"]))
    }
  }
}
