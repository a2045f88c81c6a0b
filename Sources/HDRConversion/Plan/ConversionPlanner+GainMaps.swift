// SPDX-License-Identifier: Apache-2.0
internal import GainMap
package import HDRCore
package import ImageFiles

/// Decisions about the gain map of the input.
extension ConversionPlanner {
  /// The gain map from another file that the request names.
  mutating func separateGainMap() throws(ImageError) -> SeparateGainMap? {
    guard let name = request.companions.gainMap else { return nil }
    let map = try SeparateGainMap(
      name, metadata: request.companions.gainMapMetadata, openingOptions, open)
    notices += map.notices
    return map
  }

  /// The gain map of the input, with its baseline image.
  mutating func kept(_ input: InputContent) throws(ImageError) -> ConversionPlan.Work {
    guard traits.gainMapCodec != nil else {
      throw ImageError(.gainMapNotStorable, ["format": format.title])
    }
    if request.gainMap.use == nil {
      if !traits.isLimitedTo8Bits { notices.append(Notice(.convertGainMapKept)) }
      alternative = try baselineAlternative(input)
    }
    let geometry = try geometry()
    let isSame = source.format == format
    // In its own format, a file keeps its flavors, except JPEG, where readers differ most.
    if isSame, request.gainMap.flavors == nil, request.gainMap.baseline == nil,
      request.copying != .never
    {
      if !traits.isLimitedTo8Bits { return .sameFormat(try change(geometry), dropsGainMap: false) }
      if isRotatedOnly(geometry) {
        let usual = try usualFlavors()
        notices += usual.notices
        return .sameFormat(.rotate(geometry.rotation, usual.flavors), dropsGainMap: false)
      }
    }
    var options = try transcoding(geometry)
    options.reencodes =
      request.copying == .never || request.input.declared != nil || isSame && reencodesSameFormat
    let wantsAlternate = request.gainMap.baseline == .alternate
    if wantsAlternate || traits.isLimitedTo8Bits && input == .gainMapOfHDR {
      // Metadata that only the Apple flavor can store require new samples first. The usual flavors, unless the gain is
      // in the primaries of the alternate image.
      (options.isExact, options.chroma) = (true, request.coding.chroma)
      if wantsAlternate, options.flavors == nil, traits.usualGainMapFlavors == [.iso] {
        options.flavors = [.iso]
      }
      alternative = nil
      return .swap(options)
    }
    if options.flavors == nil {
      let usual = try usualFlavors()
      options.flavors = usual.flavors
      notices += usual.notices
    }
    return .transcode(options)
  }

  /// Work that applies a gain map, which must be decodable unless the output has to be HDR.
  mutating func applying(_ work: ConversionPlan.Work) throws(ImageError) -> ConversionPlan.Work {
    guard case .convert(var options, let development, nil) = work, request.gainMap.use == nil,
      request.content == .automatic, request.color.transfer == nil,
      !request.rendition.isForDisplay
    else { return work }
    alternative = try baselineAlternative(.gainMap)
    options.requiresGainMap = alternative != nil
    return .convert(options, development)
  }

  /// The baseline image alone, for a gain map that turns out not to be decodable.
  func baselineAlternative(
    _ input: InputContent
  ) throws(ImageError) -> ConversionPlan.Alternative? {
    var planner = self
    guard let work = try ifReadable(try planner.withoutGainMap(input)) else { return nil }
    return ConversionPlan.Alternative(
      cause: .gainMapSamplesNotDecodable, source: source, work: work,
      // The parameter is the cause.
      notices: { [Notice(.gainMapNotDecodable, $0.parameters)] })
  }

  /// The baseline image of a file whose gain map cannot be decoded.
  mutating func withoutGainMap(_ input: InputContent) throws(ImageError) -> ConversionPlan.Work {
    if source.format == format, changesOnlyGeometry { return try sameFormat(dropsGainMap: true) }
    let isStandard = traits.isLimitedTo8Bits || input == .gainMap
    request.gainMap.flavors = nil
    return try converted(input, isStandard: isStandard, gainMap: .none)
  }

  func transcoding(_ geometry: GeometryEdit) throws(ImageError) -> GainMapTranscoder.Options {
    let content = try ifReadable(try source.content())
    let base = encoder(isStandard: content != .hdr && content != .gainMapOfHDR)
    var map = base
    map.quality = request.gainMap.quality ?? base.usualGainMapQuality(in: format)
    var options = GainMapTranscoder.Options(format: format, base: base, map: map)
    options.flavors = request.gainMap.flavors.map(Set.init)
    options.isExact = request.gainMap.isExact ?? false
    (options.geometry, options.limits) = (geometry, limits)
    options.keepsMakerNotes = request.metadata.keepsMakerNotes ?? false
    options.dropsXMP = request.metadata.xmp == .drop
    return options
  }

  /// The usual flavors of the format that represent the gain map, with a notice about the other ones.
  func usualFlavors() throws(ImageError) -> (flavors: Set<GainMapFlavor>, notices: [Notice]) {
    let usual = traits.usualGainMapFlavors
    guard let found = try source.file?.gainMaps().applicable, let metadata = found.metadata,
      !metadata.isApple, usual.contains(.xmp),
      let obstacle = GainMapXMP.obstacle(to: metadata, mapIsGray: found.layout?.componentCount == 1)
    else { return (usual, []) }
    return (
      usual.subtracting([.xmp]),
      [
        Notice(
          .irregular, "gain map metadata are written as ISO 21496-1 only: {cause}",
          ["cause": obstacle])
      ]
    )
  }
}

extension ConversionRequest.GainMap {
  /// Whether a file without a gain map that can be read is an error.
  var isNeeded: Bool { isRequired == true || baseline == .alternate || use == .keep }
}

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

/// A gain map in a file of its own, with metadata from that file or another one.
package struct SeparateGainMap: Sendable {
  /// Name of the file with the map.
  package let name: String
  /// A file whose image is the map.
  package let file: ImageFile
  /// The gain map metadata.
  package let metadata: FoundGainMap
  package let notices: [Notice]

  /// Opens the map, and the file with its metadata.
  ///
  /// - Parameters:
  ///   - name: A file whose image is the gain map, or a file with a gain map.
  ///   - metadata: JSON of `FoundGainMap`, or a file with a gain map; `nil` for those of the gain map file.
  ///   - options: Options for opening both.
  ///   - open: Opens a file by its name.
  /// - Throws: Errors of reading the files.
  package init(
    _ name: String, metadata: String?, _ options: OpeningOptions,
    _ open: (String) throws(ImageError) -> ByteSource
  ) throws(ImageError) {
    self.name = name
    let taken: FoundGainMap?
    do throws(ImageError) {
      let given = try ImageFile(parsing: try open(name), options: options)
      taken = metadata == nil ? try given.detachedGainMap() : nil
      if let found = try ifReadable(try given.gainMaps().applicable), given.isEditable {
        file = try ImageFile(
          parsing: ByteSource(try given.standaloneFile(ofGainMapAt: found.location)),
          options: options)
        notices = [
          Notice(.assumed, "the file given as the gain map has a gain map itself, which is used")
        ]
      } else {
        (file, notices) = (given, [])
      }
    } catch {
      throw error.inFile(name)
    }
    if let taken {
      self.metadata = taken
      return
    }
    let other = metadata ?? name
    do throws(ImageError) {
      self.metadata = try FoundGainMap(readFrom: try open(other), options)
    } catch {
      throw error.inFile(other)
    }
  }
}

extension FoundGainMap {
  /// Reads JSON, or the metadata of a file with a gain map.
  fileprivate init(readFrom source: ByteSource, _ options: OpeningOptions) throws(ImageError) {
    guard FoundGainMap.isJSON(try source.prefix(16)) else {
      self = try ImageFile(parsing: source, options: options).detachedGainMap()
      return
    }
    guard source.count <= FoundGainMap.largestJSON else {
      throw ImageError(
        .limitExceeded, "{size byte} of JSON; the limit is {limit byte}",
        ["size": source.count, "limit": FoundGainMap.largestJSON])
    }
    self = try FoundGainMap(json: try source.bytes(in: 0..<source.count))
  }
}
