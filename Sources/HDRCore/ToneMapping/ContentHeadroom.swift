// SPDX-License-Identifier: Apache-2.0
/// The headroom that an image uses, and its source.
///
/// The declarations of a file have priority, in this order: the baseline of ST 2094-50, the
/// alternate of the gain map, MaxCLL, the peak of the mastering display, and for HLG its nominal
/// peak. A declaration that exceeds the measured headroom by more than one stop is ignored, and the
/// measured headroom is used, not the next declaration. A declaration below the measured headroom
/// is used; brighter values are shown at the display's peak.
public struct ContentHeadroom: Hashable, Sendable {
  /// Source of a headroom.
  public enum Origin: String, Hashable, Sendable, CaseIterable {
    /// The baseline headroom of SMPTE ST 2094-50 metadata.
    case headroomAdaptation = "ST 2094-50"
    /// The headroom of the alternate image of a gain map.
    case gainMap = "gain map"
    /// MaxCLL over reference white.
    case contentLightLevel = "MaxCLL"
    /// The peak of the mastering display over reference white.
    case masteringDisplay = "mastering display"
    /// The peak of the reference display of HLG, 1000 cd/m², over reference white.
    case hlg = "HLG"
    /// The peak of the encoding is reference white.
    case encoding = "SDR encoding"
    /// The samples; see `LightLevels.contentHeadroom`.
    case measured
  }

  /// Headroom declarations of a file.
  public struct Declarations: Hashable, Sendable {
    /// SMPTE ST 2094-50 metadata.
    public var headroomAdaptation: HeadroomAdaptation?
    /// Headroom of the alternate image of a gain map.
    public var gainMapAlternate: Headroom?
    /// Light metadata of the image; MaxCLL and the mastering display are used, unless they are 0.
    public var light: LightMetadata
    /// Whether the transfer function is HLG.
    public var isHLG: Bool
    /// Exposure applied to the linear values since the file was made, in stops; added to every
    /// declaration.
    public var exposure: Double

    public init(
      headroomAdaptation: HeadroomAdaptation? = nil, gainMapAlternate: Headroom? = nil,
      light: LightMetadata = LightMetadata(), isHLG: Bool = false, exposure: Double = 0
    ) {
      self.headroomAdaptation = headroomAdaptation
      self.gainMapAlternate = gainMapAlternate
      self.light = light
      self.isHLG = isHLG
      self.exposure = exposure
    }
  }

  /// Headroom, at least 0 stops.
  public let headroom: Headroom
  /// The source of the headroom.
  public let origin: Origin
  /// Notice about a declaration that was not used because it is too high; `nil` otherwise.
  public let notice: Notice?

  /// Makes a headroom of known origin; headrooms below 0 stops count as 0.
  public init(_ headroom: Headroom, origin: Origin) {
    (self.headroom, self.origin, notice) = (Headroom(stops: max(headroom.stops, 0)), origin, nil)
  }

  /// Chooses between the declarations of a file and the measured headroom.
  ///
  /// - Parameters:
  ///   - declarations: Declarations of the file.
  ///   - measured: Headroom of the linear values: `LightLevels.contentHeadroom`; below 0 stops it
  ///     counts as 0.
  ///   - referenceWhite: Luminance of linear 1.0 in cd/m².
  public init(
    _ declarations: Declarations, measured: Headroom,
    referenceWhite: Double = ColorEncoding.defaultReferenceWhite
  ) {
    let measured = Headroom(stops: max(measured.stops, 0))
    guard let declared = declarations.first(referenceWhite: referenceWhite) else {
      (headroom, origin, notice) = (measured, .measured, nil)
      return
    }
    guard declared.headroom.stops <= measured.stops + Self.tolerance else {
      (headroom, origin) = (measured, .measured)
      // HLG permits its peak, but does not declare that the image reaches it.
      notice =
        declared.origin == .hlg
        ? nil
        : Notice(
          .conflict,
          "{source} specifies a peak of {declared}x the reference white, the image reaches "
            + "{measured}x; rendered for the image",
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
  /// Measured headroom at or above which the declared one is used; `nil` if none is declared.
  package func sufficient(
    referenceWhite: Double = ColorEncoding.defaultReferenceWhite
  ) -> Headroom? {
    first(referenceWhite: referenceWhite).map {
      Headroom(stops: $0.headroom.stops - ContentHeadroom.tolerance)
    }
  }

  /// Whether the image may have more headroom than a display.
  package func mayExceed(_ display: Headroom, referenceWhite: Double) -> Bool {
    first(referenceWhite: referenceWhite).map { $0.headroom.stops > display.stops } ?? true
  }

  /// The declaration with the highest priority.
  fileprivate func first(
    referenceWhite: Double
  ) -> (headroom: Headroom, origin: ContentHeadroom.Origin)? {
    func ratio(_ luminance: Double?) -> Headroom? {
      luminance.flatMap { $0 > 0 ? Headroom(ratio: $0 / referenceWhite) : nil }
    }
    let all: [(Headroom?, ContentHeadroom.Origin)] = [
      (headroomAdaptation?.toneMap?.baselineHeadroom, .headroomAdaptation),
      (gainMapAlternate, .gainMap),
      (ratio(light.contentLightLevel?.maximum), .contentLightLevel),
      (ratio(light.masteringDisplay?.maximumLuminance), .masteringDisplay),
      (isHLG ? ratio(HLG.Display.reference.peakLuminance) : nil, .hlg),
    ]
    return all.lazy.compactMap { headroom, origin in
      headroom.flatMap {
        $0.stops.isFinite ? (Headroom(stops: max($0.stops + exposure, 0)), origin) : nil
      }
    }.first
  }
}
