// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore
internal import ImageFiles

extension ConversionPlanner {
  /// A computed gain map.
  mutating func computed(_ input: InputContent) throws(ImageError) -> ConversionPlan.Work {
    let (map, coding) = (request.gainMap, request.coding)
    var options = GainMapEncoder.Options(
      format: format, encoder: encoder(isStandard: map.baseline != .hdr))
    options.isBaseHDR = map.baseline == .hdr
    (options.chroma, options.depth) = (coding.chroma, coding.depth)
    try request.checkPrimariesOfComputedMap()
    if let primaries = request.color.primaries ?? primariesWithoutProfile {
      options.primaries = primaries
    }
    if let method = request.rendition.toneMapping { options.method = method }
    options.highlightDesaturation = request.rendition.highlightDesaturation
    if let flavors = map.flavors { options.flavors = Set(flavors) }
    options.geometry = try geometry()
    options.keepsMakerNotes = request.metadata.keepsMakerNotes ?? false
    options.limits = limits
    (options.map.quality, options.map.scale) = (map.quality, map.scale)
    (options.map.componentCount, options.map.depth) = (map.componentCount, map.depth)
    options.targetError = map.targetError
    options.measurement = map.measurement ?? .sampled
    options.keepsCodedBaseline =
      hasStandard && request.copying != .never && coding.quality == nil
      && coding.chroma == nil && coding.depth == nil && request.color.primaries == nil
    _ = try GainMapEncoder(options)
    var given = standard.map { (source: $0, name: "-") }
    if let name = request.companions.standard { given = (.file(try standardFile(name)), name) }
    if request.content == .automatic, request.gainMap.use == nil {
      alternative = try ifReadable(try withoutHeadroom(given, input))
    }
    return .create(options, standard: given)
  }

  /// The file with the SDR image, to which no assumption applies.
  private func standardFile(_ name: String) throws(ImageError) -> ImageFile {
    do throws(ImageError) {
      var options = openingOptions
      (options.assumed, options.declared, options.image) = (nil, nil, nil)
      let file = try ImageFile(parsing: try open(name), options: options)
      guard try !file.isRaw else { throw ImageError(.createSDRIsRaw) }
      return file
    } catch {
      throw error.inFile(name)
    }
  }

  /// The SDR image alone, if hardly any pixels are brighter than reference white.
  private func withoutHeadroom(
    _ standard: (source: ConversionSource, name: String)?, _ input: InputContent
  ) throws(ImageError) -> ConversionPlan.Alternative {
    if let standard {
      // The other parts are for the raw file, or for the pair.
      var alone = ConversionRequest()
      (alone.coding, alone.geometry, alone.metadata) = (
        request.coding, request.geometry, request.metadata
      )
      alone.coding.format = format
      var planner = try ConversionPlanner(alone, standard.source, open)
      let isSame = standard.source.file?.format == format && traits.isLimitedTo8Bits
      let content = try planner.source.content()
      return ConversionPlan.Alternative(
        cause: .imageWithoutHeadroom, source: planner.source,
        work: isSame
          ? try planner.sameFormat(dropsGainMap: false)
          : try planner.converted(content, isStandard: true, gainMap: .none),
        notices: { _ in [Notice(.convertCompanionAlone, ["file": standard.name])] })
    }
    var planner = self
    planner.request.gainMap = ConversionRequest.GainMap()
    return ConversionPlan.Alternative(
      cause: .imageWithoutHeadroom, source: source,
      work: try planner.converted(input, isStandard: true, gainMap: .full),
      notices: { _ in [Notice(.convertWithoutHeadroom)] })
  }
}
