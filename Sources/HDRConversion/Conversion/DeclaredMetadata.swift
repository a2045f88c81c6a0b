internal import GainMap
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// What the output says beside its samples: the input's words, the caller's, and what is measured.
struct DeclaredMetadata {
  private(set) var notices: [Notice] = []
  private(set) var exif: [UInt8]?
  private(set) var xmp: [UInt8]?
  private(set) var further = AuxiliaryMetadata()
  private let options: ConversionOptions
  private let source: LightMetadata
  private let target: ConversionTarget

  /// Collects what is to be said.
  ///
  /// - Parameters:
  ///   - options: What the caller says.
  ///   - document: What the input says.
  ///   - target: How the picture is coded.
  ///   - format: The layout of the coded picture.
  /// - Throws: `.malformed` for Exif or XMP that cannot be read or edited.
  init(
    _ options: ConversionOptions, document: SourceImage, target: ConversionTarget,
    format: ImageLayout
  ) throws(ImageError) {
    self.options = options
    self.target = target
    source = document.image.light
    exif = Self.bytes(options.exif, kept: document.exif)
    xmp = Self.bytes(options.xmp, kept: document.xmp.flatMap(Self.withoutOtherParts))
    // Who drops XMP, or gives another, means IPTC, too.
    if case .keep = options.xmp { further = document.auxiliaryMetadata }
    notices += document.auxiliaryMetadata.lost(in: options.format, keeping: further)
    further = further.carried(by: options.format)
    reportWhatHasNoCarrier()
    try checkExif(target.orientation)
    try updateExif(for: format)
    reportThumbnail()
    try makeXMPConsistent(target.orientation, stored: document.image.orientation)
  }

  /// Names an orientation in given Exif that the writers will change to the picture's own.
  private mutating func checkExif(_ orientation: Orientation) throws(ImageError) {
    guard case .value(let bytes) = options.exif,
      let stated = try ExifBlock(parsing: bytes).orientation, stated != orientation
    else { return }
    note("given Exif", says: stated, but: orientation)
  }

  /// Makes Exif of the input say nothing of the picture as it was before it was cut, sized or turned.
  private mutating func updateExif(for format: ImageLayout) throws(ImageError) {
    if case .value = options.exif { return }
    let cutsOrTurns = options.geometry.crop != nil || target.turn != .upright
    guard cutsOrTurns || options.geometry.size != nil, let bytes = exif else { return }
    exif = try ExifBlock.fitted(
      bytes, width: format.width, height: format.height, keepsThumbnail: !cutsOrTurns,
      notices: &notices)
  }

  /// Names a thumbnail that TIFF, whose directories are pages, gets none of.
  private mutating func reportThumbnail() {
    guard options.format.traits.exifIsOfTheFile, let exif,
      let block = try? ExifBlock(parsing: exif),
      block.main.next != 0
    else { return }
    notices.append(
      Notice(.exifThumbnailNotInTIFF, at: .init(path: ["Exif"])))
  }

  /// Makes XMP turn the picture as the container does.
  private mutating func makeXMPConsistent(
    _ orientation: Orientation, stored: Orientation
  ) throws(ImageError) {
    guard let bytes = xmp else { return }
    var packet = try XMPPacket(parsing: bytes)
    guard let stated = packet.orientation else { return }
    if case .value = options.xmp {
      if stated != orientation { note("given XMP", says: stated, but: orientation) }
    } else if stated != stored {
      note("XMP", says: stated, but: stored)
    }
    if try packet.updateOrientation(orientation) { xmp = packet.bytes }
  }

  private mutating func note(
    _ carrier: String, says stated: Orientation, but winner: Orientation
  ) {
    notices.append(
      Notice(
        .orientationDiffers,
        ["source": carrier, "orientation": stated.rawValue, "used": winner.rawValue]))
  }

  /// The description to write, given the light of the coded picture.
  func resolved(measured light: LightLevels) -> LightMetadata {
    switch target.encoding.transfer {
    case .pq, .hlg: break
    case .linear: return LightMetadata(diffuseWhite: target.encoding.referenceWhite)
    default: return LightMetadata()
    }
    return LightMetadata(
      diffuseWhite: Self.pick(
        options.diffuseWhite, kept: source.diffuseWhite,
        automatic: target.encoding.referenceWhite),
      referenceEnvironment: Self.pick(
        options.referenceEnvironment, kept: source.referenceEnvironment, automatic: nil),
      ambientEnvironment: Self.pick(
        options.ambientEnvironment, kept: source.ambientEnvironment, automatic: nil),
      masteringDisplay: hasPlaceForMasteringDisplay
        ? Self.pick(options.masteringDisplay, kept: source.masteringDisplay, automatic: nil) : nil,
      contentColorVolume: Self.pick(
        options.contentColorVolume, kept: source.contentColorVolume,
        automatic: light.contentColorVolume),
      contentLightLevel: Self.pick(
        options.contentLightLevel, kept: source.contentLightLevel,
        automatic: light.contentLightLevel),
      imageState: target.imageState)
  }

  private static func pick<Value>(
    _ choice: ConversionOptions.Metadatum<Value>, kept: Value?, automatic: Value?
  ) -> Value? {
    switch choice {
    case .automatic: automatic
    case .keep: kept
    case .none: nil
    case .value(let value): value
    }
  }

  /// PNG's `mDCV` needs `cICP` beside it.
  ///
  /// Source: PNG, third edition, 11.3.2.7.
  private var hasPlaceForMasteringDisplay: Bool {
    let traits = options.format.traits
    return traits.colorPrecedence != .codePoints || target.signaling != .icc
  }

  private static func bytes(
    _ choice: ConversionOptions.Metadatum<[UInt8]>, kept: [UInt8]?
  ) -> [UInt8]? { pick(choice, kept: kept, automatic: kept) }

  /// XMP for a picture without a gain map and a film: nothing may announce one.
  ///
  /// - Returns: `nil` if there is nothing left to say; the packet as it is if it cannot be edited.
  private static func withoutOtherParts(_ bytes: [UInt8]) -> [UInt8]? {
    guard var packet = try? XMPPacket(parsing: bytes), (try? packet.removeGainMapWords()) != nil,
      (try? packet.removeDirectory()) != nil
    else { return bytes }
    return packet.bytes == bytes ? bytes : packet.properties.isEmpty ? nil : packet.bytes
  }

  /// Names what the caller or the input says and the format cannot.
  private mutating func reportWhatHasNoCarrier() {
    let traits = options.format.traits
    let places = traits.metadataPlaces
    guard places != Set(MetadataPlace.allCases) else { return }
    func report<Value>(
      _ name: String, _ choice: ConversionOptions.Metadatum<Value>, _ kept: Value? = nil
    ) {
      var isSaid = kept != nil && choice == .keep
      if case .value = choice { isSaid = true }
      guard isSaid else { return }
      notices.append(Notice(.lightNotStorable, ["format": traits.title, "item": name]))
    }
    report(
      "reference environment (reve)", options.referenceEnvironment, source.referenceEnvironment)
    report("ambient environment (amve)", options.ambientEnvironment, source.ambientEnvironment)
    report("content color volume (cclv)", options.contentColorVolume, source.contentColorVolume)
    if !hasPlaceForMasteringDisplay {
      report(
        "mastering display without code points", options.masteringDisplay,
        source.masteringDisplay)
    }
    guard !places.contains(.mdcv) else { return }
    report("mastering display (mdcv)", options.masteringDisplay, source.masteringDisplay)
    report("content light level (clli)", options.contentLightLevel, source.contentLightLevel)
    guard traits.holdsLight else { return }
    report("ICC profile", options.icc)
    if case .value(let luminance) = options.diffuseWhite,
      luminance != target.encoding.referenceWhite
    {
      report(
        "diffuse white (ndwt) other than the luminance of 1.0",
        options.diffuseWhite)
    }
  }
}
