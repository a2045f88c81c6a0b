public import HDRCore
public import ImageContainers

extension ContainerFile {
  /// Puts the picture of another file behind this one's as its gain map, in place of any that it has.
  ///
  /// Both coded pictures stay byte for byte.
  ///
  /// - Parameters:
  ///   - map: A file whose first or primary picture is the map, coded as this one's pictures are.
  ///   - record: What its samples mean.
  ///   - flavors: How to say it; `nil` for what suits the container and says it exactly.
  ///   - originals: Coded data to compare with; `nil` for those of the two files, which must be kept.
  ///   - limits: For the new file, which is parsed again.
  /// - Returns: The file; coded pictures are compared with those of the old ones.
  /// - Throws: `.invalidArgument` for pictures of different codecs, and where a flavor has no words
  ///   for the map.
  public func joining(
    _ map: ContainerFile, _ record: GainMapRecord, in flavors: Set<GainMapFlavor>? = nil,
    originals: [CodedPayload]? = nil, limits: ImageLimits = ImageLimits()
  ) throws(ImageError) -> RearrangedFile {
    let layout = try map.pictureLayout
    let isGray = (layout?.componentCount ?? record.layout?.componentCount) == 1
    let description = try GainMapDescription(
      of: record.meaning, in: flavors ?? usualFlavors(for: record.meaning, mapIsGray: isGray),
      mapIsGray: isGray, alternate: record.alternate, bits: layout?.bits ?? 8)
    return try joining(map, description, originals: originals, limits: limits)
  }

  /// Puts the picture of another file behind this one's as its gain map, described in these words.
  ///
  /// - Parameters:
  ///   - map: A file whose first or primary picture is the map, coded as this one's pictures are.
  ///   - description: What to say about it.
  ///   - originals: Coded data to compare with; `nil` for those of the two files, which must be kept.
  ///   - limits: For the new file, which is parsed again.
  /// - Returns: The file; coded pictures are compared with those of the old ones.
  /// - Throws: `.invalidArgument` for pictures of different codecs, `.malformed` for XMP that cannot
  ///   be edited.
  public func joining(
    _ map: ContainerFile, _ description: GainMapDescription, originals: [CodedPayload]? = nil,
    limits: ImageLimits = ImageLimits()
  ) throws(ImageError) -> RearrangedFile {
    let inventory = try gainMaps(appleCurve: .srgb)
    let (base, coding) = (try pictureCodec, try map.pictureCodec)
    guard base == coding else {
      throw ImageError(
        .invalidArgument, "a map in \(coding.rawValue) beside a base in \(base.rawValue)")
    }
    var notices = description.notices
    var edited = self
    switch (edited, map) {
    case (.jpeg(var file), .jpeg):
      let picture = try JPEGImage(
        parsing: ByteSource(try map.standalone(0).allBytes()), limits: limits)
      notices += try file.setGainMap(picture, description)
      edited = .jpeg(file)
    case (.heif(var file), .heif(let other)):
      notices += try file.setGainMap(try file.adopt(pictureOf: other), description)
      edited = .heif(file)
    default:
      throw ImageError(.invalidArgument, "only HEIF, AVIF and JPEG hold gain maps")
    }
    let known = if let originals { originals } else { try codedPayloads() + map.codedPayloads() }
    return try rearranged(
      edited, inventory, worstError: description.worstError, notices, known: known,
      mayDiffer: originals != nil, limits: limits)
  }

  /// What says a map exactly and is read most widely in this container.
  private func usualFlavors(
    for meaning: GainMapMeaning, mapIsGray: Bool
  ) -> Set<GainMapFlavor> {
    switch (meaning, self) {
    case (.apple, _): return [.apple]
    case (.parameters(let metadata), .jpeg):
      let isSaid = GainMapXMP.obstacle(to: metadata, mapIsGray: mapIsGray) == nil
      return isSaid ? [.iso, .xmp] : [.iso]
    case (.parameters, _): return [.iso]
    }
  }

  /// How the picture of the file is coded, which a gain map beside it must be too.
  ///
  /// - Throws: `.malformed` without a picture, `.invalidArgument` for PNG.
  public var pictureCodec: PictureCodec {
    get throws(ImageError) {
      switch self {
      case .jpeg: return .jpeg
      case .png:
        throw ImageError(
          .invalidArgument, "PNG files hold no gain maps",
          remedy: "write .jpg, .heic or .avif with --allow-reencode")
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
      switch self {
      case .jpeg(let file): FoundGainMap.Layout(file.primary.frame)
      case .heif(let file): file.gainMapLayout(of: try file.primaryItem)
      case .png: nil
      }
    }
  }
}

/// How coded pictures of a file are coded.
public enum PictureCodec: String, Hashable, Sendable {
  case jpeg = "JPEG"
  case hevc = "HEVC"
  case av1 = "AV1"
}
