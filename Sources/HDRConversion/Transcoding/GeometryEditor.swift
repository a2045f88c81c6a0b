// SPDX-License-Identifier: Apache-2.0
internal import GainMap
package import HDRCore
package import ImageCodecs
internal import ImageContainers
package import ImageFiles

/// Crops, resizes and rotates an image together with its gain map.
///
/// Both are re-encoded in the same format and depth; the gain map metadata are kept.
/// `GainMapTranscoder` does the same into another format.
package struct GeometryEditor: Sendable {
  /// Crop, size and rotation.
  package var geometry: GeometryEdit
  /// Quality of baseline image and gain map, and speed.
  package var encoder: EncoderOptions
  /// Limits of the size of the result.
  package var limits: ImageLimits
  /// Whether large maker notes in Exif and XMP are copied.
  package var keepsMakerNotes = false

  package init(
    geometry: GeometryEdit, encoder: EncoderOptions = EncoderOptions(),
    limits: ImageLimits = ImageLimits()
  ) {
    self.geometry = geometry
    self.encoder = encoder
    self.limits = limits
  }

  /// Edits an image.
  ///
  /// - Parameter file: The file of the image.
  /// - Returns: A file of the same format, with gain map metadata of the same flavors.
  /// - Throws: `.invalidArgument` for a baseline image that cannot be re-encoded in its format and for
  ///   a part outside the image, errors of decoders and encoders, `.cancelled`.
  package func run(_ file: ImageFile) throws(ImageError) -> RewrittenFile {
    let document = try SourceImage.open(file)
    var options = GainMapTranscoder.Options(format: file.format, base: encoder, map: encoder)
    (options.geometry, options.limits) = (geometry, limits)
    options.keepsMakerNotes = keepsMakerNotes
    var notices = document.notices
    let map = document.decodedGainMap(notices: &notices)
    let pair = try TransformedPair(document, map, document.gainMap, options)
    notices += [BaselineEncoder.reencoding(of: nil, options, isSameFormat: true)] + pair.notices
    notices += file.depthMapNotices
    guard let found = pair.found, let map = pair.map else {
      var alone = try pair.base.withoutGainMap(originals: file.wholePayloads())
      alone.add(notices + pair.notCopied(in: file), worstError: 0)
      return alone
    }
    notices.append(Notice(.gainMapReEncodedInFormat, ["quality": encoder.effectiveQuality]))
    let mapFile = try BaselineEncoder.mapFile(
      try map.codes(), format: file.format, encoder: encoder)
    let mapXMP = try file.xmp(of: found).map { packet throws(ImageError) in
      try packet.fitted(to: map.image.layout, orientation: pair.orientation).bytes
    }
    var joined = try pair.base.joining(
      try ImageFile(parsing: ByteSource(mapFile)),
      GainMapMetadataSet(keeping: found, alternate: found.alternate, mapXMP: mapXMP),
      originals: file.wholePayloads())
    joined.add(notices + pair.notCopied(in: file), worstError: 0, from: found)
    return joined
  }
}
