// SPDX-License-Identifier: Apache-2.0
public import HDRCore
internal import Platform

/// Metadata of a gain map: the relation of its samples to the gain between two images.
///
/// Fractions are those of the file, so that rewriting changes nothing. Headrooms, minima and maxima
/// are in stops. A value of this type can always be applied.
///
/// Source: ISO 21496-1:2025, clause 5.
public struct GainMapMetadata: Hashable, Sendable {
  /// Encoding of the gain of one color component.
  public struct Channel: Hashable, Sendable {
    /// Base-2 logarithm of the gain of sample 0, in stops.
    public var minimum: SignedRational
    /// Base-2 logarithm of the gain of sample 1, in stops; at least `minimum`.
    public var maximum: SignedRational
    /// Exponent of the encoding, above 0: samples are relative log gains to this power.
    public var gamma: UnsignedRational
    /// Added to linear values of the baseline image before the gain is applied.
    ///
    /// 1.0 is reference white, 203 cd/m² for PQ and HLG.
    public var baseOffset: SignedRational
    /// Subtracted from linear values after the gain is applied, in the unit of `baseOffset`.
    ///
    /// For the computation of the gain, it is added to those of the alternate image.
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

  /// One channel for all color components, or one for each.
  public enum Channels: Hashable, Sendable {
    case one(Channel)
    case three(red: Channel, green: Channel, blue: Channel)

    /// The channels as stored: one or three.
    public var all: [Channel] {
      switch self {
      case .one(let channel): [channel]
      case .three(let red, let green, let blue): [red, green, blue]
      }
    }

    /// The channel of component 0, 1 or 2: red, green, blue; other numbers count as the nearest.
    ///
    /// A single channel is that of all components.
    public subscript(component: Int) -> Channel {
      switch self {
      case .one(let channel): channel
      case .three(let red, let green, let blue):
        component <= 0 ? red : component == 1 ? green : blue
      }
    }

    /// Changes each channel in place; the result is not checked.
    public mutating func change(_ body: (inout Channel) -> Void) {
      self = map { channel in
        var changed = channel
        body(&changed)
        return changed
      }
    }

    /// Returns the same number of channels, each changed by `change`; the result is not checked.
    public func map(_ change: (Channel) -> Channel) -> Channels {
      switch self {
      case .one(let channel): .one(change(channel))
      case .three(let red, let green, let blue):
        .three(red: change(red), green: change(green), blue: change(blue))
      }
    }
  }

  /// The channels; that of an Apple gain map has offsets and a minimum of 0, and an unused gamma.
  public let channels: Channels
  /// Headroom, in stops, of the baseline image: displays of this headroom show it unchanged.
  public let baseHeadroom: UnsignedRational
  /// Headroom, in stops, of the alternate image: displays of this headroom show it.
  public let alternateHeadroom: UnsignedRational
  /// Whether the gain is applied in the primaries of the baseline image; else in the alternate's.
  public let usesBaseColorSpace: Bool
  /// Curve of an Apple gain map, which replaces gamma; `nil` for ISO 21496-1 and Adobe XMP.
  public let appleCurve: AppleCurve?

  /// Largest gain or headroom: 64 stops, in either direction.
  ///
  /// It is more than any image has, and small enough for arithmetic in single precision.
  public static let largestStops = 64.0

  /// Creates metadata as in ISO 21496-1.
  ///
  /// - Parameters:
  ///   - channels: One channel for all components, or three.
  ///   - baseHeadroom: Headroom of the baseline image, in stops.
  ///   - alternateHeadroom: Headroom of the alternate image, in stops; it can be below or equal to
  ///     the other.
  ///   - usesBaseColorSpace: Whether the gain is applied in the primaries of the baseline image.
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
    alternateHeadroom: UnsignedRational, usesBaseColorSpace: Bool, appleCurve: AppleCurve? = nil
  ) {
    self.channels = channels
    self.baseHeadroom = baseHeadroom
    self.alternateHeadroom = alternateHeadroom
    self.usesBaseColorSpace = usesBaseColorSpace
    self.appleCurve = appleCurve
  }

  /// The values of metadata of ISO 21496-1 that can be changed; see `change(_:)`.
  public struct Values: Hashable, Sendable {
    /// The channels.
    public var channels: Channels
    /// Headroom, in stops, of displays that show the baseline image unchanged.
    public var baseHeadroom: UnsignedRational
    /// Headroom, in stops, of displays that show the alternate image.
    public var alternateHeadroom: UnsignedRational
    /// Whether the gain is applied in the primaries of the baseline image; else in the alternate's.
    public var usesBaseColorSpace: Bool
  }

  /// Changes the metadata, and checks the result as `init` does.
  ///
  ///     try metadata.change { $0.channels.change { $0.gamma = UnsignedRational(2) } }
  ///
  /// - Parameter body: The change.
  /// - Throws: As `init(channels:baseHeadroom:alternateHeadroom:usesBaseColorSpace:)`, in which case the
  ///   metadata stay as they were; `.invalidArgument` for an Apple gain map, whose numbers follow from its
  ///   headroom.
  public mutating func change(_ body: (inout Values) -> Void) throws(ImageError) {
    guard !isApple else {
      throw ImageError(
        .invalidArgument, "the numbers of an Apple gain map follow from its headroom")
    }
    var values = Values(
      channels: channels, baseHeadroom: baseHeadroom, alternateHeadroom: alternateHeadroom,
      usesBaseColorSpace: usesBaseColorSpace)
    body(&values)
    self = try GainMapMetadata(
      channels: values.channels, baseHeadroom: values.baseHeadroom,
      alternateHeadroom: values.alternateHeadroom, usesBaseColorSpace: values.usesBaseColorSpace)
  }

  private static func check(_ channel: Channel) throws(ImageError) {
    let (minimum, maximum) = (channel.minimum.value, channel.maximum.value)
    guard minimum <= maximum, max(abs(minimum), abs(maximum)) <= largestStops else {
      throw ImageError(
        .invalidValue, ["field": "gain (stops)", "value": "\(minimum) to \(maximum)"])
    }
    guard channel.gamma.numerator > 0 else {
      throw ImageError(.invalidValue, ["field": "gamma", "value": 0])
    }
  }
}

extension GainMapMetadata {
  /// Whether the baseline image has more headroom than the alternate image; false for equal ones.
  public var isBaseHDR: Bool { baseHeadroom.value > alternateHeadroom.value }

  /// Whether both images are for the same display, so that the gain map has no effect.
  public var isIdentity: Bool { baseHeadroom.value == alternateHeadroom.value }

  /// Largest gain of any component, in stops: the largest `maximum`, negative if the map darkens.
  public var largestGain: Double { channels.all.reduce(-.infinity) { max($0, $1.maximum.value) } }

  /// Headroom of the brighter of the two images.
  public var fullHeadroom: Headroom {
    Headroom(stops: max(baseHeadroom.value, alternateHeadroom.value))
  }

  /// Notices about numbers that are valid but unusual: equal headrooms and negative offsets.
  public var peculiarities: [Notice] {
    var found: [Notice] = []
    if isIdentity {
      found.append(
        Notice(
          .irregular, "both images have a headroom of {headroom stop}: no gain",
          ["headroom": baseHeadroom.value]))
    }
    let offsets = channels.all.flatMap { [$0.baseOffset.value, $0.alternateOffset.value] }
    if let negative = offsets.min(), negative < 0 {
      found.append(
        Notice(
          .irregular, "negative offset {offset}, which other programs refuse", ["offset": negative])
      )
    }
    return found
  }
}

extension Headroom {
  /// Headroom of a number of stops.
  package init(_ stops: UnsignedRational) { self.init(stops: stops.value) }
}

extension GainMapMetadata {
  /// Returns the numbers that differ by more than one percent of the gain between two metadata of one
  /// gain map.
  ///
  /// Decimals and fractions of different writers differ in the last digits. Of an Apple gain map,
  /// whose curve no gamma matches, only the headrooms are compared.
  ///
  /// - Parameter other: The other metadata.
  /// - Returns: A clause for each number, this value first; empty if all agree.
  package func disagreements(with other: GainMapMetadata) -> [String] {
    if isApple || other.isApple {
      let (ours, theirs) = (fullHeadroom.stops, other.fullHeadroom.stops)
      guard abs(ours - theirs) > Self.onePercentInStops else { return [] }
      return ["headroom \(ours.rounded6) against \(theirs.rounded6) stops"]
    }
    var found: [String] = []
    func compare(_ name: String, _ ours: Double, _ theirs: Double, _ tolerance: Double) {
      guard abs(ours - theirs) > tolerance else { return }
      found.append("\(name) \(ours.rounded6) against \(theirs.rounded6)")
    }
    compare("base headroom", baseHeadroom.value, other.baseHeadroom.value, Self.onePercentInStops)
    compare(
      "alternate headroom", alternateHeadroom.value, other.alternateHeadroom.value,
      Self.onePercentInStops)
    let isPerComponent = channels.all.count > 1 || other.channels.all.count > 1
    for component in 0..<(isPerComponent ? 3 : 1) {
      let (ours, theirs) = (channels[component], other.channels[component])
      let suffix = isPerComponent ? " of \(["red", "green", "blue"][component])" : ""
      compare("minimum" + suffix, ours.minimum.value, theirs.minimum.value, Self.onePercentInStops)
      compare("maximum" + suffix, ours.maximum.value, theirs.maximum.value, Self.onePercentInStops)
      compare("gamma" + suffix, ours.gamma.value, theirs.gamma.value, 0.01 * ours.gamma.value)
      for (name, a, b) in [
        ("base offset", ours.baseOffset.value, theirs.baseOffset.value),
        ("alternate offset", ours.alternateOffset.value, theirs.alternateOffset.value),
      ] {
        compare(name + suffix, a, b, 0.01 * abs(a) + Self.invisibleOffset)
      }
    }
    if usesBaseColorSpace != other.usesBaseColorSpace {
      let spaces = usesBaseColorSpace ? ("base", "alternate") : ("alternate", "base")
      found.append("primaries of the \(spaces.0) against those of the \(spaces.1)")
    }
    return found
  }

  /// Whether all numbers are equal within a relative tolerance; the choice of primaries is ignored.
  package func equals(_ other: GainMapMetadata, within tolerance: Double) -> Bool {
    func numbers(_ metadata: GainMapMetadata) -> [Double] {
      [metadata.baseHeadroom.value, metadata.alternateHeadroom.value]
        + (0..<3).flatMap { component in
          let channel = metadata.channels[component]
          return [
            channel.minimum.value, channel.maximum.value, channel.gamma.value,
            channel.baseOffset.value, channel.alternateOffset.value,
          ]
        }
    }
    return zip(numbers(self), numbers(other)).allSatisfy { ours, theirs in
      abs(ours - theirs) <= tolerance * max(abs(ours), 1)
    }
  }

  /// A gain of 1.01, in stops.
  package static let onePercentInStops = log2(1.01)
  /// Less than a step of 10-bit PQ above black.
  private static let invisibleOffset = 1e-4
}

extension GainMapMetadata {
  /// Whether the gain is equal for all components of a pixel, with equal offsets of both images, so
  /// that its primaries have no effect.
  ///
  /// Rows of a matrix between primaries add up to 1, so it commutes with (x + k) g - k.
  ///
  /// - Parameter mapIsGray: Whether the samples have one component.
  /// - Returns: Whether `usesBaseColorSpace` may have either value.
  package func hasColorlessGain(mapIsGray: Bool) -> Bool {
    guard mapIsGray, let first = channels.all.first else { return false }
    return channels.all.allSatisfy { $0.hasSameValues(as: first) }
      && first.baseOffset.value == first.alternateOffset.value
  }
}

extension GainMapMetadata.Channel {
  /// Whether all numbers are equal, whatever their fractions.
  package func hasSameValues(as other: Self) -> Bool {
    minimum.value == other.minimum.value && maximum.value == other.maximum.value
      && gamma.value == other.gamma.value && baseOffset.value == other.baseOffset.value
      && alternateOffset.value == other.alternateOffset.value
  }
}

extension Double {
  /// Decimal text with at most six digits after the point.
  package var rounded6: String { ((self * 1e6).rounded() / 1e6).plainDecimal }
}

extension GainMapMetadata {
  /// The metadata of the same samples with baseline and alternate image exchanged.
  ///
  /// Samples are the gain from the darker to the brighter image either way, and primaries of the
  /// gain stay: `usesBaseColorSpace` is inverted. Displays between the two show the same image if
  /// the two offsets are equal; else linear values that differ by their difference.
  public var swapped: GainMapMetadata {
    GainMapMetadata(
      unchecked: channels.map { channel in
        var channel = channel
        swap(&channel.baseOffset, &channel.alternateOffset)
        return channel
      },
      baseHeadroom: alternateHeadroom, alternateHeadroom: baseHeadroom,
      usesBaseColorSpace: !usesBaseColorSpace, appleCurve: appleCurve)
  }

  /// Returns the metadata with the gain in the primaries of the baseline image, if these have no
  /// effect.
  ///
  /// - Parameter mapIsGray: Whether the samples have one component.
  /// - Returns: `nil` if the gains of the components differ, so that new samples are required.
  package func usingBaseColorSpace(mapIsGray: Bool) -> GainMapMetadata? {
    guard !usesBaseColorSpace else { return self }
    return hasColorlessGain(mapIsGray: mapIsGray) ? inPrimariesOfBase : nil
  }

  /// The same numbers, with the gain in the primaries of the baseline image.
  package var inPrimariesOfBase: GainMapMetadata {
    GainMapMetadata(
      unchecked: channels, baseHeadroom: baseHeadroom, alternateHeadroom: alternateHeadroom,
      usesBaseColorSpace: true, appleCurve: appleCurve)
  }

  /// The metadata with one channel, if all three are equal.
  package var collapsed: GainMapMetadata {
    let all = channels.all
    guard all.count > 1, all.allSatisfy({ $0.hasSameValues(as: all[0]) }) else { return self }
    return GainMapMetadata(
      unchecked: .one(all[0]), baseHeadroom: baseHeadroom, alternateHeadroom: alternateHeadroom,
      usesBaseColorSpace: usesBaseColorSpace)
  }
}

/// Forms of gain map metadata, in order of precedence: of several in a file, the first is used.
///
/// Source: libultrahdr, Skia, Chromium and tev use this order.
public enum GainMapFlavor: String, Codable, Hashable, Sendable, CaseIterable {
  /// Binary metadata of ISO 21496-1.
  case iso
  /// Adobe's `hdrgm` XMP, which Ultra HDR uses.
  case xmp
  /// Apple XMP and maker note.
  case apple

  /// Name for people: `ISO 21496-1`, `XMP` or `Apple`.
  public var title: String {
    switch self {
    case .iso: "ISO 21496-1"
    case .xmp: "XMP"
    case .apple: "Apple"
    }
  }

  /// Flavors that can be written instead of this one: the others of `flavors`, or ISO 21496-1.
  package func alternatives(among flavors: Set<GainMapFlavor>) -> [String] {
    let others = GainMapFlavor.allCases.filter { $0 != self && flavors.contains($0) }
    return (others.isEmpty ? [.iso] : others).map(\.rawValue)
  }
}
