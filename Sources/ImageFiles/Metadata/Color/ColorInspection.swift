// SPDX-License-Identifier: Apache-2.0
public import HDRCore

/// All color declarations of an image, the resolved color, and the source of each value.
public struct ColorInspection: Sendable {
  /// A carrier of color information in a file.
  public struct Carrier: Sendable {
    /// Name in the format: `nclx`, `ICC profile`, `bitstream`, `cICP`, `gAMA`.
    public var name: String
    /// Display text of its value.
    public var summary: String
    /// Code points of the carrier; `nil` if it does not contain any.
    public var cicp: CICP?
    /// Summary of the ICC profile; `nil` for other carriers.
    public var profile: ProfileSummary?

    package init(
      _ name: String, _ summary: String, cicp: CICP? = nil, profile: ProfileSummary? = nil
    ) {
      self.name = name
      self.summary = summary
      self.cicp = cicp
      self.profile = profile
    }
  }

  /// All carriers, in order of precedence if the format defines one.
  public var carriers: [Carrier]
  /// Resolved color encoding of the samples; of the result if a profile must be applied.
  public var encoding: ColorEncoding
  /// Whether an ICC profile must be applied by a color management system.
  public var isColorManaged: Bool
  /// Source of the primaries, for people: name of a carrier, or the kind of default.
  public var primariesSource: String
  /// Source of the transfer function, as in `primariesSource`.
  public var transferSource: String
  /// Source of the matrix coefficients; `nil` for RGB and gray.
  public var matrixSource: String?
  /// Display text of the reason for this precedence.
  public var reason: String
  /// Notices about contradictions and assumptions.
  public var notices: [Notice]
  /// SMPTE ST 2094-50 metadata of PQ, HLG and linear images, in order of precedence of their
  /// carriers.
  public var adaptations: [FoundHeadroomAdaptation]
}

extension ColorInspection.Carrier {
  package static func codePoints(_ name: String, _ cicp: CICP?) -> Self? {
    cicp.map { Self(name, $0.title, cicp: $0) }
  }

  package static func profile(_ name: String, _ bytes: [UInt8]?) -> Self? {
    guard let bytes else { return nil }
    let profile = ProfileSummary(bytes)
    let text =
      profile.map { profile in
        [profile.description.map { "'\($0)'" }, profile.cicp.map { "cicp tag: \($0.title)" }]
          .compactMap(\.self).joined(separator: ", ")
      } ?? "unreadable"
    return Self(name, text.isEmpty ? "no description" : text, profile: profile)
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
  /// Resolves the color as decoders do, and records the source of each part.
  ///
  /// - Parameters:
  ///   - description: Color declarations of the file.
  ///   - container: Format whose precedence applies.
  ///   - format: Layout of the image.
  ///   - carriers: All carriers of color information, in order of precedence.
  ///   - diffuseWhite: Luminance of diffuse white in the file, in cd/m².
  ///   - options: Color that the caller declares, and to assume if the file does not specify it.
  ///   - messages: ITU-T T.35 messages in the bitstream.
  ///   - name: Name of the carrier of a source, for one part of the color.
  package init(
    _ description: ColorDescription, in container: FileFormat, format: ImageLayout,
    carriers: [Carrier?], diffuseWhite: Double?, options: OpeningOptions,
    messages: [[UInt8]] = [], name: (ColorSource, ColorPart) -> String?
  ) {
    let resolved = ResolvedColor(
      description, in: container, format: format, diffuseWhite: diffuseWhite,
      assumed: options.assumed, override: options.declared)
    func from(_ source: ColorSource?, _ part: ColorPart) -> String? {
      source.map { name($0, part) ?? $0.words }
    }
    self.carriers = carriers.compactMap(\.self)
    encoding = resolved.encoding
    isColorManaged = resolved.appliedProfile != nil
    let found = FoundHeadroomAdaptations(
      icc: description.icc, messages: messages, transfer: resolved.encoding.transfer)
    adaptations = found.all
    notices = resolved.notices + found.notices
    let sources = resolved.sources
    primariesSource = from(sources.primaries, .primaries) ?? ColorSource.format.words
    transferSource = from(sources.transfer, .transfer) ?? ColorSource.format.words
    matrixSource = from(sources.matrix, .matrix)
    reason =
      ColorReason(
        container: container, sources: sources, carriers: self.carriers,
        codePoints: description.cicp
      ).text
  }
}

extension ColorInspection {
  /// Resolves the color of an image, and records the source of each part.
  ///
  /// - Parameters:
  ///   - image: The declarations of the file.
  ///   - container: Format whose precedence applies.
  ///   - carriers: All carriers of color information, in order of precedence.
  ///   - options: Color that the caller declares, and to assume if the file does not specify it.
  ///   - name: Name of the carrier of a source, for one part of the color.
  init(
    _ image: DeclaredImage, in container: FileFormat, carriers: [Carrier?],
    options: OpeningOptions, name: (ColorSource, ColorPart) -> String?
  ) {
    self.init(
      image.color, in: container, format: image.layout, carriers: carriers,
      diffuseWhite: image.light.diffuseWhite, options: options, messages: image.messages,
      name: name)
  }
}

/// Parts of a color that carriers can specify separately.
package enum ColorPart {
  case primaries
  case transfer
  case matrix
}

extension ColorSource {
  /// Display text for sources without a named carrier.
  package var words: String {
    switch self {
    case .override: "declared by the caller"
    case .codePoints: "code points"
    case .profile: "ICC profile"
    case .mark: "sRGB declaration"
    case .chromaticities: "chromaticities"
    case .gamma: "gAMA"
    case .format: "default of the format"
    case .caller: "assumed by the caller"
    case .fallback: "assumed"
    }
  }
}

/// Display text of the reason why a carrier of color takes precedence.
///
/// The rules are in `Documentation/ColorPrecedence.md`, and implemented in `ColorDecision`.
struct ColorReason {
  let container: FileFormat
  let sources: ColorSources
  let carriers: [ColorInspection.Carrier]
  let codePoints: CICP?

  var text: String {
    switch sources.transfer ?? sources.primaries {
    case .override?: return "overrides the declarations of the file"
    case .fallback?: return "the file does not specify color"
    case .caller?: return "the file does not specify color; the caller does"
    case .format? where carriers.isEmpty: return "the format defines a default"
    case .format?: return "the format stores linear values; the file specifies the primaries"
    default: break
    }
    guard carriers.count > 1 else { return "only declaration in the file" }
    let hasProfile = carriers.contains { $0.profile != nil }
    // That of JPEG XR implies a color.
    let hasPixelFormat = carriers.contains { $0.name == "PIXEL_FORMAT" }
    switch (container.traits.colorPrecedence, sources.transfer) {
    case (.codePoints, .codePoints?) where hasPixelFormat:
      return hasProfile ? "overrides ICC_PROFILE and PIXEL_FORMAT" : "overrides PIXEL_FORMAT"
    case (.codePoints, .profile?) where hasPixelFormat: return "overrides PIXEL_FORMAT"
    case (.codePoints, .codePoints?): return "overrides iCCP, sRGB, gAMA and cHRM"
    case (.codePoints, .profile?):
      return "overrides sRGB, gAMA and cHRM"
    case (.codePoints, .mark?): return "overrides gAMA and cHRM"
    case (.profileUnlessHighDynamicRange, .profile?):
      return "overrides code points without PQ or HLG"
    case (.profileUnlessHighDynamicRange, .codePoints?) where hasProfile:
      return codePoints?.isHighDynamicRange == true
        ? "PQ and HLG override an ICC profile without a cicp tag"
        : "the profile is empty or unusable"
    case (.profileUnlessHighDynamicRange, .codePoints?):
      return "overrides the bitstream"
    case (_, .profile?): return "overrides all other declarations"
    default: return "highest precedence in the file"
    }
  }
}

/// SMPTE ST 2094-50 metadata of an image, and its carrier in the file.
public struct FoundHeadroomAdaptation: Hashable, Sendable {
  /// Carrier of the metadata in the file.
  public enum Carrier: String, Hashable, Sendable {
    /// The `HAGC` tag of the ICC profile.
    case profile = "ICC profile (HAGC)"
    /// An ITU-T T.35 message: HEVC SEI, AV1 metadata OBU.
    case bitstream = "bitstream (ITU-T T.35)"
  }

  /// Carrier of the metadata.
  public var carrier: Carrier
  /// The metadata.
  public var adaptation: HeadroomAdaptation
}

/// All SMPTE ST 2094-50 metadata of a file.
package struct FoundHeadroomAdaptations {
  /// In order of precedence: containers before bitstreams, since containers are written last.
  package private(set) var all: [FoundHeadroomAdaptation] = []
  /// Notices about unreadable, invalid and contradictory metadata.
  package private(set) var notices: [Notice] = []

  /// Collects the metadata of an image.
  ///
  /// - Parameters:
  ///   - icc: ICC profile of the image.
  ///   - messages: ITU-T T.35 messages in its bitstream.
  ///   - transfer: Transfer function of the image; the metadata apply to PQ, HLG and linear only.
  package init(icc: [UInt8]?, messages: [[UInt8]], transfer: TransferFunction) {
    read(.profile) { () throws(ImageError) in
      guard let icc, let profile = try? ICCProfile(parsing: icc) else { return nil }
      return try profile.headroomAdaptation()
    }
    for message in messages {
      read(.bitstream) { () throws(ImageError) in try HeadroomAdaptation(parsingT35: message) }
    }
    guard let first = all.first else { return }
    switch transfer {
    case .pq, .hlg, .linear: break
    default:
      all = []
      notices.append(
        Notice(.irregular, "ignored: ST 2094-50 metadata of an image without headroom"))
      return
    }
    notices += first.adaptation.toneMap?.peculiarities ?? []
    if let other = all.first(where: { $0.adaptation != first.adaptation }) {
      notices.append(
        Notice(
          .conflict, "ST 2094-50 metadata in {first} and {second} differ; using {first}",
          ["first": first.carrier.rawValue, "second": other.carrier.rawValue]))
    }
  }

  private mutating func read(
    _ carrier: FoundHeadroomAdaptation.Carrier, _ body: () throws(ImageError) -> HeadroomAdaptation?
  ) {
    do throws(ImageError) {
      guard let adaptation = try body() else { return }
      all.append(FoundHeadroomAdaptation(carrier: carrier, adaptation: adaptation))
    } catch {
      notices.append(
        Notice(
          .irregular, "ignored: ST 2094-50 metadata: {cause}", ["cause": error], at: error.location)
      )
    }
  }
}
