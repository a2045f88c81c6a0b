// SPDX-License-Identifier: Apache-2.0
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
