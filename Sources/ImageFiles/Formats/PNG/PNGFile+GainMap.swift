// SPDX-License-Identifier: Apache-2.0
internal import GainMap
package import HDRCore

// Gain maps of PNG files, as Android 16 writes them for screenshots.
//
// The chunk 'gdAT' is a PNG file of its own, whose chunk 'gmAP' contains the metadata of ISO
// 21496-1 as JPEG stores them, without the version byte of HEIF; its ICC profile is that of the
// alternate image. A chunk 'gmAP' in front of 'gdAT' contains their version only.
//
// Source: Skia, SkPngEncoder, SkPngCodec and SkGainmapInfo.

extension PNGFile {
  /// The image of the gain map; `nil` without one.
  ///
  /// A gain map inside it is not looked for.
  ///
  /// - Throws: `.malformed` if the chunk does not contain a PNG file.
  package func gainMapImage(limits: ImageLimits = ImageLimits()) throws(ImageError) -> PNGFile? {
    guard let chunk = chunk(.gainMap) else { return nil }
    return try image(of: chunk, limits: limits)
  }

  /// The image in a chunk with a gain map.
  func image(
    of chunk: PNGChunk, limits: ImageLimits = ImageLimits()
  ) throws(ImageError) -> PNGFile {
    let source = ByteSource(try data(of: chunk))
    guard try source.prefix(Self.signature.count) == Self.signature else {
      throw ImageError(.malformed, "'gdAT' is not a PNG file", at: .init(path: ["gdAT"]))
    }
    do throws(ImageError) {
      return try PNGFile(parsing: source, limits: limits)
    } catch {
      throw error.inside("gdAT")
    }
  }

  /// Whether alpha is the gain map, as in Android bitmaps without color.
  ///
  /// Source: Skia, kGraySigBit_GrayAlphaIsJustAlpha.
  ///
  /// - Throws: Errors that end the whole job.
  package var isJustAlpha: Bool {
    get throws(ImageError) {
      guard header.colorType == .grayAlpha else { return false }
      let bits = try ifReadable(try content(PNGSignificantBits.self)?.bits)
      return bits == [1, UInt8(clamping: header.bitDepth)]
    }
  }

  /// The metadata of ISO 21496-1 in this file; `nil` without any, and for those of a version only.
  ///
  /// - Throws: Errors that end the whole job.
  package var gainMapPayload: [UInt8]? {
    get throws(ImageError) {
      guard let chunk = chunk(.gainMapMetadata), let bytes = try ifReadable(try data(of: chunk)),
        !ISO21496Payload.isVersionOnly(bytes)
      else { return nil }
      return bytes
    }
  }

  /// Header, palette and samples, with their significant bits and without metadata.
  fileprivate func imageAlone(limits: ImageLimits) throws(ImageError) -> PNGFile {
    var image = try PNGFile(parsing: ByteSource(serializedSamples()), limits: limits)
    if let bits = chunk(.significantBits) { image.set(bits) }
    return image
  }
}

extension GainMapInventory {
  /// Finds the gain map of a PNG file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - limits: Limits on sizes and counts that the gain map declares.
  /// - Throws: Errors that end the whole job.
  init(of file: PNGFile, limits: ImageLimits) throws(ImageError) {
    var notices: [Notice] = []
    var maps: [FoundGainMap] = []
    do throws(ImageError) {
      if let map = try file.gainMapImage(limits: limits) {
        notices += map.notices.map { $0.inside(FoundGainMap.Location.chunk.errorLocation) }
        maps.append(try FoundGainMap(map, of: file, notices: &notices))
      } else if try file.gainMapPayload != nil {
        notices.append(Notice(.gainMapWithoutBase, at: .init(path: ["gmAP"])))
      } else if file.chunk(.gainMapMetadata) != nil {
        notices.append(Notice(.gainMapAnnouncedMissing, ["announcement": "the chunk gmAP"]))
      }
    } catch {
      guard !error.endsJob else { throw error }
      notices.append(Notice(.gainMapUnreadable, ["cause": error], at: .init(path: ["gdAT"])))
    }
    self.init(maps, notices: notices)
  }
}

extension FoundGainMap {
  /// Creates a gain map from a PNG file that is one; `nil` if it does not have gain map metadata.
  ///
  /// - Throws: Errors that end the whole job.
  init?(imageOf file: PNGFile) throws(ImageError) {
    var notices: [Notice] = []
    guard try file.gainMapPayload != nil else { return nil }
    try self.init(file, of: file, notices: &notices)
    guard metadata != nil else { return nil }
  }

  /// Reads the metadata of a gain map.
  ///
  /// - Parameters:
  ///   - map: Its image.
  ///   - base: The file of the baseline image, where metadata are accepted as well.
  ///   - notices: Receives irregularities.
  /// - Throws: Errors that end the whole job.
  fileprivate init(_ map: PNGFile, of base: PNGFile, notices: inout [Notice]) throws(ImageError) {
    let place = Location.chunk
    var location = place.errorLocation
    location.path.append("gmAP")
    let inner = try map.gainMapPayload
    let payload = if let inner { inner } else { try base.gainMapPayload }
    if inner == nil, payload != nil {
      location = .init(path: ["gmAP"])
      notices.append(Notice(.gainMapMetadataMisplaced, at: location))
    }
    var found: [Notice] = []
    let carrier = try Carrier(.iso, at: location) { () throws(ImageError) in
      guard let payload else {
        throw ImageError(.missingElement, ["element": "'gmAP' of the gain map"])
      }
      return try ISO21496Payload(parsing: payload, notices: &found).description
    }
    notices += found.map { $0.inside(location) }
    var alternate = AlternateImage()
    if carrier.metadata?.usesBaseColorSpace == false {
      var colorPlace = place.errorLocation
      colorPlace.path.append("cICP")
      alternate.cicp = try map.codePoints(notices: &notices)?
        .withoutReserved(at: colorPlace, notices: &notices)
      if alternate.specifiedPrimaries == nil, map.chunk(.standardRGB) != nil {
        alternate.cicp = CICP(primaries: .bt709, transfer: .srgb)
      }
      alternate.icc = try ifReadable(try map.profile()?.bytes)
    }
    let layout = try ifReadable(try PNGLayout(of: map, notices: &notices).format)
    let isJustAlpha = try map.isJustAlpha
    self.init(
      location: place, layout: layout.map { Layout($0, isJustAlpha: isJustAlpha) },
      carriers: [carrier], alternate: alternate)
    // Android reads the metadata of the gain map only.
    if inner == nil { announcedFlavors = [] }
  }
}

extension FoundGainMap.Layout {
  fileprivate init(_ layout: ImageLayout, isJustAlpha: Bool = false) {
    var bits: Int?
    if case .integer(let count) = layout.samples { bits = count }
    self.init(
      width: layout.width, height: layout.height,
      componentCount: isJustAlpha || layout.components == .gray ? 1 : 3, bits: bits)
  }
}

extension PNGFile {
  func gainMaps(_ options: OpeningOptions) throws(ImageError) -> GainMapInventory {
    try GainMapInventory(of: self, limits: options.limits)
  }

  var stillCodec: StillCodec { .png }

  /// sRGB without other declarations.
  var basePrimaries: ColorPrimaries? {
    get throws(ImageError) {
      var ignored: [Notice] = []
      if let cicp = try codePoints(notices: &ignored) { return ColorPrimaries(cicp.primaries) }
      if let icc = try ifReadable(try profile()?.bytes) {
        return FoundGainMap.AlternateImage(icc: icc).specifiedPrimaries
      }
      guard chunk(.standardRGB) == nil else { return .bt709 }
      return try content(PNGChromaticities.self, notices: &ignored)?.primaries ?? .bt709
    }
  }

  func primaryLayout() throws(ImageError) -> FoundGainMap.Layout? {
    var ignored: [Notice] = []
    return FoundGainMap.Layout(
      try PNGLayout(of: self, notices: &ignored).format, isJustAlpha: try isJustAlpha)
  }

  func standaloneGainMap(_ place: FoundGainMap.Location) throws(ImageError) -> SplicedBytes {
    guard place == .chunk, let chunk = chunk(.gainMap) else { throw ImageError(.gainMapNotAnImage) }
    return ByteSource(try data(of: chunk)).whole
  }

  mutating func describeGainMap(
    at place: FoundGainMap.Location, _ description: GainMapMetadataSet
  ) throws(ImageError) -> [Notice] {
    guard place == .chunk, let image = try gainMapImage() else { throw .notEditable }
    return try setGainMap(image, description)
  }

  mutating func addGainMap(
    imageOf other: ImageFile, _ description: GainMapMetadataSet
  ) throws(ImageError) -> [Notice] {
    guard case .png(let file) = other.container else {
      throw ImageError(.gainMapContainerUnsupported)
    }
    return try setGainMap(file, description, limits: other.options.limits)
  }

  mutating func dropGainMaps() throws(ImageError) -> [Notice] {
    let isMissing =
      try gainMapPayload == nil && chunk(.gainMap) == nil && chunk(.gainMapMetadata) != nil
    remove(.gainMap)
    remove(.gainMapMetadata)
    return isMissing ? [Notice(.gainMapAnnouncementDropped)] : []
  }

  mutating func dropUnreadableGainMaps() throws(ImageError) -> [Notice] {
    let inventory = try GainMapInventory(of: self, limits: ImageLimits())
    guard inventory.maps.isEmpty else {
      let undescribed = inventory.undescribedMapNotices
      return undescribed.isEmpty ? try arrangeGainMap() : try dropGainMaps() + undescribed
    }
    guard try gainMapPayload == nil else { return [] }
    // Edits move chunks that follow the samples.
    guard try lateGainMap == nil else { return [] }
    let size = chunks.reduce(0) { $0 + ($1.type == .gainMap ? $1.count : 0) }
    let notices = try dropGainMaps()
    guard size > 0 else { return notices }
    return [Notice(.gainMapUnreadableBytesDropped, ["size": size], at: .init(path: ["gdAT"]))]
  }

  /// The first readable gain map that follows the samples, where readers do not look for it.
  private var lateGainMap: PNGChunk? {
    get throws(ImageError) {
      for chunk in chunks.drop(while: { $0.type != .imageData }) where chunk.type == .gainMap {
        if try ifReadable(try image(of: chunk)) != nil { return chunk }
      }
      return nil
    }
  }

  /// Moves a gain map that follows the samples, where readers do not look for it, in front of them.
  ///
  /// - Returns: A notice; empty if the chunks are as they must be, or the gain map cannot be read.
  /// - Throws: Errors that end the whole job.
  mutating func arrangeLateGainMap() throws(ImageError) -> [Notice] {
    guard chunk(.gainMap) == nil, let map = try lateGainMap else { return [] }
    var metadata = chunk(.gainMapMetadata)
    for chunk in chunks where metadata == nil && chunk.type == .gainMapMetadata {
      if try ifReadable(try data(of: chunk)) != nil { metadata = chunk }
    }
    set(metadata ?? PNGChunk(.gainMapMetadata, ISO21496Payload.versionOnly))
    set(map)
    return [Notice(.gainMapChunksArranged, at: .init(path: ["gdAT"]))]
  }

  /// Writes the gain map once, with its metadata where Android reads them.
  ///
  /// - Returns: A notice; empty if the chunks are as they must be.
  private mutating func arrangeGainMap() throws(ImageError) -> [Notice] {
    guard var map = try gainMapImage() else { return [] }
    let isRepeated = [.gainMap, .gainMapMetadata].contains { type in
      chunks.count { $0.type == type } > 1
    }
    let inner = try map.gainMapPayload
    guard isRepeated || inner == nil || !map.damage.isEmpty else { return [] }
    if inner == nil, let payload = try gainMapPayload {
      map.set(PNGChunk(.gainMapMetadata, payload))
    }
    set(PNGChunk(.gainMapMetadata, ISO21496Payload.versionOnly))
    set(PNGChunk(.gainMap, try map.serialized().allBytes()))
    return [Notice(.gainMapChunksArranged, at: .init(path: ["gdAT"]))]
  }

  /// Inserts a gain map, replacing an existing one; metadata of its file other than the given ones
  /// are not copied.
  private mutating func setGainMap(
    _ image: PNGFile, _ description: GainMapMetadataSet, limits: ImageLimits = ImageLimits()
  ) throws(ImageError) -> [Notice] {
    guard var metadata = description.iso, description.xmp == nil, description.apple == nil else {
      throw ImageError(.invalidArgument, "PNG stores gain map metadata of ISO 21496-1 only")
    }
    var notices: [Notice] = []
    var map = try image.imageAlone(limits: limits)
    let isGray = [.gray, .grayAlpha].contains(map.header.colorType)
    metadata = metadata.usingBaseColorSpace(mapIsGray: isGray) ?? metadata
    map.set(PNGChunk(.gainMapMetadata, ISO21496Payload(metadata).serialized))
    if !metadata.usesBaseColorSpace {
      // A gray image cannot have the profile of a color image.
      if !isGray, let profile = description.alternate.profile {
        try map.setProfile(profile)
      } else {
        notices.append(Notice(.gainMapAlternatePrimariesUnknown))
      }
    }
    let bytes = map.serialized()
    guard bytes.count <= PNGChunk.longest else {
      throw ImageError(
        .limitExceeded, "the gain map has {size byte}, more than a chunk of PNG can store",
        ["size": bytes.count])
    }
    set(PNGChunk(.gainMapMetadata, ISO21496Payload.versionOnly))
    set(PNGChunk(.gainMap, try bytes.allBytes()))
    return notices
  }
}
