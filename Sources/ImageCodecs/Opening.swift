// SPDX-License-Identifier: Apache-2.0
internal import GainMap
public import HDRCore
public import ImageContainers
public import ImageFiles

extension SourceImage {
  /// Opens a file of any format.
  ///
  /// - Parameters:
  ///   - source: The bytes of the file.
  ///   - options: Limits, and the color to assume if the file does not specify one.
  /// - Returns: The image and its metadata; samples are decoded when a reader requests them.
  /// - Throws: `.missingCodec` if no codec of this build reads the file, `.limitExceeded` for an
  ///   image beyond the limits; errors of the codec.
  public static func open(
    _ source: ByteSource, options: OpeningOptions = OpeningOptions()
  ) throws(ImageError) -> SourceImage {
    try open(try ImageFile(parsing: source, options: options))
  }

  /// Opens a parsed file of any format.
  ///
  /// - Parameter file: The file.
  /// - Returns: The image and its metadata; samples are decoded when a reader requests them.
  /// - Throws: As `open(_:options:)`.
  public static func open(_ file: ImageFile) throws(ImageError) -> SourceImage {
    let decoder = try file.format.decoder()
    let declared = try file.primaryImage()
    var notices: [Notice] = []
    let coded = try decoder.decode(declared, in: file, notices: &notices)
    let color = decoder.color(of: declared, in: file, notices: &notices)
    let auxiliaries = decoder.auxiliaries(of: declared, in: file, notices: &notices)
    let resolved = ResolvedColor(
      decoding: color, in: file.format, format: coded.layout,
      diffuseWhite: declared.light.diffuseWhite, assumed: file.options.assumed,
      override: file.options.declared)
    var image = Image(
      coded: coded, resolved: resolved, chromaLocation: declared.chromaLocation,
      light: declared.light, orientation: declared.orientation)
    if let original = decoder.original(of: file),
      let samples = try? open(original).image, samples.layout.hasSize(of: image.layout)
    {
      image = samples
      (image.light, image.orientation) = (declared.light, declared.orientation)
    }
    try file.options.limits.checkMemory(of: image.layout)
    // For formats without gain maps, `gainMaps()` throws.
    let gainMaps = try? file.gainMaps()
    var maps = gainMaps?.maps ?? []
    for index in maps.indices {
      maps[index].alternate = decoder.alternate(of: maps[index], notices: &notices)
    }
    let adaptations = FoundHeadroomAdaptations(
      icc: color.icc, messages: declared.messages, transfer: image.color.transfer)
    let metadata = declared.metadata
    var document = SourceImage(
      format: file.format, image: image, declaredColor: color,
      gainMaps: maps, exif: metadata.exif?.bytes, xmp: metadata.xmp?.bytes,
      notices: declared.notices + declared.notCopied + metadata.notices + notices
        + resolved.notices + (gainMaps?.notices ?? []) + adaptations.notices)
    document.file = file
    document.headroomAdaptation = adaptations.all.first?.adaptation
    document.auxiliaries = auxiliaries
    document.auxiliaryMetadata = declared.auxiliaryMetadata
    return document
  }
}

extension ImageLayout {
  fileprivate func hasSize(of other: ImageLayout) -> Bool {
    width == other.width && height == other.height
  }
}

extension FileFormat {
  /// The error for a format that this build cannot read or write.
  package var missingCodec: ImageError {
    ImageError(.formatCodecMissing, ["codec": title])
  }
}
