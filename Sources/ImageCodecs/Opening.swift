// SPDX-License-Identifier: Apache-2.0
internal import GainMap
package import HDRCore
package import ImageContainers
package import ImageFiles

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
      let samples = try? SourceImage(decoding: original).image,
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
    let gainMaps = try? file.gainMaps()
    var maps = gainMaps?.maps ?? []
    for index in maps.indices {
      maps[index].alternate = decoder.alternate(of: maps[index], notices: &notices)
    }
    let adaptations = FoundHeadroomAdaptations(
      icc: color.icc, messages: declared.messages, transfer: image.color.transfer)
    let metadata = declared.metadata
    self.init(
      format: file.format, image: image, declaredColor: declaredColor,
      gainMaps: maps, exif: metadata.exif?.bytes, xmp: metadata.xmp?.bytes,
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

extension FileFormat {
  /// The error for a format that this build cannot read or write.
  package var missingCodec: ImageError {
    ImageError(.formatCodecMissing, ["codec": title])
  }
}
