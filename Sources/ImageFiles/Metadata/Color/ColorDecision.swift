// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Resolves the color of samples from its carriers in order of precedence, and collects notices.
package struct ColorDecision {
  package let container: FileFormat
  package let format: ImageLayout
  package let assumed: AssumedColor
  /// Color that takes precedence over all declarations of the file.
  package let override: OpeningOptions.DeclaredColor?
  /// Reason why a profile that requires color management cannot be applied; `nil` if it can.
  package let unusableProfile: ImageError?
  private(set) var primaries: ColorPrimaries?
  private(set) var transfer: TransferFunction?
  private(set) var matrix = CICP.Matrix.identity
  private(set) var isFullRange = true
  /// The sources of these values.
  private(set) var sources = ColorSources()
  private(set) var appliedProfile: [UInt8]?
  private(set) var imageState: ColorEncoding.ImageState?
  /// Reason why samples cannot be decoded: only unsupported code points specify their color.
  private(set) var refusal: ImageError?
  private(set) var notices: [Notice] = []

  package init(
    container: FileFormat, format: ImageLayout, assumed: AssumedColor,
    override: OpeningOptions.DeclaredColor? = nil, unusableProfile: ImageError? = nil
  ) {
    self.container = container
    self.format = format
    self.assumed = assumed
    self.override = override
    self.unusableProfile = unusableProfile
  }

  package mutating func decide(_ color: ColorDescription) {
    let profile = color.icc.flatMap { parse($0) }
    imageState = profile?.imageState
    let meaning = profile.map { ProfileColor($0, isGray: format.components == .gray) }
    if case .unusable(let reason) = meaning { note(.colorProfileIgnored, ["cause": reason]) }
    var color = color
    noteReserved(color.cicp, in: "color")
    noteReserved(profile?.cicp, in: "cicp")
    color.cicp = color.cicp?.withoutReserved
    takeOverride()
    yieldIncomplete(&color, to: meaning)
    switch container.traits.colorPrecedence {
    case .light: takeLight(color)
    case .codePoints:
      take(color.cicp)
      take(meaning, of: profile, over: color.cicp)
      takeChunks(color)
    case .profileUnlessHighDynamicRange:
      if isStronger(color.cicp, than: meaning) {
        take(color.cicp)
        take(meaning, of: profile, over: color.cicp)
      } else {
        take(meaning, of: profile, over: nil)
        take(color.cicp)
      }
    case .profile:
      take(meaning, of: profile, over: nil)
      takeChunks(color)
    }
    if case .ycbcr = format.components { takeMatrix(color.cicp?.matrix) }
    isFullRange = override?.isFullRange ?? color.cicp?.isFullRange ?? true
    refuseUnknown(color.cicp)
    fillGaps()
    noteRecognized(meaning)
    noteIncomplete(profile?.cicp)
  }

  /// Uses the color that the caller declares against the file.
  private mutating func takeOverride() {
    guard let override else { return }
    fill(override.primaries, from: .override)
    fill(override.transfer, from: .override)
    note(.colorDeclared, ["values": override.values])
  }

  /// Whether the caller declares primaries or transfer function, so that no profile can be applied.
  private var overridesColor: Bool { override?.overridesColor ?? false }

  private mutating func noteReserved(_ cicp: CICP?, in box: String) {
    if let notice = cicp?.reservedNotice(at: .init(path: [box])) { notices.append(notice) }
  }

  /// Drops the only usable value of code points if the next declaration specifies primaries and
  /// transfer function, since halves of two declarations describe neither.
  private mutating func yieldIncomplete(_ color: inout ColorDescription, to meaning: ProfileColor?)
  {
    guard let cicp = color.cicp else { return }
    let (declared, curve) = (ColorPrimaries(cicp.primaries), TransferFunction(cicp.transfer))
    guard (declared == nil) != (curve == nil) else { return }
    let isInProfile =
      switch meaning {
      case .managed: unusableProfile == nil
      case .unusable, nil: false
      case .codePoints, .space: true
      }
    let next: String
    if isInProfile {
      next = "ICC profile"
    } else if color.isMarkedSRGB {
      next = "sRGB declaration"
    } else if color.gamma != nil, color.primaries?.isUsable == true {
      next = "gAMA and cHRM"
    } else {
      return
    }
    note(.colorCodePointsIncomplete, ["cicp": "\(cicp)", "next": next])
    if declared == nil {
      color.cicp?.transfer = .unspecified
    } else {
      color.cicp?.primaries = .unspecified
    }
  }

  /// Reports a `cicp` tag with one usable value, which yields to the rest of its profile.
  private mutating func noteIncomplete(_ tag: CICP?) {
    guard let tag, sources.primaries == .profile || sources.transfer == .profile,
      (ColorPrimaries(tag.primaries) == nil) != (TransferFunction(tag.transfer) == nil)
    else { return }
    note(.colorCodePointsIncomplete, ["cicp": "\(tag)", "next": "rest of the ICC profile"])
  }

  /// Reports that PQ or HLG was recognized by the curves of a profile.
  private mutating func noteRecognized(_ meaning: ProfileColor?) {
    guard sources.transfer == .profile, let function = meaning?.recognized else { return }
    note(.colorTransferRecognized, ["transfer": function == .pq ? "PQ" : "HLG"])
  }

  /// Refuses unsupported code points if neither the file nor the caller specifies the value
  /// otherwise.
  private mutating func refuseUnknown(_ cicp: CICP?) {
    guard let cicp, appliedProfile == nil else { return }
    var unknown: [String] = []
    if primaries == nil, assumed.primaries == nil, cicp.primaries != .unspecified {
      unknown.append("color primaries \(cicp.primaries.rawValue)")
    }
    if transfer == nil, assumed.transfer == nil, cicp.transfer != .unspecified {
      unknown.append("transfer characteristics \(cicp.transfer.rawValue) (\(cicp.transfer.name))")
    }
    guard !unknown.isEmpty else { return }
    refusal = ImageError(
      .unsupported, "unsupported code points: {codes code point}", ["codes": unknown],
      at: .init(path: ["color"]))
  }

  /// Sets the primaries if they are known and not set yet.
  private mutating func fill(_ declared: ColorPrimaries?, from source: ColorSource) {
    guard primaries == nil, let declared else { return }
    (primaries, sources.primaries) = (declared, source)
  }

  /// Sets the transfer function if it is known and not set yet.
  private mutating func fill(_ declared: TransferFunction?, from source: ColorSource) {
    guard transfer == nil, let declared else { return }
    (transfer, sources.transfer) = (declared, source)
  }

  private mutating func note(_ code: NoticeCode, _ parameters: DiagnosticParameters = [:]) {
    notices.append(Notice(code, parameters, at: .init(path: ["color"])))
  }

  private mutating func parse(_ bytes: [UInt8]) -> ICCProfile? {
    do throws(ImageError) {
      let profile = try ICCProfile(parsing: bytes)
      notices += profile.notices
      return profile
    } catch {
      note(.colorProfileUnreadable, ["cause": error])
      return nil
    }
  }

  /// Resolves the color of formats whose samples are always linear.
  private mutating func takeLight(_ color: ColorDescription) {
    fill(.linear, from: .format)
    if container == .exr, color.primaries?.isXYZ == true {
      // Such files contain XYZ of a scene in daylight. Their white point E only signals that the
      // values are not scaled; adapting from E would add a color cast.
      fill(.bt2020, from: .chromaticities)
      note(NoticeCode(.assumed, "assumed: XYZ without chromatic adaptation; gray is that of D65"))
      return
    }
    take(color.primaries)
    guard primaries == nil, assumed.primaries == nil else { return }
    // Source: OpenEXR, "Standard Optional Attributes". Radiance defines other default primaries,
    // but current writers and readers use BT.709.
    fill(.bt709, from: .format)
    note(.colorPrimariesAssumed)
  }

  /// Uses code points for values that are not set yet; reports contradictions with those that are.
  private mutating func take(_ cicp: CICP?) {
    guard let cicp else { return }
    let (declared, curve) = (ColorPrimaries(cicp.primaries), TransferFunction(cicp.transfer))
    if declared == nil, cicp.primaries != .unspecified {
      note(
        NoticeCode(.irregular, "unsupported color primaries {primaries}"),
        ["primaries": cicp.primaries.rawValue])
    }
    if curve == nil, cicp.transfer != .unspecified {
      note(
        NoticeCode(.irregular, "unsupported transfer characteristics {transfer}"),
        ["transfer": cicp.transfer.rawValue])
    }
    if contradicts(declared, curve) {
      note(
        NoticeCode(.conflict, "ICC profile and CICP {cicp} differ; using the profile"),
        ["cicp": "\(cicp)"])
    }
    guard appliedProfile == nil else { return }
    fill(declared, from: .codePoints)
    fill(curve, from: .codePoints)
  }

  /// Uses a profile for values that are not set yet; reports contradictions with the code points.
  private mutating func take(_ meaning: ProfileColor?, of profile: ICCProfile?, over cicp: CICP?) {
    guard let meaning, let profile else { return }
    if let cicp, primaries != nil, transfer != nil {
      // With PQ or HLG code points, other curves are for readers that support neither.
      let isFallback = cicp.isHighDynamicRange && !meaning.isCodePoints
      let curve = isFallback ? meaning.recognized : meaning.transfer
      if contradicts(meaning.primaries, curve) {
        note(
          NoticeCode(.conflict, "CICP {cicp} and ICC profile differ; using CICP"),
          ["cicp": "\(cicp)"])
      }
      return
    }
    guard case .managed = meaning, !overridesColor else {
      fill(meaning.primaries, from: .profile)
      fill(meaning.transfer, from: .profile)
      return
    }
    apply(profile)
  }

  private mutating func apply(_ profile: ICCProfile) {
    if let unusableProfile {
      note(.colorProfileIgnored, ["cause": unusableProfile])
    } else {
      appliedProfile = profile.bytes
      (sources.primaries, sources.transfer) = (.profile, .profile)
    }
  }

  /// Whether code points take precedence over a profile: PQ and HLG over a profile without code
  /// points.
  private func isStronger(_ cicp: CICP?, than meaning: ProfileColor?) -> Bool {
    guard let cicp, cicp.isHighDynamicRange, let meaning else { return false }
    return !meaning.isCodePoints
  }

  private func contradicts(_ declared: ColorPrimaries?, _ curve: TransferFunction?) -> Bool {
    // What the caller declares is reported as such.
    let declared = sources.primaries == .override ? nil : declared
    let curve = sources.transfer == .override ? nil : curve
    if let declared, let primaries, !declared.isClose(to: primaries, tolerance: 0.002) {
      return true
    }
    if let curve, let transfer, curve != transfer { return true }
    return false
  }

  /// Uses sRGB, gAMA and cHRM of PNG, ColorSpace of Exif, and chromaticities of TIFF.
  private mutating func takeChunks(_ color: ColorDescription) {
    guard appliedProfile == nil else { return }
    if color.isMarkedSRGB {
      if contradicts(.bt709, .srgb) { note(.colorSrgbOverridden) }
      fill(.bt709, from: .mark)
      fill(.srgb, from: .mark)
    }
    if contradicts(color.primaries, nil) {
      note(
        NoticeCode(
          .conflict, "the chromaticities differ from a source of higher precedence, which is used"))
    }
    if primaries == nil { take(color.primaries) }
    fill(color.gamma.flatMap(TransferFunction.init(encodingExponent:)), from: .gamma)
  }

  private mutating func take(_ declared: ColorPrimaries?) {
    guard let declared else { return }
    if declared.isUsable {
      fill(declared, from: .chromaticities)
    } else {
      note(NoticeCode(.irregular, "ignored: chromaticities (they do not define a color space)"))
    }
  }

  private mutating func takeMatrix(_ declared: CICP.Matrix?) {
    if let matrix = override?.matrix {
      (self.matrix, sources.matrix) = (matrix, .override)
    } else if let declared, declared != .unspecified {
      (matrix, sources.matrix) = (declared, .codePoints)
    } else {
      // Source: MIAF (ISO/IEC 23000-22), 7.3.6.4; JFIF 1.02: both specify BT.601 as the default.
      (matrix, sources.matrix) = (.bt601, .format)
    }
  }

  /// Reports assumptions of the caller that the file contradicts.
  private mutating func reportIdleAssumptions() {
    guard appliedProfile == nil else {
      if assumed.transfer != nil || assumed.primaries != nil {
        note(NoticeCode(.conflict, "not used: assumed color (the file has an ICC profile)"))
      }
      return
    }
    if let transfer, let idle = assumed.transfer, idle != transfer {
      note(
        NoticeCode(.conflict, "not used: assumed transfer function (the file specifies another)"))
    }
    if let primaries, let idle = assumed.primaries, !idle.isClose(to: primaries, tolerance: 0.002) {
      note(NoticeCode(.conflict, "not used: assumed primaries (the file specifies others)"))
    }
  }

  private mutating func fillGaps() {
    reportIdleAssumptions()
    guard appliedProfile == nil else { return }
    var guesses: [String] = []
    if primaries == nil {
      fill(assumed.primaries, from: .caller)
      fill(.bt709, from: .fallback)
      if assumed.primaries == nil { guesses.append("BT.709 primaries") }
    }
    if transfer == nil {
      let isLight = format.isFloatingPoint
      fill(assumed.transfer, from: .caller)
      fill(isLight ? .linear : .srgb, from: .fallback)
      if assumed.transfer == nil { guesses.append(isLight ? "linear transfer" : "sRGB transfer") }
    }
    guard !guesses.isEmpty else { return }
    note(
      NoticeCode(.assumed, "assumed: {guesses property} (the file does not specify its color)"),
      ["guesses": guesses])
  }
}

extension ProfileColor {
  fileprivate var isCodePoints: Bool {
    if case .codePoints = self { true } else { false }
  }
}

extension TransferFunction {
  /// Creates the transfer function of a signal that is the linear value to the power of `exponent`,
  /// as in gAMA.
  fileprivate init?(encodingExponent exponent: Double) {
    guard exponent.isFinite, exponent > 0 else { return nil }
    // gAMA stores 1/2.2 rounded to 0.45455.
    self =
      exponent == 1
      ? .linear : abs(exponent - 1 / 2.2) < 1e-5 ? .gamma(2.2) : .gamma(1 / exponent)
  }
}

extension ColorPrimaries {
  /// Whether components of these primaries are X, Y and Z.
  package var isXYZ: Bool { isClose(to: .xyz, tolerance: 1e-3) }
}
