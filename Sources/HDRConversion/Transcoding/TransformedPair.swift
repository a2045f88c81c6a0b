// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore
internal import ImageFiles

/// The baseline image and the gain map of a document, cropped, resized and rotated.
///
/// The image is resampled in linear values, the gain map in log gains, aligned to a fraction of a
/// sample. The baseline image is encoded, once; the gain map is not encoded yet.
struct TransformedPair {
  /// The baseline image in a file of its own.
  let base: ImageFile
  /// The gain map; `nil` without one.
  let map: GainMapImage?
  /// Its metadata, with the light level of the transformed alternate image.
  let found: FoundGainMap?
  /// Orientation that the file specifies.
  let orientation: Orientation
  /// Notices about geometry and clipped pixels.
  let notices: [Notice]
  private let encoder: BaselineEncoder
  private let dropsMaps: Bool

  /// Transforms both images, and encodes the baseline image.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - map: Its decoded gain map, if any.
  ///   - found: The metadata of the gain map.
  ///   - options: Geometry, format and quality.
  /// - Throws: `.invalidArgument` for a baseline image that the format cannot store and for a part
  ///   outside the image; errors of decoders and encoders; `.cancelled`.
  init(
    _ document: SourceImage, _ map: GainMapImage?, _ found: FoundGainMap?,
    _ options: GainMapTranscoder.Options
  ) throws(ImageError) {
    let geometry = try TargetGeometry(document, options)
    encoder = BaselineEncoder(options, document)
    dropsMaps = map != nil && document.gainMaps.count > 1
    orientation = geometry.orientation
    var stages = Stages(4, 1)
    let (file, image, clipping) = try stages.next { [encoder] () throws(ImageError) in
      try Self.encodedBase(of: document, geometry, encoder, options)
    }
    base = file
    notices = geometry.notices + clipping + (document.file?.decodingNotices.all ?? [])
    guard let map, var found else {
      (self.map, self.found) = (nil, nil)
      return
    }
    let resampled = try stages.next(.converting) { () throws(ImageError) in
      try geometry.transformed(
        map, of: document.image.layout, isHalved: !options.base.isForEditing(in: options.format))
    }
    if found.alternate.light.contentLightLevel != nil {
      found.alternate.light.contentLightLevel = try Self.lightLevel(of: image, with: resampled)
    }
    (self.map, self.found) = (resampled, found)
  }

  /// Encodes the images of a file again in its format: cropped, resized, rotated, or with another quality.
  ///
  /// - Parameters:
  ///   - file: The file, with or without a gain map, whose metadata are kept.
  ///   - options: Geometry and quality.
  ///   - requiresGainMap: Whether a gain map that cannot be decoded is an error; it is dropped otherwise.
  /// - Returns: The new file.
  /// - Throws: `.invalidArgument` for a baseline image that cannot be encoded in its format and for a part outside
  ///   the image; as `requireGainMap()`; errors of decoders and encoders; `.cancelled`.
  static func edited(
    _ file: ImageFile, _ options: GainMapTranscoder.Options, requiresGainMap: Bool
  ) throws(ImageError) -> RewrittenFile {
    let document = try SourceImage.open(file)
    var notices = document.notices
    var stages = Stages(1, 8, 2)
    let map = try stages.next { () throws(ImageError) in
      requiresGainMap
        ? try document.requireGainMap() : try document.decodedGainMap(notices: &notices)
    }
    let pair = try stages.next { () throws(ImageError) in
      try TransformedPair(document, map, document.gainMap, options)
    }
    notices += [try BaselineEncoder.reencoding(of: nil, options, isSameFormat: true)] + pair.notices
    notices += try file.depthMapNotices
    guard let found = pair.found, let map = pair.map else {
      var alone = try pair.base.withoutGainMap(originals: file.wholePayloads())
      alone.add(try notices + pair.notCopied(in: file), worstError: 0)
      return alone
    }
    notices.append(Notice(.gainMapReEncodedInFormat, ["quality": options.map.effectiveQuality]))
    let mapFile = try stages.next(.encoding) { () throws(ImageError) in
      let output = try Execution.part(upTo: 0.2) { () throws(ImageError) in
        try OutputImage(gainMap: try map.codes(), in: file.format)
      }
      return try output.encoded(as: file.format, options: options.map)
    }
    let mapXMP = try file.xmp(of: found).map { packet throws(ImageError) in
      try packet.fitted(to: map.image.layout, orientation: pair.orientation).bytes
    }
    var joined = try pair.base.joining(
      try ImageFile(parsing: ByteSource(mapFile)),
      GainMapMetadataSet(keeping: found, alternate: found.alternate, mapXMP: mapXMP),
      originals: file.wholePayloads())
    joined.add(try notices + pair.notCopied(in: file), worstError: 0, from: found)
    return joined
  }

  /// Returns notices about items and metadata that are not copied to a new file.
  ///
  /// - Throws: Errors that end the whole job.
  func notCopied(in file: ImageFile) throws(ImageError) -> [Notice] {
    try encoder.notCopied(in: file)
      + (dropsMaps
        ? [
          Notice(
            .dropped, "dropped: further gain maps (only the one in use is cropped and resized)")
        ] : [])
  }

  /// Geometry of the result.
  struct TargetGeometry {
    let resampling: Resampling
    /// Orientation of the stored samples, which are rotated upright.
    let rotation: Orientation
    /// Orientation that the file specifies.
    let orientation: Orientation
    let notices: [Notice]

    init(_ document: SourceImage, _ options: GainMapTranscoder.Options) throws(ImageError) {
      let stored = document.image.layout
      let parameters = try options.geometry.parameters(
        width: stored.width, height: stored.height, orientation: document.image.orientation,
        limits: options.limits)
      resampling = parameters.resampling
      // Few readers of JPEG gain maps apply the orientation.
      let bakes =
        options.format.traits.orientationCarrier != .properties
        && options.geometry.rotation != .upright
      (rotation, orientation) =
        bakes ? (parameters.orientation, .upright) : (.upright, parameters.orientation)
      notices = parameters.notices
    }

    /// The resampling; `nil` for an image that it would leave as it is.
    func resampling(of layout: ImageLayout) -> Resampling? {
      let isWhole = resampling.isIdentity(forWidth: layout.width, height: layout.height)
      return isWhole ? nil : resampling
    }

    /// Sets the size of the transformed baseline image.
    func apply(to layout: inout ImageLayout) {
      (layout.width, layout.height) = (resampling.width, resampling.height)
      layout = layout.upright(from: rotation)
    }

    /// Returns the gain map of a baseline image, transformed like it.
    ///
    /// If the image is reduced, half its size unless `isHalved` is false, as far as the gain map has the samples.
    func transformed(
      _ map: GainMapImage, of layout: ImageLayout, isHalved: Bool
    ) throws(ImageError) -> GainMapImage {
      let following = resampling.following(
        image: (layout.width, layout.height),
        companion: (map.image.layout.width, map.image.layout.height))
      guard isHalved, resampling.width < resampling.part.width else {
        return try map.resampled(following, rotated: rotation)
      }
      func half(_ size: Int, _ samples: Range<Double>) -> Int {
        min(
          (size + 1) / 2, max(Int(clamping: (samples.upperBound - samples.lowerBound).rounded()), 1)
        )
      }
      let halved = following.resized(
        width: half(resampling.width, following.columns),
        height: half(resampling.height, following.rows))
      return try map.resampled(halved, rotated: rotation)
    }

    /// Returns a document whose Exif and XMP describe the transformed baseline image.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - layout: Layout of the transformed image.
    /// - Returns: The document with its samples as they were.
    /// - Throws: Errors of Exif and XMP.
    func describing(
      _ document: SourceImage, _ layout: ImageLayout
    ) throws(ImageError) -> SourceImage {
      var edited = document
      // Encoding drops the thumbnail.
      var ignored: [Notice] = []
      edited.exif = try document.exif.map { exif throws(ImageError) in
        try ExifBlock.fitted(
          exif, width: layout.width, height: layout.height, keepsThumbnail: true, notices: &ignored)
      }
      edited.xmp = try document.xmp.map { xmp throws(ImageError) in
        try XMPPacket(parsing: xmp).fitted(to: layout, orientation: orientation).bytes
      }
      return edited
    }
  }

  /// Transforms and encodes the baseline image.
  private static func encodedBase(
    of document: SourceImage, _ geometry: TargetGeometry, _ encoder: BaselineEncoder,
    _ options: GainMapTranscoder.Options
  ) throws(ImageError) -> (file: ImageFile, image: Image, notices: [Notice]) {
    var target = try encoder.target()
    geometry.apply(to: &target.layout)
    let edited = try geometry.describing(document, target.layout)
    var stages = encoder.stages
    let (image, clipping) = try stages.next(.converting) { () throws(ImageError) in
      try encoder.transformed(
        to: target, resampling: geometry.resampling(of: document.image.layout),
        rotation: geometry.rotation)
    }
    var base = image
    base.orientation = geometry.orientation
    let file = try stages.next(.encoding) { () throws(ImageError) in
      try BaselineEncoder(options, edited).write(base, declaredColor: document.declaredColor)
    }
    return (file, base, GainMapTranscoder.notices(of: clipping))
  }

  /// Measures the light level of the alternate image.
  static func lightLevel(
    of base: Image, with map: GainMapImage
  ) throws(ImageError) -> LightMetadata.ContentLightLevel {
    var target = base.description
    target.color.primaries = .bt2020
    (target.color.transfer, target.color.matrix) = (.linear, .identity)
    (target.layout.components, target.layout.samples) = (.rgb, .float)
    return try ImageTransform(from: base.description, to: target)
      .applying(map, for: Headroom(map.metadata.alternateHeadroom))
      .measure(try base.planes()).contentLightLevel
  }
}
