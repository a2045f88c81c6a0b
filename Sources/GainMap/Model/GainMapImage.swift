public import HDRCore

/// A gain map with its samples.
public struct GainMapImage: Sendable {
  /// Gray, RGB or Y'CbCr in memory, of any size; integers without alpha.
  ///
  /// Samples are data: of the color, only matrix, range and chroma location count.
  public let image: Image
  /// The samples of `image`.
  package let planes: ImagePlanes
  public let meaning: GainMapMeaning
  /// Primaries of the alternate image, if they are known; taken as the baseline's if not.
  public let alternatePrimaries: ColorPrimaries?

  /// Puts a map together; rows on demand are read.
  ///
  /// - Parameters:
  ///   - image: The samples.
  ///   - meaning: The relation of samples to gain.
  ///   - alternatePrimaries: Needed where gain is applied in the primaries of the alternate image.
  /// - Throws: `.invalidArgument` unless samples are integers without alpha; errors of the decoder.
  public init(
    _ image: Image, meaning: GainMapMeaning, alternatePrimaries: ColorPrimaries? = nil
  ) throws(ImageError) {
    guard case .integer = image.layout.samples, !image.layout.hasAlpha else {
      throw ImageError(.gainMapSamplesInvalid)
    }
    self.init(
      try image.planes(), color: image.color, meaning: meaning,
      alternatePrimaries: alternatePrimaries)
  }

  /// Puts a map in memory together.
  ///
  /// - Precondition: Samples are integers without alpha.
  package init(
    _ planes: ImagePlanes, color: ColorEncoding = .data,
    meaning: GainMapMeaning, alternatePrimaries: ColorPrimaries? = nil
  ) {
    guard case .integer = planes.planes, !planes.layout.hasAlpha else {
      preconditionFailure("a gain map has integer samples and no alpha")
    }
    image = Image(ImageDescription(layout: planes.layout, color: color), planes)
    self.planes = planes
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
