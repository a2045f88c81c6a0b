internal import HDRCore
internal import ImageContainers

/// What a picture's samples mean, decided from all that its file says.
///
/// The rules per container are in `Documentation/ColorPrecedence.md`.
struct ResolvedColor {
  /// What the samples mean; if a profile has to be applied, what they mean afterwards.
  var encoding: ColorEncoding
  /// A profile that Little CMS has to apply; nobody else could.
  var appliedProfile: [UInt8]?
  /// Whose light the picture holds, if its profile says so.
  var imageState: ImageState?
  /// Who said which part of it.
  var sources: ColorSources
  var notices: [Notice]

  /// Decides between the carriers of a file, and fills what they leave open.
  ///
  /// - Parameters:
  ///   - color: What the file says.
  ///   - container: Whose rules apply.
  ///   - format: Layout of the picture: floating-point samples are light unless something else is
  ///     said, and only Y'CbCr has a matrix.
  ///   - diffuseWhite: Luminance of diffuse white that the file gives, cd/m².
  ///   - assumed: What the caller knows about files that do not say.
  init(
    _ color: ColorDescription, in container: FileFormat, format: ImageLayout,
    diffuseWhite: Double? = nil, assumed: AssumedColor?
  ) {
    var decision = ColorDecision(
      container: container, format: format, assumed: assumed ?? AssumedColor())
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
          .conflict,
          isAbsolute
            ? "the assumed white is not used: PQ and HLG say luminances by themselves"
            : "the assumed white is not used: the file says \(white) cd/m²",
          at: .init(path: ["color"])))
    }
    encoding =
      appliedProfile == nil
      ? ColorEncoding(
        primaries: decision.primaries ?? .bt709, transfer: decision.transfer ?? .srgb,
        matrix: decision.matrix, referenceWhite: white)
      : ColorEncoding(primaries: .bt2020, transfer: .linear, referenceWhite: white)
  }
}

extension Picture {
  /// Describes a picture whose color was decided; `open` starts a decoder for its coded samples.
  ///
  /// Where a profile has to be applied, the picture is linear BT.2020 of floating point.
  init(
    format: ImageLayout, color: ColorDescription, resolved: ResolvedColor,
    chromaLocation: ChromaLocation = .left,
    open: @escaping @Sendable () throws(ImageError) -> any RowReader
  ) {
    #if ICC
    if let profile = resolved.appliedProfile {
      let matrix = color.cicp?.matrix
      self.init(
        format: ICCRowReader.format(for: format), color: color, encoding: resolved.encoding
      ) { () throws(ImageError) in
        try ICCRowReader(
          try open(), profile: profile,
          matrix: matrix.flatMap { $0 == .unspecified ? nil : $0 } ?? .bt601,
          chromaLocation: chromaLocation)
      }
      return
    }
    #endif
    self.init(
      format: format, color: color, encoding: resolved.encoding, chromaLocation: chromaLocation,
      open: open)
  }
}
