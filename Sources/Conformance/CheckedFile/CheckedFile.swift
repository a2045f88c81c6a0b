// SPDX-License-Identifier: Apache-2.0
internal import GainMap
public import HDRCore
public import ImageFiles

/// A file to be checked: its structure, declared metadata and measured light levels.
public struct CheckedFile: Sendable {
  /// The parsed file.
  public let file: ImageFile
  let heif: CheckedHEIF?
  let png: CheckedPNG?
  let jpeg: CheckedJPEG?
  let dng: CheckedDNG?
  /// The image as opened by a codec, or the error.
  let opened: Result<SourceImage, ImageError>
  let color: DeclaredColor
  let light: DeclaredLight
  let profiles: [EmbeddedProfile]
  /// Whether a PNG file has gain map metadata in front of its samples.
  private let hasPNGPayload: Bool
  private let knownLight = Once<LightLevels>()

  /// Prepares a file for checks; samples are decoded only for rules about light levels and about
  /// the samples of gain maps.
  ///
  /// - Throws: Errors that leave nothing to check: of a file whose structure is not checked and
  ///   that cannot be opened, and errors of the budget.
  public init(_ file: ImageFile) throws(ImageError) {
    self.file = file
    switch file.container {
    case .heif(let heif):
      self.heif = try CheckedHEIF(heif, byteCount: file.source.count)
      (png, jpeg) = (nil, nil)
    case .png(let png):
      self.png = CheckedPNG(png)
      (heif, jpeg) = (nil, nil)
    case .jpeg(let jpeg):
      self.jpeg = try CheckedJPEG(jpeg)
      (heif, png) = (nil, nil)
    default: (heif, png, jpeg) = (nil, nil, nil)
    }
    hasPNGPayload = try png?.file.gainMapPayload != nil
    dng = if case .tiff(let structure) = file.container { try CheckedDNG(structure) } else { nil }
    do throws(ImageError) {
      opened = .success(try SourceImage(decoding: file))
    } catch {
      guard !error.endsValidation else { throw error }
      var isUnstructured = heif == nil && png == nil && jpeg == nil && dng == nil
      switch file.container {
      case .jpegXL, .jpegXR: isUnstructured = false
      default: break
      }
      // Without a structure there is nothing left to check.
      if isUnstructured, error.category != .missingCodec, error.category != .unsupported {
        throw error
      }
      opened = .failure(error)
    }
    // The first image of a raw file may be a preview, to which the rules do not apply.
    let isRaw = try ifReadable(try file.contents().primary.isRaw) ?? false
    let finder = MetadataFinder(
      heif: heif, png: png, jpeg: jpeg,
      declared: isRaw ? nil : try ifReadable(try file.primaryImage()),
      decodedProfile: try ifReadable(try file.decodedProfile()))
    profiles = try finder.profiles()
    color = try finder.color(profiles: profiles)
    light = try finder.light()
  }

  /// Standards that apply to the file, by its format, color, profiles and gain maps.
  public var applicableStandards: Set<Standard> {
    var standards: Set<Standard> = []
    if color.isHighDynamicRange { standards.insert(.iso22028) }
    if heif != nil { standards.insert(.heif) }
    if let heif, heif.isAVIF { standards.insert(.avif) }
    if png != nil { standards.insert(.png) }
    if jpeg != nil { standards.insert(.jpeg) }
    if jpegXL != nil { standards.insert(.jpegXL) }
    if jpegXR != nil { standards.insert(.jpegXR) }
    if !profiles.isEmpty { standards.insert(.icc) }
    if dng != nil { standards.insert(.dng) }
    if hasISOGainMap { standards.insert(.iso21496) }
    return standards
  }

  private var hasISOGainMap: Bool {
    heif?.toneMaps.isEmpty == false || jpeg?.images.contains { $0.isoPayload != nil } == true
      || jpegXL?.boxes(JPEGXLGainMapBox.boxType).isEmpty == false
      || png?.has(.gainMap) == true || hasPNGPayload
  }

  /// The boxes of a JPEG XL file.
  var jpegXL: JPEGXLFile? {
    if case .jpegXL(let file) = file.container { file } else { nil }
  }

  /// The directories of a JPEG XR file.
  var jpegXR: JPEGXRFile? {
    if case .jpegXR(let file) = file.container { file } else { nil }
  }

  /// Whether ICC profiles can be changed; that of JPEG XL is compressed in the codestream.
  var profilesAreEditable: Bool { file.isEditable && jpegXL == nil }

  /// Light levels of the primary image.
  ///
  /// - Throws: Errors of decoding.
  func measuredLight() throws(ImageError) -> LightLevels {
    try knownLight.value { () throws(ImageError) in
      try opened.get().image.lightLevels(execution: .current)
    }
  }

  /// Whether encoding may have changed samples.
  ///
  /// - Throws: Errors that end the whole job.
  var isLossy: Bool {
    get throws(ImageError) {
      if heif != nil || jpeg != nil { return true }
      return try ifReadable(try jpegXL?.imageHeader().isXYB) == true
    }
  }
}

/// A PNG file with the offsets of its chunks.
struct CheckedPNG: Sendable {
  let file: PNGFile
  /// Offset of each chunk.
  let offsets: [Int]
  let byteCount: Int

  init(_ file: PNGFile) {
    self.file = file
    byteCount = file.source.count
    offsets = file.chunkOffsets
  }

  /// Location of the first chunk of a type.
  func location(_ type: PNGChunk.ChunkType) -> ImageError.Location {
    ImageError.Location(
      path: [type.description],
      offset: file.chunks.firstIndex { $0.type == type }.map { offsets[$0] })
  }

  func location(ofChunk index: Int) -> ImageError.Location {
    ImageError.Location(path: [file.chunks[index].type.description], offset: offsets[index])
  }

  func has(_ type: PNGChunk.ChunkType) -> Bool { file.chunks.contains { $0.type == type } }
}

/// A DNG file: its first directory and those of raw images.
struct CheckedDNG: Sendable {
  /// A directory with its path.
  struct Directory: Sendable {
    let path: [String]
    let entries: TIFFDirectory
  }

  let file: TIFFFile
  let main: Directory
  /// Directories of raw images, the first directory among them if it has one.
  let raws: [Directory]

  /// Limit of the values of a tag that is checked.
  private static let maximumValues = 1 << 18

  /// - Returns: `nil` for a TIFF file that is not DNG.
  /// - Throws: Errors that end the whole job.
  init?(_ file: TIFFFile) throws(ImageError) {
    guard let first = file.directories.first, first[.dngVersion] != nil else { return nil }
    self.file = file
    main = Directory(path: ["IFD0"], entries: first)
    let others = try first[.subdirectories].map { entry throws(ImageError) in
      try file.subdirectories(entry)
    }
    let all =
      [main]
      + (others ?? []).enumerated().map { Directory(path: ["IFD0", "SubIFD \($0)"], entries: $1) }
    var raws: [Directory] = []
    for directory in all {
      let photometric = try ifReadable(try file.integers(.photometric, in: directory.entries).first)
      if photometric == 32_803 || photometric == 34_892 { raws.append(directory) }
    }
    self.raws = raws
  }

  /// The numbers of a tag; `nil` if the directory lacks it, empty for values of another type.
  ///
  /// - Throws: Errors that end the whole job.
  func numbers(_ tag: TIFFTag, in directory: Directory) throws(ImageError) -> [Double]? {
    guard let entry = directory.entries[tag] else { return nil }
    guard entry.count <= Self.maximumValues else { return [] }
    return try ifReadable(try file.numbers(entry)) ?? []
  }

  /// The bytes of a tag; `nil` if the directory lacks it or the file ends before.
  ///
  /// - Throws: Errors that end the whole job.
  func bytes(_ tag: TIFFTag, in directory: Directory) throws(ImageError) -> [UInt8]? {
    guard let entry = directory.entries[tag] else { return nil }
    return try ifReadable(try file.bytes(of: entry))
  }

  func location(_ tag: TIFFTag, in directory: Directory) -> ImageError.Location {
    ImageError.Location(
      path: directory.path + ["tag \(tag.rawValue)"],
      offset: directory.entries[tag]?.offset ?? directory.entries.offset)
  }
}

extension TIFFTag {
  static let dngBackwardVersion = TIFFTag(rawValue: 50707)
  static let uniqueCameraModel = TIFFTag(rawValue: 50708)
  static let blackLevel = TIFFTag(rawValue: 50714)
  static let whiteLevel = TIFFTag(rawValue: 50717)
  static let defaultCropOrigin = TIFFTag(rawValue: 50719)
  static let defaultCropSize = TIFFTag(rawValue: 50720)
  static let colorMatrix1 = TIFFTag(rawValue: 50721)
  static let asShotNeutral = TIFFTag(rawValue: 50728)
  static let asShotWhiteXY = TIFFTag(rawValue: 50729)
  static let activeArea = TIFFTag(rawValue: 50829)
  static let profileHueSatMapDims = TIFFTag(rawValue: 50937)
  static let profileHueSatMapData1 = TIFFTag(rawValue: 50938)
  static let profileToneCurve = TIFFTag(rawValue: 50940)
  static let opcodeLists = [51008, 51009, 51022].map { TIFFTag(rawValue: $0) }
}

/// A JPEG file with the gain map metadata of its images.
struct CheckedJPEG: Sendable {
  /// An image of the file.
  struct Image: Sendable {
    let image: JPEGImage
    /// Gain map metadata of ISO 21496-1; `nil` for a version only.
    let isoPayload: [UInt8]?
    let hasISOVersion: Bool
    let xmp: XMPPacket?
    let hdrgm: HDRGMProperties?
    let profileNotices: [Notice]
    let profile: [UInt8]?

    var range: Range<Int> { image.stored ?? 0..<0 }
    /// Whether it has gain map metadata.
    var isGainMap: Bool { isoPayload != nil || hdrgm?.isMap == true }
  }

  let file: JPEGFile
  let byteCount: Int
  let images: [Image]
  let items: [XMPPacket.ContainerItem]
  /// The directories that have the gain map.
  let directories: JPEGImageDirectories
  /// Whether MPF has an entry for a gain map that has Apple's flavor only; `nil` without one.
  let appleMapIsListed: Bool?
  /// Flavors of the gain map whose metadata other readers use.
  private let usableFlavors: Set<GainMapFlavor>

  var primary: Image { images[0] }
  /// The first secondary image with gain map metadata.
  var gainMap: Image? { images.dropFirst().first(where: \.isGainMap) }
  /// Whether any metadata declares a gain map of Ultra HDR or ISO 21496-1.
  var declaresGainMap: Bool {
    gainMap != nil || primary.hdrgm != nil || primary.hasISOVersion || primary.isoPayload != nil
      || items.contains { $0.semantic == "GainMap" }
  }

  init(_ file: JPEGFile) throws(ImageError) {
    self.file = file
    byteCount = file.source.count
    let images = try file.images.map(Image.init)
    self.images = images
    items = images[0].xmp?.containerItems ?? []
    let index = images.indices.dropFirst().first { images[$0].isGainMap } ?? 0
    directories = try JPEGImageDirectories(ofImage: index, in: file)
    let maps = try GainMapInventory(of: file).maps
    let found = maps.first { $0.location == .image(index) }
    appleMapIsListed = try maps.first { $0.flavors == [.apple] }.map { map throws(ImageError) in
      try map.isListed(in: file)
    }
    usableFlavors = Set(found?.usableFlavors ?? [])
  }

  /// Whether other readers use the metadata of a flavor of the gain map.
  func isAnnounced(by flavor: GainMapFlavor) -> Bool { usableFlavors.contains(flavor) }

  func location(_ image: Image, _ role: JPEGSegment.Role) -> ImageError.Location {
    let segment = image.image.segments(role).first
    let place = images.firstIndex { $0.range == image.range } ?? 0
    return ImageError.Location(
      path: [JPEGFile.nameOfImage(place), role.rawValue], offset: segment?.stored?.lowerBound)
  }

  func location(_ image: Image) -> ImageError.Location {
    let place = images.firstIndex { $0.range == image.range } ?? 0
    return ImageError.Location(path: [JPEGFile.nameOfImage(place)], offset: image.range.lowerBound)
  }
}

extension CheckedJPEG.Image {
  init(_ image: JPEGImage) throws(ImageError) {
    self.image = image
    let payload = image.isoGainMap
    hasISOVersion = payload.map(ISO21496Payload.isVersionOnly) ?? false
    isoPayload = hasISOVersion ? nil : payload
    xmp = try image.readableXMP()
    hdrgm = xmp.flatMap(HDRGMProperties.init)
    var profileNotices: [Notice] = []
    profile = image.profile(notices: &profileNotices)
    self.profileNotices = profileNotices
  }
}

/// Gain map properties in the XMP of an image (namespace hdrgm).
///
/// Source: Ultra HDR Image Format v1.0, "HDR gain map metadata".
struct HDRGMProperties: Sendable {
  let version: String?
  let isBaseHDR: String?
  /// Whether the properties describe a gain map, instead of announcing one.
  let isMap: Bool
  private let packet: XMPPacket

  /// - Returns: `nil` for a packet without properties of the namespace.
  init?(_ packet: XMPPacket) {
    guard packet.properties.contains(where: { $0.name.namespace == GainMapXMP.namespace }) else {
      return nil
    }
    self.packet = packet
    version = packet[GainMapXMP.versionName]?.text
    isBaseHDR = packet[XMPName(GainMapXMP.namespace, "BaseRenditionIsHDR")]?.text
    isMap = GainMapXMP.describesMap(packet)
  }

  /// The gain map metadata of ISO 21496-1.
  ///
  /// - Throws: `.malformed` for invalid numbers, `.unsupported` for another version.
  func metadata() throws(ImageError) -> GainMapMetadata {
    var notices: [Notice] = []
    return try GainMapXMP.description(of: packet, notices: &notices).metadata
  }
}
