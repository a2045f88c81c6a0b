/// The headroom that an image uses, and its source.
///
/// A file's own words count, in this order: its ST 2094-50 baseline, its gain map's alternate,
/// MaxCLL, the peak of the mastering display, and for HLG its nominal peak. Words that exceed the
/// measured light by more than a stop are not about this image: the measured headroom is taken
/// instead. Words below it are trusted, and what is brighter is shown at the display's peak.
public struct ContentHeadroom: Hashable, Sendable {
  /// Source of a headroom.
  public enum Origin: String, Hashable, Sendable, CaseIterable {
    case adaptation = "ST 2094-50"
    case gainMap = "gain map"
    case contentLightLevel = "MaxCLL"
    case masteringDisplay = "mastering display"
    case hlg = "HLG"
    /// The encoding ends at reference white.
    case encoding = "SDR encoding"
    case measured
  }

  /// The declarations of a file about its headroom.
  public struct Declarations: Hashable, Sendable {
    /// SMPTE ST 2094-50 metadata.
    public var adaptation: HeadroomAdaptation?
    /// Headroom of a gain map's alternate rendition.
    public var gainMapAlternate: Headroom?
    public var description: LightMetadata
    /// Whether the transfer function is HLG.
    public var isHLG: Bool
    /// Exposure applied to the linear values since the file was made, in stops.
    public var exposure: Double

    public init(
      adaptation: HeadroomAdaptation? = nil, gainMapAlternate: Headroom? = nil,
      description: LightMetadata = LightMetadata(), isHLG: Bool = false, exposure: Double = 0
    ) {
      self.adaptation = adaptation
      self.gainMapAlternate = gainMapAlternate
      self.description = description
      self.isHLG = isHLG
      self.exposure = exposure
    }
  }

  /// At least 0 stops.
  public let headroom: Headroom
  /// The source of the headroom.
  public let origin: Origin
  /// Declarations that were not used.
  public let notice: Notice?

  /// Headroom that follows from how the light was made.
  public init(_ headroom: Headroom, origin: Origin) {
    (self.headroom, self.origin, notice) = (Headroom(stops: max(headroom.stops, 0)), origin, nil)
  }

  /// Chooses between the declarations of a file and the measured headroom.
  ///
  /// - Parameters:
  ///   - declarations: Declarations of the file.
  ///   - measured: Headroom of the light itself: `LightLevels.contentHeadroom`.
  ///   - referenceWhite: Luminance of light 1.0, cd/m².
  public init(
    _ declarations: Declarations, measured: Headroom,
    referenceWhite: Double = LightMetadata.defaultDiffuseWhite
  ) {
    let measured = Headroom(stops: max(measured.stops, 0))
    guard let declared = declarations.first(referenceWhite: referenceWhite) else {
      (headroom, origin, notice) = (measured, .measured, nil)
      return
    }
    guard declared.headroom.stops <= measured.stops + Self.tolerance else {
      (headroom, origin) = (measured, .measured)
      // HLG only allows its peak; that does not declare that the image reaches it.
      notice =
        declared.origin == .hlg
        ? nil
        : Notice(
          .headroomDeclaredTooHigh,
          [
            "source": declared.origin.rawValue, "declared": declared.headroom.ratio,
            "measured": measured.ratio,
          ])
      return
    }
    (headroom, origin, notice) = (declared.headroom, declared.origin, nil)
  }

  /// Stops by which a declared headroom may exceed the measured one.
  fileprivate static let tolerance = 1.0
}

extension ContentHeadroom.Declarations {
  /// Measured headroom from which on the declared one is taken; `nil` if none is declared.
  public func sufficient(
    referenceWhite: Double = LightMetadata.defaultDiffuseWhite
  ) -> Headroom? {
    first(referenceWhite: referenceWhite).map {
      Headroom(stops: $0.headroom.stops - ContentHeadroom.tolerance)
    }
  }

  /// The one with the most authority.
  fileprivate func first(
    referenceWhite: Double
  ) -> (headroom: Headroom, origin: ContentHeadroom.Origin)? {
    func ratio(_ luminance: Double?) -> Headroom? {
      luminance.flatMap { $0 > 0 ? Headroom(ratio: $0 / referenceWhite) : nil }
    }
    let all: [(Headroom?, ContentHeadroom.Origin)] = [
      (adaptation?.toneMap?.baselineHeadroom, .adaptation),
      (gainMapAlternate, .gainMap),
      (ratio(description.contentLightLevel?.maximum), .contentLightLevel),
      (ratio(description.masteringDisplay?.maximumLuminance), .masteringDisplay),
      (isHLG ? ratio(HLG.Display.reference.peakLuminance) : nil, .hlg),
    ]
    return all.lazy.compactMap { headroom, origin in
      headroom.flatMap {
        $0.stops.isFinite ? (Headroom(stops: max($0.stops + exposure, 0)), origin) : nil
      }
    }.first
  }
}
