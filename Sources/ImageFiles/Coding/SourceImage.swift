// SPDX-License-Identifier: Apache-2.0
public import GainMap
public import HDRCore

/// The content of one file: its primary image and the metadata that describes it.
///
/// Opening parses structure only; samples are decoded when a reader asks for them.
public struct SourceImage: Sendable {
  /// Format of the file; `nil` for an image that was created in memory.
  public var format: FileFormat?
  /// The parsed file; `nil` for an image that was created in memory.
  package var file: ImageFile?
  /// The primary image, decoded on demand; in a file with a gain map, the baseline image.
  ///
  /// Its orientation is the one that the container specifies (`irot` and `imir`, else Exif).
  public var image: Image
  /// The color that the file declares, or its caller in its place.
  public var declaredColor: ColorDescription
  /// SMPTE ST 2094-50 metadata of the file: the rendering for displays of any headroom.
  public var headroomAdaptation: HeadroomAdaptation?
  /// The gain maps of the file, not decoded; those that apply to the baseline image come first.
  public var gainMaps: [FoundGainMap]
  /// Depth maps and mattes of raw, HEIF, AVIF and JPEG XL files, in the orientation of the image.
  ///
  /// At most 64 of a HEIF or AVIF file, with a notice if it contains more.
  ///
  /// `ImageFile.namedAuxiliaries` lists those of JPEG files.
  public var auxiliaries: [AuxiliaryImage] = []
  /// Whether the linear values were developed from raw samples, so that exposure can be set.
  public package(set) var isDeveloped = false
  /// Size of the upright image if it were developed at its full size; `nil` if it is.
  package var fullSize: (width: Int, height: Int)?
  /// Exif, starting at the TIFF header, without an `Exif\0\0` prefix.
  public var exif: [UInt8]?
  /// The XMP packet, UTF-8.
  public var xmp: [UInt8]?
  /// IPTC, comments and texts.
  public var auxiliaryMetadata = AuxiliaryMetadata()
  /// Assumptions, repairs, and choices between contradictory metadata.
  public var notices: [Notice]
  /// The samples of a gain map from another file.
  var attachedGainMap: Image?

  /// Creates an image in memory, with the metadata of a file.
  ///
  /// - Parameters:
  ///   - format: The format of the file; `nil` without a file.
  ///   - image: The image.
  ///   - declaredColor: The color that the file declares.
  ///   - gainMaps: The gain maps of the file.
  ///   - exif: Exif, starting at the TIFF header.
  ///   - xmp: The XMP packet, UTF-8.
  ///   - notices: Notices about the file.
  package init(
    format: FileFormat? = nil, image: Image, declaredColor: ColorDescription = ColorDescription(),
    gainMaps: [FoundGainMap] = [], exif: [UInt8]? = nil, xmp: [UInt8]? = nil,
    notices: [Notice] = []
  ) {
    self.format = format
    self.image = image
    self.declaredColor = declaredColor
    self.gainMaps = gainMaps
    self.exif = exif
    self.xmp = xmp
    self.notices = notices
  }

  /// Creates an image in memory, without a file.
  ///
  /// - Parameter image: The image, with its color, light metadata and orientation.
  public init(_ image: Image) { self.init(image: image) }

  /// The gain map between the baseline and the alternate image; `nil` if none can be applied.
  public var gainMap: FoundGainMap? { gainMaps.first { $0.isApplicable } }
}

extension SourceImage {
  /// The same image with its samples and its gain map in memory, for several renditions.
  ///
  /// A gain map that cannot be decoded stays in the file, so that each rendition reports it.
  ///
  /// - Throws: Errors of the decoder.
  package func loaded() throws(ImageError) -> SourceImage {
    var loaded = self
    loaded.image = try image.loaded()
    if let gainMap, let file, attachedGainMap == nil {
      loaded.attachedGainMap = try ifReadable(
        try file.format.decoder().decodeGainMap(gainMap.location, in: file).loaded())
    }
    return loaded
  }

  /// Whether the encoding of the image extends above reference white; gain maps do not count.
  ///
  /// Floating-point samples of a file can, whatever their transfer function, unless they were
  /// developed from raw samples.
  public var isHighDynamicRange: Bool {
    file != nil && !isDeveloped && image.layout.isFloatingPoint
      || image.color.isHighDynamicRange(of: image.layout)
  }
}

extension SourceImage {
  /// Opens a file of any format.
  ///
  /// - Parameters:
  ///   - source: The bytes of the file.
  ///   - options: Limits, and the color to assume if the file does not specify one.
  /// - Throws: As `init(decoding:)`; errors of the structure of the file.
  package init(
    decoding source: ByteSource, options: OpeningOptions = OpeningOptions()
  ) throws(ImageError) {
    try self.init(decoding: try ImageFile(parsing: source, options: options))
  }

  /// Opens the coded image of a parsed file; raw files are not developed.
  ///
  /// - Parameter file: The file.
  /// - Throws: `.missingCodec` if no codec of this build reads the file, `.limitExceeded` for an
  ///   image beyond the limits; errors of the codec.
  package init(decoding file: ImageFile) throws(ImageError) {
    let decoder = try file.format.decoder()
    let declared = try file.primaryImage()
    var notices: [Notice] = []
    let coded = try decoder.decode(declared, in: file, notices: &notices)
    let color = try decoder.color(of: declared, in: file, notices: &notices)
    let auxiliaries = try decoder.auxiliaries(of: declared, in: file, notices: &notices)
    let resolved = ResolvedColor(
      decoding: color, in: file.format, format: coded.layout,
      diffuseWhite: declared.light.diffuseWhite, assumed: file.options.assumed,
      override: file.options.declared)
    var image = Image(
      coded: coded, resolved: resolved, chromaLocation: declared.chromaLocation,
      light: declared.light, orientation: declared.orientation)
    if let original = try decoder.original(of: file),
      let samples = try ifReadable(try SourceImage(decoding: original).image),
      samples.layout.hasSize(of: image.layout)
    {
      image = samples
      (image.light, image.orientation) = (declared.light, declared.orientation)
    }
    var declaredColor = color
    if let override = file.options.declared {
      // A profile is not rewritten; the code points specify the same color.
      declaredColor = ColorDescription(
        cicp: image.color.cicp, icc: override.overridesColor ? nil : color.icc)
    }
    try file.options.limits.checkMemory(of: image.layout)
    // For formats without gain maps, `gainMaps()` throws.
    let gainMaps = try ifReadable(try file.gainMaps())
    var maps = gainMaps?.maps ?? []
    for index in maps.indices {
      maps[index].alternate = try decoder.alternate(of: maps[index], notices: &notices)
    }
    let adaptations = FoundHeadroomAdaptations(
      icc: color.icc, messages: declared.messages, transfer: image.color.transfer)
    let metadata = declared.metadata
    self.init(
      format: file.format, image: image, declaredColor: declaredColor,
      gainMaps: maps,
      exif: try ExifBlock.adding(declared.pixelsPerInch, to: metadata.exif?.bytes),
      xmp: metadata.xmp?.bytes,
      notices: declared.notices + declared.notCopied + metadata.notices + notices
        + resolved.notices + (gainMaps?.notices ?? []) + adaptations.notices)
    self.file = file
    headroomAdaptation = adaptations.all.first?.adaptation
    self.auxiliaries = auxiliaries
    auxiliaryMetadata = declared.auxiliaryMetadata
  }
}

extension ImageLayout {
  fileprivate func hasSize(of other: ImageLayout) -> Bool {
    width == other.width && height == other.height
  }
}

extension SourceImage {
  /// Decodes the gain map between the baseline and the alternate image.
  ///
  /// - Returns: The gain map; `nil` if the file does not contain one that can be applied, and for
  ///   an image that was created in memory.
  /// - Throws: `.missingCodec` if this build cannot decode the format; errors of the gain map item.
  ///   The baseline image remains usable.
  public func decodeGainMap() throws(ImageError) -> GainMapImage? {
    guard let found = gainMap, found.metadata != nil else { return nil }
    if let attachedGainMap { return try GainMapImage(try attachedGainMap.loaded(), found) }
    guard let file else { return nil }
    return try GainMapImage(
      try file.format.decoder().decodeGainMap(found.location, in: file), found)
  }

  /// Decodes the gain map; a gain map that cannot be decoded yields a notice instead of an error.
  ///
  /// - Throws: Errors that end the whole job.
  package func decodedGainMap(notices: inout [Notice]) throws(ImageError) -> GainMapImage? {
    do throws(ImageError) {
      return try decodeGainMap()
    } catch {
      guard !error.endsJob else { throw error }
      notices.append(
        Notice(.gainMapNotDecodable, ["cause": error], at: error.location))
      return nil
    }
  }

  /// Decodes the image as a gain map, regardless of its declared color.
  ///
  /// - Parameter detached: Metadata of the gain map.
  /// - Returns: The gain map.
  /// - Throws: `.invalidArgument` for an image that was created in memory, for a format whose
  ///   images cannot be gain maps, for a gain map with alpha and for one without readable metadata;
  ///   errors of the codec.
  package func decodeAsGainMap(_ detached: FoundGainMap) throws(ImageError) -> GainMapImage {
    try GainMapImage(try samplesAsGainMap(), detached)
  }

  /// Sets the image of another file as the gain map of this one, replacing any existing gain map.
  ///
  /// - Parameters:
  ///   - map: The file whose image is the gain map.
  ///   - detached: Metadata of the gain map, which is not applied without readable metadata.
  /// - Throws: As `decodeAsGainMap(_:)`.
  package mutating func attachGainMap(
    _ map: SourceImage, _ detached: FoundGainMap
  ) throws(ImageError) {
    attachedGainMap = try map.samplesAsGainMap()
    gainMaps = [detached]
  }

  private func samplesAsGainMap() throws(ImageError) -> Image {
    guard let file else {
      throw ImageError(
        .invalidArgument,
        "an image in memory cannot be the gain map; an image of a file is required")
    }
    guard let decoder = try? file.format.decoder() else {
      throw .gainMapFormatUnsupported(file.format)
    }
    let samples = try decoder.decodeGainMap(.file, in: file)
    guard !samples.layout.hasAlpha else {
      throw ImageError(.gainMapMapHasAlpha)
    }
    return samples
  }
}

extension ImageFile {
  /// The reason why the samples of the gain map cannot be decoded; `nil` if they can, without a
  /// gain map, and in a build without the codec.
  ///
  /// - Throws: `.limitExceeded` and `.cancelled`, which are not faults of the gain map.
  package var gainMapDefect: ImageError? {
    get throws(ImageError) {
      guard format.traits.gainMapCodec != nil, let map = try ifReadable(try gainMaps().applicable),
        let decoder = try? format.decoder()
      else { return nil }
      do throws(ImageError) {
        _ = try decoder.decodeGainMap(map.location, in: self)
        return nil
      } catch {
        if [.malformed, .truncated, .unsupported, .codecFailure].contains(error.category) {
          return error
        }
        guard error.category != .missingCodec else { return nil }
        throw error
      }
    }
  }

  /// A copy without a gain map that cannot be decoded, and the notice; `nil` if it can be.
  ///
  /// - Throws: As `gainMapDefect`; errors of the structure.
  package var withoutUndecodableGainMap: (file: ImageFile, notices: [Notice])? {
    get throws(ImageError) {
      guard let defect = try gainMapDefect else { return nil }
      let flat = try droppingGainMaps()
      return (
        flat.file,
        flat.notices + [Notice(.gainMapNotDecodable, ["cause": defect], at: defect.location)]
      )
    }
  }

  /// As `edited(by:)`, and a gain map that cannot be decoded is dropped as well.
  ///
  /// - Throws: As `edited(by:)` and `gainMapDefect`.
  package func editedWithDecodableGainMap(_ edit: MetadataEdit) throws(ImageError) -> EditedFile {
    if let (whole, dropped) = try withoutUnreadableGainMaps {
      return try whole.editedWithDecodableGainMap(edit).dropping(dropped)
    }
    guard let (file, notices) = try withoutUndecodableGainMap else { return try edited(by: edit) }
    return try file.edited(by: edit).dropping(notices)
  }
}

extension GainMapImage {
  init(_ image: Image, _ found: FoundGainMap) throws(ImageError) {
    guard let metadata = found.metadata else { throw ImageError(.gainMapDescriptionMissing) }
    try self.init(
      image, metadata: metadata, alternatePrimaries: found.alternate.specifiedPrimaries)
  }
}

extension SourceImage: CustomStringConvertible {
  /// The format and the size of the image.
  public var description: String {
    let layout = image.layout
    return "\(format?.title ?? "image"), \(layout.width)x\(layout.height)"
  }
}
