public import HDRCore
internal import ImageContainers

/// What a file says about the color of a picture, everywhere it says it, and who is believed.
public struct ColorInspection: Sendable {
  /// One place that says something about color.
  public struct Carrier: Sendable {
    /// As the format calls it: `nclx`, `ICC profile`, `bitstream`, `cICP`, `gAMA`.
    public var name: String
    /// What it says, for people.
    public var says: String
    /// Code points of the carrier, if it has any.
    public var cicp: CICP?
    /// Summary of the profile, if the carrier is one.
    public var profile: ProfileSummary?

    package init(_ name: String, _ says: String, cicp: CICP? = nil, profile: ProfileSummary? = nil)
    {
      self.name = name
      self.says = says
      self.cicp = cicp
      self.profile = profile
    }
  }

  /// All carriers, the strongest first where the format ranks them.
  public var carriers: [Carrier]
  /// What the samples mean.
  public var encoding: ColorEncoding
  /// Who says what the primaries are: a carrier, or why none was needed.
  public var primariesFrom: String
  /// Source of the transfer function.
  public var transferFrom: String
  /// `nil` where there is no matrix to say: RGB and gray.
  public var matrixFrom: String?
  /// Why these and not the others, for people.
  public var reason: String
  /// What contradicts the decision, and what had to be assumed.
  public var notices: [Notice]
  /// What the file says about displays of other headrooms, the strongest carrier first.
  public var adaptations: [FoundAdaptation]
  /// Whose light the picture holds, if its profile says so.
  package var imageState: LightMetadata.ImageState?
}

extension ColorInspection.Carrier {
  package static func codePoints(_ name: String, _ cicp: CICP?) -> Self? {
    cicp.map { Self(name, $0.words, cicp: $0) }
  }

  package static func profile(_ name: String, _ bytes: [UInt8]?) -> Self? {
    guard let bytes else { return nil }
    let summary = ProfileSummary(bytes)
    let says =
      summary.map { summary in
        [summary.description.map { "'\($0)'" }, summary.cicp.map { "cicp tag: \($0.words)" }]
          .compactMap(\.self).joined(separator: ", ")
      } ?? "unreadable"
    return Self(name, says.isEmpty ? "no description" : says, profile: summary)
  }

  package static func primaries(_ name: String, _ primaries: ColorPrimaries?) -> Self? {
    primaries.map { primaries in
      let points = [primaries.red, primaries.green, primaries.blue, primaries.white]
      return Self(
        name,
        "red, green, blue, white at "
          + points.map { "\(rounded($0.x)),\(rounded($0.y))" }.joined(separator: " "))
    }
  }

  private static func rounded(_ value: Double) -> Double { (value * 1e5).rounded() / 1e5 }
}

extension ColorInspection {
  /// Decides as a reader would, and says who won.
  ///
  /// - Parameters:
  ///   - description: What a reader takes from the file.
  ///   - container: Whose rules apply.
  ///   - format: Layout of the picture.
  ///   - carriers: All places that say something.
  ///   - diffuseWhite: Luminance of diffuse white that the file gives, cd/m².
  ///   - assumed: What the caller knows about files that do not say.
  ///   - messages: Those of ITU-T T.35 in the bitstream.
  ///   - name: The carrier behind a source, for one part of the color.
  package init(
    _ description: ColorDescription, in container: FileFormat, format: ImageLayout,
    carriers: [Carrier?], diffuseWhite: Double?, assumed: AssumedColor?,
    messages: [[UInt8]] = [], name: (ColorSource, ColorPart) -> String?
  ) {
    let resolved = ResolvedColor(
      description, in: container, format: format, diffuseWhite: diffuseWhite, assumed: assumed)
    func from(_ source: ColorSource?, _ part: ColorPart) -> String? {
      source.map { name($0, part) ?? $0.words }
    }
    self.carriers = carriers.compactMap(\.self)
    encoding = resolved.encoding
    let found = FoundAdaptations(
      icc: description.icc, messages: messages, transfer: resolved.encoding.transfer)
    adaptations = found.all
    notices = resolved.notices + found.notices
    imageState = resolved.imageState
    let sources = resolved.sources
    primariesFrom = from(sources.primaries, .primaries) ?? ColorSource.format.words
    transferFrom = from(sources.transfer, .transfer) ?? ColorSource.format.words
    matrixFrom = from(sources.matrix, .matrix)
    reason =
      ColorReason(
        container: container, sources: sources, carriers: self.carriers,
        codePoints: description.cicp
      ).text
  }
}

extension ColorInspection {
  /// The color of an image, with the carrier that decided each part.
  ///
  /// - Parameters:
  ///   - image: The declarations of the file.
  ///   - container: Format whose precedence applies.
  ///   - carriers: All carriers, those of highest precedence first.
  ///   - assumed: Color that the caller assumes where the file specifies none.
  ///   - name: Name of the carrier behind a source, for one part of the color.
  init(
    _ image: DeclaredImage, in container: FileFormat, carriers: [Carrier?],
    assumed: AssumedColor?, name: (ColorSource, ColorPart) -> String?
  ) {
    self.init(
      image.color, in: container, format: image.layout, carriers: carriers,
      diffuseWhite: image.light.diffuseWhite, assumed: assumed, messages: image.messages,
      name: name)
  }
}

/// The parts of a color that carriers may say one by one.
package enum ColorPart {
  case primaries
  case transfer
  case matrix
}

extension ColorSource {
  /// For people, where no carrier has a name of its own.
  package var words: String {
    switch self {
    case .codePoints: "code points"
    case .profile: "ICC profile"
    case .mark: "sRGB mark"
    case .chromaticities: "chromaticities"
    case .gamma: "gAMA"
    case .format: "the format"
    case .caller: "the caller: assumed"
    case .fallback: "nobody: assumed"
    }
  }
}
