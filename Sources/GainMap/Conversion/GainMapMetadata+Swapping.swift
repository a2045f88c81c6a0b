/// Changes of metadata that leave the map's samples as they are.
extension GainMapMetadata {
  /// The metadata for the same map with base and alternate rendition exchanged.
  ///
  /// The samples mean the gain from the darker to the brighter rendition either way. Displays between
  /// the two see the same if the two offsets are equal, else light that differs by their difference.
  public var swapped: GainMapMetadata {
    GainMapMetadata(
      unchecked: channels.map { channel in
        var channel = channel
        swap(&channel.baseOffset, &channel.alternateOffset)
        return channel
      },
      baseHeadroom: alternateHeadroom, alternateHeadroom: baseHeadroom,
      usesBaseColorSpace: !usesBaseColorSpace)
  }

  /// The metadata with gain in the base's primaries, where that makes no difference.
  ///
  /// - Parameter mapIsGray: Whether the map's samples have one component.
  /// - Returns: `nil` where components have gains of their own, so that the map must be made anew.
  public func usingBaseColorSpace(mapIsGray: Bool) -> GainMapMetadata? {
    guard !usesBaseColorSpace else { return self }
    return hasColorlessGain(mapIsGray: mapIsGray) ? inPrimariesOfBase : nil
  }

  /// The same numbers, with gain in the base's primaries.
  var inPrimariesOfBase: GainMapMetadata {
    GainMapMetadata(
      unchecked: channels, baseHeadroom: baseHeadroom, alternateHeadroom: alternateHeadroom,
      usesBaseColorSpace: true)
  }

  /// The metadata with one channel, where all three say the same.
  public var collapsed: GainMapMetadata {
    let all = channels.all
    guard all.count > 1, all.allSatisfy({ $0.hasSameValues(as: all[0]) }) else { return self }
    return GainMapMetadata(
      unchecked: .one(all[0]), baseHeadroom: baseHeadroom, alternateHeadroom: alternateHeadroom,
      usesBaseColorSpace: usesBaseColorSpace)
  }
}
