internal import GainMap
public import HDRCore
internal import ImageCodecs
internal import ImageContainers
public import ImageFiles

extension GainMapTranscoder {
  /// The file with its renditions exchanged: what the map led to is the base, and the map leads back.
  ///
  /// The new base is coded in 10 bits or more, PQ where it is the one with headroom; in JPEG it is the
  /// one without, dithered to 8 bits. The samples of the map stay, as coded where the format allows,
  /// and so do all numbers about them.
  ///
  /// - Returns: The file.
  /// - Throws: What `checkSwapping()` finds; otherwise what the codecs say.
  public func swapped() throws(ImageError) -> RearrangedFile {
    try checkSwapping()
    var coded = try codedMap(mayStay: try file.stillCodec == options.format.traits.gainMapCodec)
    let metadata: GainMapMetadata
    switch coded.record.meaning {
    case .parameters(let parameters): metadata = parameters
    case .apple:
      throw ImageError(.swapAppleOnly, ["suffix": file.format.traits.suffixes[0]])
    }
    let display = Headroom(stops: metadata.alternateHeadroom.value)
    let baselineEncoder = BaselineEncoder(options, document)
    let target = alternateCoding(baselineEncoder, isHDR: !metadata.baseIsHDR)
    var transform = ImageTransform(from: document.image.description, to: target)
    transform.isDithered = options.format.traits.isLimitedTo8Bits
    let made = try transform.applying(map, for: display)
      .run(try document.image.makeReader())
    var image = Image(target, made.image)
    image.light = record.alternate.hdr
    image.orientation = document.image.orientation
    if !metadata.baseIsHDR {
      image.light.contentLightLevel = LightMetadata.ContentLightLevel(
        maximum: made.light.maximum, maximumAverage: made.light.average)
    }
    let base = try baselineEncoder.write(
      image, declaredColor: metadata.baseIsHDR ? alternateColor : ColorDescription())
    coded.record.reading.meaning = .parameters(metadata.swapped)
    (coded.record.others, coded.record.xmp) = ([], nil)
    coded.record.alternate = AlternateRendition(
      cicp: baseCICP, icc: document.declaredColor.icc, hdr: document.image.light)
    var result = try base.joining(
      coded.file, coded.record, in: options.flavors,
      originals: file.wholePayloads())
    result.add(
      inventoryNotices + [
        Notice(
          .swapBaseComputed,
          ["old": metadata.baseIsHDR ? "HDR" : "SDR", "new": metadata.baseIsHDR ? "SDR" : "HDR"])
      ]
        + Self.nonconformance(of: target.color) + Self.notices(of: made.clipping) + coded.notices
        + baselineEncoder.notCopied(in: file),
      worstError: coded.worstError, from: document.gainMap)
    return result
  }

  /// Refuses what cannot be the other way around.
  ///
  /// - Throws: `.invalidArgument` for a base with headroom or of a chroma that the format cannot hold,
  ///   `.unsuitable` for a map that leads nowhere.
  public func checkSwapping() throws(ImageError) {
    let meaning = record.meaning
    guard meaning.baseHeadroom.stops != meaning.alternateHeadroom.stops else {
      throw ImageError(.swapEqualHeadrooms)
    }
    if let chroma = options.chroma,
      !options.format.traits.subsamplings.contains(chroma)
    {
      throw ImageError(
        .baseSubsamplingUnsupported,
        [
          "format": options.format.title,
          "supported": options.format.traits.subsamplings.contains(.yuv422)
            ? ["4:4:4", "4:2:2", "4:2:0"] : ["4:4:4", "4:2:0"],
        ])
    }
    let becomesHDR = meaning.alternateHeadroom.stops > meaning.baseHeadroom.stops
    try options.format.checkHoldsGainMap(baseIsHDR: becomesHDR)
    if becomesHDR, let flavors = options.flavors, flavors.contains(.apple) {
      throw ImageError(
        .appleSwapNeedsSDRBase, ["usable": GainMapFlavor.apple.alternatives(among: flavors)])
    }
  }

  /// How the rendition that becomes the base is coded.
  private func alternateCoding(
    _ baselineEncoder: BaselineEncoder, isHDR: Bool
  ) -> ImageDescription {
    let cicp = record.alternate.cicp
    let stated = cicp.flatMap { TransferFunction($0.transfer) }
    let isStandard = stated.map { $0 != .pq && $0 != .hlg && $0 != .linear } ?? false
    var encoding = ColorEncoding(
      primaries: map.alternatePrimaries ?? document.image.color.primaries,
      transfer: isHDR ? .pq : isStandard ? stated ?? .srgb : .srgb,
      matrix: cicp?.matrix ?? .unspecified)
    if encoding.matrix == .identity { encoding.matrix = .unspecified }
    if isHDR {
      if encoding.primaries == .bt2020 { encoding.matrix = .bt2020NonConstant }
      if let white = record.alternate.hdr.diffuseWhite, white > 0 {
        encoding.referenceWhite = white
      }
    }
    let bits: Int = if case .integer(12...) = document.image.layout.samples { 12 } else { 10 }
    var coding = baselineEncoder.coding(
      encoding, bits: options.format.traits.isLimitedTo8Bits ? 8 : bits,
      isGray: map.hasOneGain ? nil : false)
    // Gain is applied to every pixel, after chroma was interpolated for each: what comes out is no
    // more subsampled, whatever the base and the map were.
    if case .ycbcr(let chroma) = coding.layout.components {
      coding.layout.components = .ycbcr(options.chroma ?? (isHDR ? .yuv444 : chroma))
    }
    return coding
  }

  /// The words of the alternate rendition, where code points alone do not say them.
  private var alternateColor: ColorDescription {
    ColorDescription(icc: record.alternate.cicp == nil ? record.alternate.icc : nil)
  }

  /// Code points of the base that becomes the alternate rendition.
  private var baseCICP: CICP {
    let encoding = document.image.color
    var cicp =
      document.declaredColor.cicp
      ?? CICP(primaries: .unspecified, transfer: .unspecified, matrix: .bt601)
    // The new file says what readers had to assume.
    if cicp.primaries == .unspecified { cicp.primaries = encoding.primaries.cicp ?? .unspecified }
    if cicp.transfer == .unspecified { cicp.transfer = encoding.transfer.cicp ?? .unspecified }
    if cicp.matrix == .unspecified { cicp.matrix = .bt601 }
    return cicp
  }

  /// What ISO 22028-5 does not know of a base with headroom.
  private static func nonconformance(of encoding: ColorEncoding) -> [Notice] {
    guard encoding.transfer == .pq else { return [] }
    var notices: [Notice] = []
    if encoding.primaries != .bt2020 { notices.append(.primariesOutsideISO22028) }
    if encoding.matrix != .identity, encoding.matrix != .bt2020NonConstant {
      notices.append(.matrixOutsideISO22028(encoding.matrix))
    }
    return notices
  }

  /// Tells how much light the samples of a base that is coded anew cannot say.
  static func notices(of clipping: ImageTransform.Clipping) -> [Notice] {
    let count = clipping.below + clipping.above
    guard count > 0 else { return [] }
    return [
      Notice(.swapPixelsClipped, ["count": count, "share": clipping.share(count)])
    ]
  }
}
