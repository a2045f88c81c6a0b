/// How an image shall look on displays of any headroom: SMPTE ST 2094-50, application 5.
///
/// A file's author says with it what smaller and larger displays show. ICC profiles carry it as
/// `HAGC`, containers as ITU-T T.35 payload.
///
/// Source: SMPTE ST 2094-50, public committee draft 2 of 2026-02-23.
public struct HeadroomAdaptation: Hashable, Sendable {
  /// Luminance of light 1.0, cd/m²; `nil` for the default of 203.
  public var customReferenceWhite: Double?
  /// `nil` where the file leaves tone mapping to the reader.
  public var toneMap: AdaptiveToneMap?

  public init(customReferenceWhite: Double? = nil, toneMap: AdaptiveToneMap? = nil) {
    self.customReferenceWhite = customReferenceWhite
    self.toneMap = toneMap
  }

  /// Luminance of light 1.0, cd/m².
  public var referenceWhite: Double {
    customReferenceWhite ?? LightMetadata.defaultDiffuseWhite
  }
}

/// A baseline image, and how it becomes the images for displays of other headrooms.
public struct AdaptiveToneMap: Hashable, Sendable {
  /// Where the gains of the alternate images come from.
  public enum Method: Hashable, Sendable {
    /// The gains that follow from the baseline's headroom; see `ReferenceWhiteToneMap`.
    case referenceWhite
    /// Up to four alternates by rising headroom, none at that of the baseline, and the primaries in
    /// which their gains apply.
    ///
    /// Without alternates the baseline is clipped on smaller displays.
    case alternates([AdaptiveToneMap.Alternate], primaries: ColorPrimaries)
  }

  /// Headroom of the image as coded, 0...6 stops.
  public var baselineHeadroom: Headroom
  /// Source of the gains.
  public var method: Method

  /// Alternates that a file can hold.
  public static let alternateLimit = 4

  public init(baselineHeadroom: Headroom, method: Method) {
    self.baselineHeadroom = baselineHeadroom
    self.method = method
  }

  /// The alternates, written or derived.
  public var alternates: [AdaptiveToneMap.Alternate] {
    switch method {
    case .referenceWhite: AdaptiveToneMap.Alternate.referenceWhite(baseline: baselineHeadroom)
    case .alternates(let alternates, _): alternates
    }
  }

  /// The primaries in which gains apply.
  public var primaries: ColorPrimaries {
    switch method {
    case .referenceWhite: .bt2020
    case .alternates(_, let primaries): primaries
    }
  }

  /// The gains for a display.
  package func gain(for display: Headroom) -> AdaptedGain { AdaptedGain(self, for: display) }
}

extension AdaptiveToneMap {
  /// Notices about what the standard advises against.
  ///
  /// Files of early drafts code gains otherwise and can be told from others by nothing else.
  public var oddities: [Notice] {
    guard case .alternates(let alternates, _) = method else { return [] }
    return alternates.compactMap { alternate in
      let end = alternate.curve.gain(baselineHeadroom.ratio)
      let wanted = alternate.headroom.stops - baselineHeadroom.stops
      guard abs(end - wanted) > 0.05 else { return nil }
      return Notice(
        .st2094GainEndDiffers,
        ["headroom": alternate.headroom.stops, "gain": end, "expected": wanted])
    }
  }
}

extension AdaptiveToneMap {
  /// The image for displays of one headroom.
  public struct Alternate: Hashable, Sendable {
    /// 0...6 stops.
    public var headroom: Headroom
    /// Argument of the gain curve.
    public var mixing: ComponentMixing
    /// Gain in stops.
    public var curve: GainCurve

    public init(headroom: Headroom, mixing: ComponentMixing, curve: GainCurve) {
      self.headroom = headroom
      self.mixing = mixing
      self.curve = curve
    }
  }
}

extension AdaptiveToneMap {
  /// An alternate's share in the image for a display.
  public struct Share: Hashable, Sendable {
    /// Index in `alternates`.
    public var alternate: Int
    /// Its share, above 0 and at most 1.
    public var weight: Double
  }

  /// The alternates next to a display's headroom and their weights, by rising headroom.
  ///
  /// The baseline, whose gain is 0, has what the weights lack to 1.
  ///
  /// Source: SMPTE ST 2094-50, computation of the adaptive tone map.
  public func shares(for display: Headroom) -> [Share] {
    var pictures = alternates.enumerated().map { (index: Int?($0), stops: $1.headroom.stops) }
    let place = pictures.firstIndex { baselineHeadroom.stops < $0.stops } ?? pictures.count
    pictures.insert((nil, baselineHeadroom.stops), at: place)
    let target = display.stops
    let upper = pictures.firstIndex { target <= $0.stops } ?? pictures.count - 1
    var shares = [(pictures[upper].index, 1.0)]
    if upper > 0, target < pictures[upper].stops {
      let (low, high) = (pictures[upper - 1], pictures[upper])
      let weight = (target - high.stops) / (low.stops - high.stops)
      shares = [(low.index, weight), (high.index, 1 - weight)]
    }
    return shares.compactMap { index, weight in
      index.flatMap { weight > 0 ? Share(alternate: $0, weight: weight) : nil }
    }
  }
}
