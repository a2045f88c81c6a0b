public import HDRCore

/// A gain map in memory: its samples as coded, and what they mean.
public struct StoredGainMap: Sendable {
  /// Gray, RGB or Y'CbCr, of any size; integers without alpha.
  ///
  /// Samples are data: whatever a file says about their transfer function does not count.
  public let image: ImagePlanes
  /// Matrix, range and chroma location of the samples; the rest is `ColorEncoding.data`.
  public let color: ColorEncoding
  public let meaning: GainMapMeaning
  /// Primaries of the alternate rendition, if they are known; taken as the base's if not.
  public let alternatePrimaries: ColorPrimaries?

  /// Puts a map together.
  ///
  /// - Parameters:
  ///   - image: The samples.
  ///   - color: Matrix, range and chroma location of the samples.
  ///   - meaning: What they mean.
  ///   - alternatePrimaries: Needed where gain is applied in the primaries of the alternate.
  /// - Precondition: Samples are integers without alpha.
  public init(
    _ image: ImagePlanes, color: ColorEncoding = .data,
    meaning: GainMapMeaning, alternatePrimaries: ColorPrimaries? = nil
  ) {
    guard case .integer = image.planes, !image.layout.hasAlpha else {
      preconditionFailure("a gain map has integer samples and no alpha")
    }
    self.image = image
    self.color = color
    self.meaning = meaning
    self.alternatePrimaries = alternatePrimaries
  }

  /// Whether there is one sample at each place, for all components.
  public var isGray: Bool { image.layout.componentCount == 1 }

  /// Whether all components of a pixel have the same gain.
  public var hasOneGain: Bool {
    guard isGray else { return false }
    guard case .parameters(let metadata) = meaning else { return true }
    return metadata.collapsed.channels.all.count == 1
  }

  /// The primaries in which gain is applied to a base with these primaries.
  public func primaries(forBase base: ColorPrimaries) -> ColorPrimaries {
    guard !meaning.usesBaseColorSpace, let alternatePrimaries else { return base }
    if case .parameters(let metadata) = meaning, metadata.hasColorlessGain(mapIsGray: isGray) {
      return base
    }
    return alternatePrimaries
  }
}
