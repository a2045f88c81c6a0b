package import GainMap
package import HDRCore
internal import ImageContainers

extension ImageFile {
  /// Puts the picture of another file behind this one's as its gain map, in place of any that it has.
  ///
  /// Both coded pictures stay byte for byte.
  ///
  /// - Parameters:
  ///   - map: A file whose first or primary picture is the map, coded as this one's pictures are.
  ///   - detached: Its metadata.
  ///   - flavors: Flavors to write; `nil` for those that suit the container and are exact.
  ///   - originals: Coded data to compare with; `nil` for those of the two files, which must be kept.
  /// - Returns: The file; coded pictures are compared with those of the old ones.
  /// - Throws: `.invalidArgument` for pictures of different codecs, and where a flavor has no words
  ///   for the map.
  package func joining(
    _ map: ImageFile, _ detached: FoundGainMap, in flavors: Set<GainMapFlavor>? = nil,
    originals: [CodedPayload]? = nil
  ) throws(ImageError) -> RearrangedFile {
    var detached = detached
    detached.layout = try map.pictureLayout ?? detached.layout
    let isGray = detached.layout?.componentCount == 1
    let description = try GainMapMetadataSet(
      of: detached, in: flavors ?? usualFlavors(for: detached, mapIsGray: isGray),
      baseMakerNote: appleMakerNote, base: basePrimaries)
    return try joining(map, description, originals: originals)
  }

  /// Puts the picture of another file behind this one's as its gain map, described in these words.
  ///
  /// - Parameters:
  ///   - map: A file whose first or primary picture is the map, coded as this one's pictures are.
  ///   - description: What to say about it.
  ///   - originals: Coded data to compare with; `nil` for those of the two files, which must be kept.
  /// - Returns: The file; coded pictures are compared with those of the old ones.
  /// - Throws: `.invalidArgument` for pictures of different codecs, `.malformed` for XMP that cannot
  ///   be edited.
  package func joining(
    _ map: ImageFile, _ description: GainMapMetadataSet, originals: [CodedPayload]? = nil
  ) throws(ImageError) -> RearrangedFile {
    let inventory = try gainMaps()
    let (base, coding) = (try stillCodec, try map.stillCodec)
    guard base == coding else {
      throw ImageError(.gainMapCodecsDiffer, ["map": coding.rawValue, "base": base.rawValue])
    }
    var notices = description.notices
    if description.apple == nil { notices += staleAppleNumbers }
    var edited = container
    switch (edited, map.container) {
    case (.jpeg(var file), .jpeg):
      let picture = try JPEGImage(
        parsing: ByteSource(try map.standalone(0)), limits: options.limits)
      notices += try file.setGainMap(picture, description)
      edited = .jpeg(file)
    case (.heif(var file), .heif(let other)):
      notices += try file.setGainMap(try file.adopt(pictureOf: other), description)
      edited = .heif(file)
    default:
      throw ImageError(.gainMapContainerUnsupported)
    }
    let known = if let originals { originals } else { wholePayloads() + map.wholePayloads() }
    return try rearranged(
      edited, inventory, worstError: description.worstError, notices, known: known,
      mayDiffer: originals != nil)
  }

  /// The file without a gain map beside its picture, which was coded anew.
  ///
  /// - Parameter originals: Coded data to compare with.
  /// - Returns: The file; coded pictures are compared with the originals.
  /// - Throws: What is wrong with the new file.
  package func withoutGainMap(originals: [CodedPayload]) throws(ImageError) -> RearrangedFile {
    try rearranged(
      container, try gainMaps(), worstError: 0, [], known: originals, mayDiffer: true)
  }

  /// The exact flavors that are read most widely in this container, and those of the metadata.
  private func usualFlavors(
    for detached: FoundGainMap, mapIsGray: Bool
  ) -> Set<GainMapFlavor> {
    let stored = Set(detached.flavors)
    guard let metadata = detached.metadata, !metadata.isApple else { return stored }
    let suitsXMP = GainMapXMP.obstacle(to: metadata, mapIsGray: mapIsGray) == nil
    switch container {
    case .jpeg: return stored.union(suitsXMP ? [.iso, .xmp] : [.iso])
    // A picture is the auxiliary one of one vendor.
    default: return stored.subtracting(stored.contains(.apple) ? [.xmp] : []).union([.iso])
    }
  }

  /// How the picture of the file is coded, which a gain map beside it must be too.
  ///
  /// - Throws: `.malformed` without a picture, `.unsuitable` for PNG.
  package var stillCodec: StillCodec {
    get throws(ImageError) {
      switch container {
      case .jpeg: return .jpeg
      case .png: throw ImageError(.gainMapNotInPNG)
      case .tiff, .exr, .radiance, .jpegXL, .cameraRaw: throw .notEditable
      case .heif(let file):
        let item = try file.primaryItem
        let coded = try file.standalone(item.id).items
        return coded.contains { $0.property(AV1ConfigurationBox.self) != nil } ? .av1 : .hevc
      }
    }
  }

  /// Size, components and depth of the picture, as far as the container says them.
  private var pictureLayout: FoundGainMap.Layout? {
    get throws(ImageError) {
      switch container {
      case .jpeg(let file): FoundGainMap.Layout(file.primary.frame)
      case .heif(let file): file.gainMapLayout(of: try file.primaryItem)
      default: nil
      }
    }
  }
}

/// How coded pictures of a file are coded.
package enum StillCodec: String, Hashable, Sendable {
  case jpeg = "JPEG"
  case hevc = "HEVC"
  case av1 = "AV1"
}
