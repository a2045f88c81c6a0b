public import HDRCore

/// What turns the samples of a gain map into the gain between two renditions.
///
/// Numbers are the fractions that the file has, so that rewriting loses nothing. All headrooms,
/// minima and maxima are in stops. A value of this type can always be applied.
///
/// Source: ISO 21496-1:2025, clause 5.
public struct GainMapMetadata: Hashable, Sendable {
  /// How one color component's gain is coded.
  public struct Channel: Hashable, Sendable {
    /// Base-2 logarithm of the gain of sample 0.
    public var minimum: SignedRational
    /// Base-2 logarithm of the gain of sample 1.
    public var maximum: SignedRational
    /// Exponent of the encoding: samples are relative gains to this power.
    public var gamma: UnsignedRational
    /// Added to the base's light before gain is taken; 1.0 for reference white.
    public var baseOffset: SignedRational
    /// Added to the alternate's light before gain is taken; 1.0 for reference white.
    public var alternateOffset: SignedRational

    public init(
      minimum: SignedRational, maximum: SignedRational, gamma: UnsignedRational,
      baseOffset: SignedRational, alternateOffset: SignedRational
    ) {
      self.minimum = minimum
      self.maximum = maximum
      self.gamma = gamma
      self.baseOffset = baseOffset
      self.alternateOffset = alternateOffset
    }
  }

  /// One description for all components, or one for each.
  public enum Channels: Hashable, Sendable {
    case one(Channel)
    case three(red: Channel, green: Channel, blue: Channel)

    /// The channels as files have them: one or three.
    public var all: [Channel] {
      switch self {
      case .one(let channel): [channel]
      case .three(let red, let green, let blue): [red, green, blue]
      }
    }

    /// The channel of component 0, 1 or 2: red, green, blue.
    public subscript(component: Int) -> Channel {
      let all = all
      return all[min(component, all.count - 1)]
    }

    /// The same number of channels, each changed.
    public func map(_ change: (Channel) -> Channel) -> Channels {
      switch self {
      case .one(let channel): .one(change(channel))
      case .three(let red, let green, let blue):
        .three(red: change(red), green: change(green), blue: change(blue))
      }
    }
  }

  public let channels: Channels
  /// Headroom, in stops, at which the base is shown as it is.
  public let baseHeadroom: UnsignedRational
  /// Headroom, in stops, at which the alternate rendition is reached.
  public let alternateHeadroom: UnsignedRational
  /// Whether gain is applied in the base's primaries; else in those of the alternate rendition.
  public let usesBaseColorSpace: Bool

  /// Largest number of stops, in either direction, that is taken for a gain or a headroom.
  ///
  /// Far more than any picture has, and few enough for arithmetic in single precision.
  public static let largestStops = 64.0

  /// Puts metadata together.
  ///
  /// - Throws: `.malformed` for a maximum below the minimum, a gamma of 0, and gains or headrooms
  ///   beyond `largestStops`.
  public init(
    channels: Channels, baseHeadroom: UnsignedRational, alternateHeadroom: UnsignedRational,
    usesBaseColorSpace: Bool
  ) throws(ImageError) {
    for (index, channel) in channels.all.enumerated() {
      do throws(ImageError) {
        try Self.check(channel)
      } catch {
        throw error.inside("channel \(index)")
      }
    }
    for headroom in [baseHeadroom, alternateHeadroom] where headroom.value > Self.largestStops {
      throw ImageError(.invalidValue, ["field": "headroom (stops)", "value": headroom.value])
    }
    self.init(
      unchecked: channels, baseHeadroom: baseHeadroom, alternateHeadroom: alternateHeadroom,
      usesBaseColorSpace: usesBaseColorSpace)
  }

  init(
    unchecked channels: Channels, baseHeadroom: UnsignedRational,
    alternateHeadroom: UnsignedRational, usesBaseColorSpace: Bool
  ) {
    self.channels = channels
    self.baseHeadroom = baseHeadroom
    self.alternateHeadroom = alternateHeadroom
    self.usesBaseColorSpace = usesBaseColorSpace
  }

  private static func check(_ channel: Channel) throws(ImageError) {
    let (minimum, maximum) = (channel.minimum.value, channel.maximum.value)
    guard minimum <= maximum else {
      throw ImageError(
        .invalidValue, ["field": "gain (stops)", "value": "\(minimum) to \(maximum)"])
    }
    guard max(abs(minimum), abs(maximum)) <= largestStops else {
      throw ImageError(
        .invalidValue, ["field": "gain (stops)", "value": "\(minimum) to \(maximum)"])
    }
    guard channel.gamma.numerator > 0 else {
      throw ImageError(.invalidValue, ["field": "gamma", "value": 0])
    }
  }
}

extension GainMapMetadata {
  /// Whether the base is the rendition with more headroom.
  public var baseIsHDR: Bool { baseHeadroom.value > alternateHeadroom.value }

  /// Whether the two renditions are for the same display, so that the map does nothing.
  public var isIdentity: Bool { baseHeadroom.value == alternateHeadroom.value }

  /// Largest gain of any component, in stops.
  public var largestGain: Double {
    channels.all.reduce(-.infinity) { max($0, $1.maximum.value) }
  }

  /// What is legal but odd about the numbers.
  public var peculiarities: [Notice] {
    var found: [Notice] = []
    if isIdentity {
      found.append(Notice(.gainMapIdentity, ["headroom": baseHeadroom.value]))
    }
    let offsets = channels.all.flatMap { [$0.baseOffset.value, $0.alternateOffset.value] }
    if let negative = offsets.min(), negative < 0 {
      found.append(Notice(.gainMapNegativeOffset, ["offset": negative]))
    }
    return found
  }
}
