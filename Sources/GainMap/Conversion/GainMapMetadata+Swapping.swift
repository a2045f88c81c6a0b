// SPDX-License-Identifier: Apache-2.0
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
