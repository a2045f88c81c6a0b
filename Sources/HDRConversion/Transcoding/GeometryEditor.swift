internal import GainMap
public import HDRCore
public import ImageCodecs
internal import ImageContainers
public import ImageFiles

/// Cuts, sizes and turns a picture and its gain map, if it has one, alike.
///
/// Both are coded again, in the container and as deep as they were; what the map means and how it is
/// described stay. The picture is resampled in linear light, the map in logarithms of gain, aligned
/// to a fraction of a sample.
public struct GeometryEditor: Sendable {
  public var geometry: GeometryEdit
  /// Of base and map.
  public var encoder: EncoderOptions
  public var limits: ImageLimits

  public init(
    geometry: GeometryEdit, encoder: EncoderOptions = EncoderOptions(),
    limits: ImageLimits = ImageLimits()
  ) {
    self.geometry = geometry
    self.encoder = encoder
    self.limits = limits
  }

  /// Makes the file.
  ///
  /// - Parameters:
  ///   - document: The picture.
  ///   - file: The file it is in.
  /// - Returns: A file of the same kind, whose map is described in the same flavors.
  /// - Throws: `.invalidArgument` for a base that cannot be coded as it was and for a part outside the
  ///   picture, otherwise what decoders and encoders find wrong.
  public func run(
    _ document: SourceImage, from file: ImageFile
  ) throws(ImageError) -> RearrangedFile {
    let place = try Place(geometry, document, limits)
    let base = try codedBase(of: document, at: place)
    var notices = document.notices + place.notices + base.notices + file.depthMapNotices
    guard let found = document.gainMap, let map = document.decodedGainMap(notices: &notices) else {
      var alone = try base.file.withoutGainMap(originals: file.wholePayloads())
      alone.add(notices + baselineEncoder(of: document).notCopied(in: file), worstError: 0)
      return alone
    }
    let resampled = try map.resampled(
      place.resampling.following(
        picture: (document.image.layout.width, document.image.layout.height),
        companion: (map.image.layout.width, map.image.layout.height)),
      turned: place.turn)
    let mapFile = try BaselineEncoder.mapFile(
      resampled.planes, format: document.format, encoder: encoder)
    var alternate = found.alternate
    if alternate.hdr.contentLightLevel != nil {
      alternate.hdr.contentLightLevel = try light(of: base, with: resampled)
    }
    let mapXMP = try file.xmp(of: found).map { packet throws(ImageError) in
      try packet.fitted(to: resampled.image.layout, orientation: place.orientation)
    }
    var joined = try base.file.joining(
      try ImageFile(parsing: ByteSource(mapFile)),
      GainMapDescription(keeping: found, alternate: alternate, mapXMP: mapXMP),
      originals: file.wholePayloads())
    var losses = baselineEncoder(of: document).notCopied(in: file)
    if document.gainMaps.count > 1 {
      losses.append(
        Notice(.gainMapOthersDropped))
    }
    joined.add(notices + losses, worstError: 0, from: found)
    return joined
  }

  /// What becomes of rows and columns.
  private struct Place {
    let resampling: Resampling
    /// How they are turned on the way.
    let turn: Orientation
    /// What the file says about the turned ones.
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
      // Few readers of JPEG maps look for an orientation.
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

  private func codedBase(
    of document: SourceImage, at place: Place
  ) throws(ImageError) -> Base {
    let image = document.image
    guard case .integer(let bits) = image.layout.samples else {
      throw ImageError(.baseProfileNotPortable, ["format": document.format.title])
    }
    var notices: [Notice] = []
    var edited = document
    var target = baselineEncoder(of: document).coding(
      image.color, bits: [8, 10, 12].first { $0 >= bits } ?? 12)
    (target.layout.width, target.layout.height) = (place.resampling.width, place.resampling.height)
    target.layout = target.layout.upright(from: place.turn)
    let keepsThumbnail = geometry.crop == nil && place.turn == .upright
    edited.exif = try document.exif.map { exif throws(ImageError) in
      try ExifBlock.fitted(
        exif, width: target.layout.width, height: target.layout.height,
        keepsThumbnail: keepsThumbnail, notices: &notices)
    }
    edited.xmp = try document.xmp.map { xmp throws(ImageError) in
      try XMPPacket(parsing: xmp).fitted(to: target.layout, orientation: place.orientation)
    }
    let isWhole = place.resampling.isIdentity(
      forWidth: image.layout.width, height: image.layout.height)
    let made = try ImageTransform(
      from: image.description, to: target, resampling: isWhole ? nil : place.resampling,
      orientation: place.turn
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
    base.orientation = place.orientation
    let file = try baselineEncoder(of: edited).write(base, declaredColor: document.declaredColor)
    return Base(file: file, image: base, notices: notices)
  }

  /// Light levels of the rendition that full gain makes.
  private func light(
    of base: Base, with map: GainMapImage
  ) throws(ImageError) -> LightMetadata.ContentLightLevel {
    var target = base.image.description
    target.color.primaries = .bt2020
    (target.color.transfer, target.color.matrix) = (.linear, .identity)
    (target.layout.components, target.layout.samples) = (.rgb, .float)
    return try ImageTransform(from: base.image.description, to: target)
      .applying(map, for: map.meaning.alternateHeadroom)
      .measure(try base.image.planes()).contentLightLevel
  }
}

extension XMPPacket {
  /// The packet with what it says about rows and columns, if it does, as they are now.
  fileprivate func fitted(
    to format: ImageLayout, orientation: Orientation
  ) throws(ImageError) -> [UInt8] {
    var packet = self
    _ = try packet.updateOrientation(orientation)
    try packet.updatePixelSize(width: format.width, height: format.height)
    return packet.bytes
  }
}
