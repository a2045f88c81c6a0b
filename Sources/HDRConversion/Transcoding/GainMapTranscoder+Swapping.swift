// SPDX-License-Identifier: Apache-2.0
internal import GainMap
package import HDRCore
package import ImageFiles

extension GainMapTranscoder {
  /// Exchanges baseline and alternate image.
  ///
  /// The new baseline image has 10 bits or more, PQ if it is HDR; in JPEG it is SDR, dithered to 8 bits.
  /// The samples of the gain map stay as encoded if format and geometry allow it, and so do its
  /// numbers.
  ///
  /// - Returns: The new file.
  /// - Throws: Errors of `checkSwapping()` and of codecs; `.cancelled`.
  package func swapped() throws(ImageError) -> RewrittenFile {
    try checkSwapping()
    let geometry = try TransformedPair.TargetGeometry(document, options)
    let isTransformed = options.geometry != GeometryEdit()
    var stages = Stages(1, 2, 3)
    var encoded = try stages.next { () throws(ImageError) in
      isTransformed
        ? try encodedMap(
          try geometry.transformed(
            map, of: document.image.layout,
            isHalved: !options.base.isForEditing(in: options.format)),
          found,
          orientation: geometry.orientation)
        : try encodedMap(isKept: try file.stillCodec == options.format.traits.gainMapCodec)
    }
    guard let metadata = encoded.metadata.metadata, !metadata.isApple else {
      throw ImageError(.swapAppleOnly, ["suffix": file.format.traits.suffixes[0]])
    }
    var notices = inventoryNotices
    var edited = document
    var target = alternateTarget(BaselineEncoder(options, document), isHDR: !metadata.isBaseHDR)
    if isTransformed {
      notices += geometry.notices
      geometry.apply(to: &target.layout)
      edited = try geometry.describing(document, target.layout)
      edited.image.light.contentLightLevel = nil
      edited.image.light.contentColorVolume = nil
    }
    let encoder = BaselineEncoder(options, edited)
    var transform = ImageTransform(
      from: document.image.description, to: target,
      resampling: geometry.resampling(of: document.image.layout), orientation: geometry.rotation)
    transform.isDithered = options.format.traits.isLimitedTo8Bits
    let output = try stages.next(.converting) { () throws(ImageError) in
      let reader = try Execution.part(upTo: 0.3) { () throws(ImageError) in
        try document.image.makeReader()
      }
      return try transform.applying(map, for: Headroom(metadata.alternateHeadroom)).run(reader)
    }
    var image = Image(target, output.image)
    image.light = found.alternate.light
    image.orientation = geometry.orientation
    if !metadata.isBaseHDR || image.light.contentLightLevel != nil {
      image.light.contentLightLevel = LightMetadata.ContentLightLevel(
        maximum: output.lightLevels.maximum, maximumAverage: output.lightLevels.average)
    }
    let base = try stages.next(.encoding) { () throws(ImageError) in
      try encoder.write(
        image, declaredColor: metadata.isBaseHDR ? alternateColor : ColorDescription())
    }
    encoded.metadata.replaceMetadata(with: metadata.swapped, dropsOthers: true)
    encoded.metadata.alternate = FoundGainMap.AlternateImage(
      cicp: baseCICP, icc: document.declaredColor.icc, light: edited.image.light)
    var result = try base.joining(
      encoded.file, encoded.metadata, in: options.flavors,
      originals: file.wholePayloads())
    let notCopied = try encoder.notCopied(in: file)
    result.add(
      notices + [
        Notice(
          .reencoded,
          "re-encoded: the new {new} baseline image is computed from the {old} baseline image "
            + "and the gain map",
          ["old": metadata.isBaseHDR ? "HDR" : "SDR", "new": metadata.isBaseHDR ? "SDR" : "HDR"])
      ]
        + Self.nonconformance(of: target.color) + Self.notices(of: output.clipping)
        + encoded.notices + notCopied,
      worstError: encoded.worstError, from: document.gainMap)
    return result
  }

  /// Checks whether baseline and alternate image can be exchanged.
  ///
  /// - Throws: `.invalidArgument` for an HDR baseline image or a chroma subsampling that the format
  ///   cannot store, `.unsuitable` for images of equal headroom.
  package func checkSwapping() throws(ImageError) {
    let metadata = map.metadata
    guard !metadata.isIdentity else {
      throw ImageError(.unsuitable, "both images have the same headroom; there is nothing to swap")
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
    let becomesHDR = !metadata.isBaseHDR
    try options.format.checkHoldsGainMap(isBaseHDR: becomesHDR)
    if becomesHDR, let flavors = options.flavors, flavors.contains(.apple) {
      throw ImageError(
        .appleSwapNeedsSDRBase, ["usable": GainMapFlavor.apple.alternatives(among: flavors)])
    }
  }

  /// Returns layout and color of the alternate image as baseline image.
  private func alternateTarget(_ encoder: BaselineEncoder, isHDR: Bool) -> ImageDescription {
    let cicp = found.alternate.cicp
    let specified = cicp.flatMap { TransferFunction($0.transfer) }
    let isStandard = specified.map { $0 != .pq && $0 != .hlg && $0 != .linear } ?? false
    var encoding = ColorEncoding(
      primaries: map.alternatePrimaries ?? document.image.color.primaries,
      transfer: isHDR ? .pq : isStandard ? specified ?? .srgb : .srgb,
      matrix: cicp?.matrix ?? .unspecified)
    if encoding.matrix == .identity { encoding.matrix = .unspecified }
    if isHDR {
      if encoding.primaries == .bt2020 { encoding.matrix = .bt2020NonConstant }
      if let white = found.alternate.light.diffuseWhite, white > 0 {
        encoding.referenceWhite = white
      }
    }
    let bits: Int = if case .integer(12...) = document.image.layout.samples { 12 } else { 10 }
    var target = encoder.target(
      encoding, bits: options.format.traits.isLimitedTo8Bits ? 8 : bits,
      isGray: map.hasOneGain ? nil : false)
    // The gain is applied to interpolated chroma, so the result is not subsampled.
    if case .ycbcr(let chroma) = target.layout.components {
      target.layout.components = .ycbcr(options.chroma ?? (isHDR ? .yuv444 : chroma))
    }
    return target
  }

  /// The ICC profile of the alternate image, if it has no code points.
  private var alternateColor: ColorDescription {
    ColorDescription(icc: found.alternate.cicp == nil ? found.alternate.icc : nil)
  }

  /// Code points of the old baseline image.
  private var baseCICP: CICP {
    let encoding = document.image.color
    var cicp =
      document.declaredColor.cicp
      ?? CICP(primaries: .unspecified, transfer: .unspecified, matrix: .bt601)
    // Assumed code points are specified in the new file.
    if cicp.primaries == .unspecified { cicp.primaries = encoding.primaries.cicp ?? .unspecified }
    if cicp.transfer == .unspecified { cicp.transfer = encoding.transfer.cicp ?? .unspecified }
    if cicp.matrix == .unspecified { cicp.matrix = .bt601 }
    return cicp
  }

  /// Notices about an HDR baseline image outside ISO 22028-5.
  private static func nonconformance(of encoding: ColorEncoding) -> [Notice] {
    guard encoding.transfer == .pq else { return [] }
    var notices: [Notice] = []
    if encoding.primaries != .bt2020 { notices.append(.primariesOutsideISO22028) }
    if encoding.matrix != .identity, encoding.matrix != .bt2020NonConstant {
      notices.append(.matrixOutsideISO22028(encoding.matrix))
    }
    return notices
  }

  /// Notices about clipped pixels of a re-encoded baseline image.
  static func notices(of clipping: ImageTransform.Clipping) -> [Notice] {
    clipping.notices(of: [(.swapPixelsClipped, clipping.below + clipping.above)])
  }
}
