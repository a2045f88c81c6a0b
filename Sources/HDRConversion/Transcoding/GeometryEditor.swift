internal import GainMap
public import HDRCore
public import ImageCodecs
internal import ImageContainers
public import ImageFiles

/// Crops, resizes and rotates an image together with its gain map.
///
/// Both are re-encoded in the same format and depth; the gain map metadata are kept. The image is
/// resampled in linear values, the gain map in log gains, aligned to a fraction of a sample.
public struct GeometryEditor: Sendable {
  /// Crop, size and rotation.
  public var geometry: GeometryEdit
  /// Quality of baseline image and gain map, and speed.
  public var encoder: EncoderOptions
  /// Limits of the size of the result.
  public var limits: ImageLimits

  public init(
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
  public func run(_ file: ImageFile) throws(ImageError) -> RearrangedFile {
    let document = try SourceImage.open(file)
    let geometry = try TargetGeometry(self.geometry, document, limits)
    let base = try encodedBase(of: document, geometry)
    var notices = document.notices + geometry.notices + base.notices + file.depthMapNotices
    guard let found = document.gainMap, let map = document.decodedGainMap(notices: &notices) else {
      var alone = try base.file.withoutGainMap(originals: file.wholePayloads())
      alone.add(notices + baselineEncoder(of: document).notCopied(in: file), worstError: 0)
      return alone
    }
    let resampled = try map.resampled(
      geometry.resampling.following(
        picture: (document.image.layout.width, document.image.layout.height),
        companion: (map.image.layout.width, map.image.layout.height)),
      turned: geometry.turn)
    let mapFile = try BaselineEncoder.mapFile(
      resampled.planes, format: document.format, encoder: encoder)
    var alternate = found.alternate
    if alternate.light.contentLightLevel != nil {
      alternate.light.contentLightLevel = try lightLevel(of: base, with: resampled)
    }
    let mapXMP = try file.xmp(of: found).map { packet throws(ImageError) in
      try packet.fitted(to: resampled.image.layout, orientation: geometry.orientation)
    }
    var joined = try base.file.joining(
      try ImageFile(parsing: ByteSource(mapFile)),
      GainMapMetadataSet(keeping: found, alternate: alternate, mapXMP: mapXMP),
      originals: file.wholePayloads())
    var losses = baselineEncoder(of: document).notCopied(in: file)
    if document.gainMaps.count > 1 {
      losses.append(
        Notice(.gainMapOthersDropped))
    }
    joined.add(notices + losses, worstError: 0, from: found)
    return joined
  }

  /// Geometry of the result.
  private struct TargetGeometry {
    let resampling: Resampling
    /// Orientation of the stored samples, which are rotated upright.
    let turn: Orientation
    /// Orientation that the file specifies.
    let orientation: Orientation
    let notices: [Notice]

    init(
      _ geometry: GeometryEdit, _ document: SourceImage, _ limits: ImageLimits
    ) throws(ImageError) {
      let stored = document.image.layout
      let plan = try geometry.plan(
        width: stored.width, height: stored.height, orientation: document.image.orientation,
        limits: limits)
      resampling = plan.resampling
      // Few readers of JPEG gain maps apply the orientation.
      let bakes =
        document.format.traits.orientationCarrier != .properties && geometry.turn != .upright
      (turn, orientation) = bakes ? (plan.orientation, .upright) : (.upright, plan.orientation)
      notices = plan.notices
    }
  }

  private struct Base {
    let file: ImageFile
    let image: Image
    let notices: [Notice]
  }

  private func baselineEncoder(of document: SourceImage) -> BaselineEncoder {
    BaselineEncoder(
      GainMapTranscoder.Options(format: document.format, base: encoder, map: encoder), document)
  }

  private func encodedBase(
    of document: SourceImage, _ geometry: TargetGeometry
  ) throws(ImageError) -> Base {
    let image = document.image
    guard case .integer(let bits) = image.layout.samples else {
      throw ImageError(.baseProfileNotPortable, ["format": document.format.title])
    }
    var notices: [Notice] = []
    var edited = document
    var target = baselineEncoder(of: document).target(
      image.color, bits: [8, 10, 12].first { $0 >= bits } ?? 12)
    (target.layout.width, target.layout.height) = (
      geometry.resampling.width, geometry.resampling.height
    )
    target.layout = target.layout.upright(from: geometry.turn)
    let keepsThumbnail = self.geometry.crop == nil && geometry.turn == .upright
    edited.exif = try document.exif.map { exif throws(ImageError) in
      try ExifBlock.fitted(
        exif, width: target.layout.width, height: target.layout.height,
        keepsThumbnail: keepsThumbnail, notices: &notices)
    }
    edited.xmp = try document.xmp.map { xmp throws(ImageError) in
      try XMPPacket(parsing: xmp).fitted(to: target.layout, orientation: geometry.orientation)
    }
    let isWhole = geometry.resampling.isIdentity(
      forWidth: image.layout.width, height: image.layout.height)
    let made = try ImageTransform(
      from: image.description, to: target, resampling: isWhole ? nil : geometry.resampling,
      orientation: geometry.turn
    ).run(try image.makeReader())
    notices += GainMapTranscoder.notices(of: made.clipping)
    var base = Image(target, made.image)
    base.light = image.light
    if image.light.contentLightLevel != nil {
      base.light.contentLightLevel = made.light.contentLightLevel
    }
    if image.light.contentColorVolume != nil {
      base.light.contentColorVolume = made.light.contentColorVolume
    }
    base.orientation = geometry.orientation
    let file = try baselineEncoder(of: edited).write(base, declaredColor: document.declaredColor)
    return Base(file: file, image: base, notices: notices)
  }

  /// Measures the light level of the alternate image.
  private func lightLevel(
    of base: Base, with map: GainMapImage
  ) throws(ImageError) -> LightMetadata.ContentLightLevel {
    var target = base.image.description
    target.color.primaries = .bt2020
    (target.color.transfer, target.color.matrix) = (.linear, .identity)
    (target.layout.components, target.layout.samples) = (.rgb, .float)
    return try ImageTransform(from: base.image.description, to: target)
      .applying(map, for: Headroom(map.metadata.alternateHeadroom))
      .measure(try base.image.planes()).contentLightLevel
  }
}

extension XMPPacket {
  /// Returns the packet with its orientation and size, if it has them, updated.
  fileprivate func fitted(
    to layout: ImageLayout, orientation: Orientation
  ) throws(ImageError) -> [UInt8] {
    var packet = self
    _ = try packet.updateOrientation(orientation)
    try packet.updatePixelSize(width: layout.width, height: layout.height)
    return packet.bytes
  }
}
