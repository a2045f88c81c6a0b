internal import HDRCore

/// What a picture's samples mean, decided from all that its file says.
///
/// The rules per container are in `Documentation/ColorPrecedence.md`.
struct ResolvedColor {
  var encoding: ColorEncoding
  var notices: [Notice] = []
}

extension ResolvedColor {
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
    _ color: ColorDescription, in container: FileFormat, format: StoredFormat,
    diffuseWhite: Double? = nil, assumed: AssumedColor?
  ) {
    var resolver = Resolver(container: container, format: format, assumed: assumed ?? .init())
    resolver.resolve(color)
    let white =
      color.whiteLuminance ?? diffuseWhite.flatMap { $0 > 0 ? $0 : nil }
      ?? assumed?.referenceWhite ?? HDRDescription.defaultDiffuseWhite
    encoding = ColorEncoding(
      primaries: resolver.primaries ?? .bt709, transfer: resolver.transfer ?? .srgb,
      matrix: resolver.matrix, referenceWhite: white)
    notices = resolver.notices
  }
}

/// The state of a decision.
private struct Resolver {
  let container: FileFormat
  let format: StoredFormat
  let assumed: AssumedColor
  var primaries: ColorPrimaries?
  var transfer: TransferFunction?
  var matrix = CICP.Matrix.identity
  var notices: [Notice] = []

  init(container: FileFormat, format: StoredFormat, assumed: AssumedColor) {
    self.container = container
    self.format = format
    self.assumed = assumed
  }

  mutating func resolve(_ color: ColorDescription) {
    switch container {
    case .exr, .radiance: takeLight(color)
    case .png, .jpeg, .tiff, .heif, .avif, .jxl: takeSignal(color)
    }
    if case .ycbcr = format.components { takeMatrix(color.cicp?.matrix) }
    fillGaps()
  }

  /// Scene files: always linear.
  private mutating func takeLight(_ color: ColorDescription) {
    transfer = .linear
    if container == .exr, color.primaries?.isXYZ == true {
      // Such files hold XYZ of a scene lit by daylight; that their white is E only says that the
      // values are not scaled. Adapting from E would tint them.
      primaries = .bt2020
      notices.append(Notice(.assumed, "XYZ is converted without adaptation; gray is that of D65"))
      return
    }
    takePrimaries(color.primaries)
    guard primaries == nil, assumed.primaries == nil else { return }
    // The formats define what their silence means. Source: OpenEXR, "Standard Optional Attributes";
    // "Radiance File Formats", PRIMARIES.
    primaries = container == .exr ? .bt709 : .radiance
    notices.append(
      Notice(
        .assumed,
        container == .exr
          ? "no chromaticities: the primaries are BT.709" : "no primaries: they are Radiance's own")
    )
  }

  private mutating func takeSignal(_ color: ColorDescription) {
    if let cicp = color.cicp {
      primaries = ColorPrimaries(cicp.primaries)
      transfer = TransferFunction(cicp.transfer)
      note(cicp, against: color)
    }
    if primaries == nil, transfer == nil, color.isMarkedSRGB {
      (primaries, transfer) = (.bt709, .srgb)
    }
    if primaries == nil { takePrimaries(color.primaries) }
    if transfer == nil, let gamma = color.gamma { transfer = .encoded(withExponent: gamma) }
  }

  /// Says what the code points leave out, and what contradicts them.
  private mutating func note(_ cicp: CICP, against color: ColorDescription) {
    if transfer == nil, cicp.transfer != .unspecified {
      notices.append(
        Notice(.irregular, "transfer characteristics \(cicp.transfer.rawValue) are not known here"))
    }
    if primaries == nil, cicp.primaries != .unspecified {
      notices.append(
        Notice(.irregular, "color primaries \(cicp.primaries.rawValue) are not known here"))
    }
    if color.isMarkedSRGB, let transfer, let primaries, (primaries, transfer) != (.bt709, .srgb) {
      notices.append(
        Notice(.conflict, "marked as sRGB and as CICP \(cicp); CICP wins"))
    }
    if let other = color.primaries, let primaries, !other.isClose(to: primaries, tolerance: 0.002) {
      notices.append(
        Notice(.conflict, "the chromaticities are not those of CICP \(cicp); CICP wins"))
    }
  }

  private mutating func takePrimaries(_ stated: ColorPrimaries?) {
    guard let stated else { return }
    if stated.isUsable {
      primaries = stated
    } else {
      notices.append(
        Notice(.irregular, "the chromaticities span no color space; ignored"))
    }
  }

  private mutating func takeMatrix(_ stated: CICP.Matrix?) {
    if let stated, stated != .unspecified {
      matrix = stated
    } else {
      // Source: MIAF (ISO/IEC 23000-22), 7.3.6.4; JFIF 1.02: both mean BT.601.
      matrix = .bt601
    }
  }

  private mutating func fillGaps() {
    var guesses: [String] = []
    if primaries == nil {
      primaries = assumed.primaries ?? .bt709
      if assumed.primaries == nil { guesses.append("BT.709 primaries") }
    }
    if transfer == nil {
      let isLight = format.samples == .float
      transfer = assumed.transfer ?? (isLight ? .linear : .srgb)
      if assumed.transfer == nil { guesses.append(isLight ? "linear light" : "the sRGB curve") }
    }
    guard !guesses.isEmpty else { return }
    notices.append(
      Notice(.assumed, "the file does not say its color: \(guesses.joined(separator: " and "))"))
  }
}

extension TransferFunction {
  /// The curve of a signal that is light to the power of `exponent`, as PNG's gAMA says.
  fileprivate static func encoded(withExponent exponent: Double) -> TransferFunction? {
    guard exponent.isFinite, exponent > 0 else { return nil }
    if exponent == 1 { return .linear }
    // gAMA rounds 1/2.2 to 0.45455.
    return abs(exponent - 1 / 2.2) < 1e-5 ? .gamma(2.2) : .gamma(1 / exponent)
  }
}

extension ColorPrimaries {
  /// Whether components of these primaries are X, Y and Z.
  var isXYZ: Bool { isClose(to: .xyz, tolerance: 1e-3) }

  /// Source: "Radiance File Formats", PRIMARIES.
  static let radiance = ColorPrimaries(
    red: Chromaticity(x: 0.640, y: 0.330), green: Chromaticity(x: 0.290, y: 0.600),
    blue: Chromaticity(x: 0.150, y: 0.060), white: Chromaticity(x: 0.3333, y: 0.3333))
}
