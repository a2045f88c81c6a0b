// SPDX-License-Identifier: Apache-2.0
package import GainMap
package import HDRCore
package import ImageFiles

/// Transcodes an image with its gain map to another codec or to other gain map metadata, or exchanges
/// its baseline and alternate image.
///
/// Only what the target cannot store unchanged is re-encoded.
package struct GainMapTranscoder: Sendable {
  /// Properties of the new file.
  package struct Options: Sendable {
    /// Format of the file, which must be able to store gain maps.
    package var format: FileFormat
    /// Flavors of the gain map metadata; `nil` for those that suit gain map and format.
    package var flavors: Set<GainMapFlavor>?
    /// Whether the gain map is requantized and re-encoded if a flavor cannot represent it exactly.
    package var isExact = false
    /// Whether both images are encoded again even if the format stores them as they are.
    package var reencodes = false
    /// Quality and speed for the baseline image, if it is re-encoded.
    package var base: EncoderOptions
    /// Chroma subsampling of a swapped baseline image; `nil` for 4:4:4 if it is HDR, else for that of
    /// the old baseline image.
    package var chroma: ChromaSubsampling?
    /// Quality and speed for the gain map, if it is re-encoded.
    package var map: EncoderOptions
    /// Crop, size and rotation of both images, applied before they are encoded.
    package var geometry = GeometryEdit()
    /// Whether large maker notes in Exif and XMP are copied when the baseline image is re-encoded.
    package var keepsMakerNotes = false
    /// Whether XMP is removed from the result, so that texts and IPTC do not become XMP.
    package var dropsXMP = false
    /// Limits of the size of the result.
    package var limits = ImageLimits()

    /// Options that keep the flavors that suit gain map and format.
    package init(format: FileFormat, base: EncoderOptions, map: EncoderOptions) {
      self.format = format
      self.base = base
      self.map = map
    }
  }

  let options: Options
  let file: ImageFile
  let document: SourceImage
  /// Metadata of the gain map, detached from `file`.
  let found: FoundGainMap
  let map: GainMapImage
  let place: FoundGainMap.Location
  /// Notices about the gain map and its metadata, and about a color that the caller declares.
  let inventoryNotices: [Notice]

  /// Opens a file with a gain map.
  ///
  /// - Throws: `.invalidArgument` for a format that cannot store a gain map, `.unsuitable` for a file
  ///   without one; errors of decoders.
  package init(_ file: ImageFile, _ options: Options) throws(ImageError) {
    try options.format.checkHoldsGainMap(isBaseHDR: false)
    self.options = options
    self.file = file
    document = try SourceImage.open(file)
    let inventory = try file.gainMaps()
    let applicable = try inventory.requireApplicable()
    guard let found = try file.detached(applicable) else {
      throw ImageError(.gainMapDescriptionMissing)
    }
    let map = try document.requireGainMap()
    self.found = found
    // Apple gain maps have one component.
    self.map = options.flavors?.contains(.apple) == true ? try map.withOneComponent() ?? map : map
    place = applicable.location
    inventoryNotices = document.declarationNotices + inventory.notices
  }

  /// Transcodes the file to the format and the flavors of the options.
  ///
  /// - Returns: The new file.
  /// - Throws: `.invalidArgument` for images that the format cannot store and metadata that a flavor
  ///   cannot represent, errors of encoders, `.cancelled`.
  package func transcoded() throws(ImageError) -> RewrittenFile {
    guard options.geometry == GeometryEdit(), !options.reencodes else { return try transformed() }
    let isKept = try file.stillCodec == options.format.traits.gainMapCodec
    if isKept, let flavors = options.flavors, try exactMetadata(isReencoded: false) == nil {
      return try file.describingGainMap(in: flavors)
    }
    var stages = Stages(4, 1)
    let base = try stages.next { () throws(ImageError) in
      isKept
        ? ReencodedImage(file: file)
        : try BaselineEncoder(options, document).reencoded(from: file)
    }
    var encoded = try stages.next(.encoding) { () throws(ImageError) in
      try encodedMap(isKept: isKept)
    }
    if let image = base.image, options.format.traits.isVideoCoded,
      found.alternate.light.contentLightLevel != nil
    {
      encoded.metadata.alternate.light.contentLightLevel = try TransformedPair.lightLevel(
        of: image, with: map)
    }
    var result = try base.file.joining(
      encoded.file, encoded.metadata, in: options.flavors, originals: file.wholePayloads())
    result.add(
      inventoryNotices + base.notices + encoded.notices, worstError: encoded.worstError,
      from: document.gainMap)
    return result
  }

  /// Crops, resizes and rotates both images, and encodes each once.
  private func transformed() throws(ImageError) -> RewrittenFile {
    try options.format.checkHoldsGainMap(isBaseHDR: document.isHighDynamicRange)
    var stages = Stages(4, 1)
    let pair = try stages.next { () throws(ImageError) in
      try TransformedPair(document, map, found, options)
    }
    let encoded = try stages.next(.encoding) { () throws(ImageError) in
      try encodedMap(pair.map ?? map, pair.found ?? found, orientation: pair.orientation)
    }
    var result = try pair.base.joining(
      encoded.file, encoded.metadata, in: options.flavors, originals: file.wholePayloads())
    var notices = [
      try BaselineEncoder.reencoding(of: file, options, isSameFormat: file.format == options.format)
    ]
    if document.headroomAdaptation != nil { notices.append(Notice(.adaptationNotCopied)) }
    notices += try pair.notices + encoded.notices + pair.notCopied(in: file)
    result.add(inventoryNotices + notices, worstError: encoded.worstError, from: document.gainMap)
    return result
  }

  /// Joins a baseline image and a gain map from two files.
  ///
  /// - Parameters:
  ///   - base: File of the baseline image.
  ///   - map: File whose image is the gain map.
  ///   - metadata: Metadata of the gain map.
  ///   - options: Properties of the new file; images that the format can store are kept byte for byte.
  ///   - rotation: Orientation of the samples of the gain map relative to those of the baseline image.
  /// - Returns: The new file.
  /// - Throws: As `transcoded()`.
  package static func joined(
    base: ImageFile, map: ImageFile, _ metadata: FoundGainMap, _ options: Options,
    rotation: Orientation = .upright
  ) throws(ImageError) -> RewrittenFile {
    let codec = options.format.traits.gainMapCodec
    let baseline: ReencodedImage
    if try ifReadable(try base.stillCodec) == codec, base.options.declared == nil {
      baseline = ReencodedImage(file: base)
    } else {
      let document = try SourceImage.open(base)
      var reencoded = try Execution.part(upTo: 0.8) { () throws(ImageError) in
        try BaselineEncoder(options, document).reencoded(from: base)
      }
      reencoded.notices = document.declarationNotices + reencoded.notices
      baseline = reencoded
    }
    let encoded: EncodedMap
    if rotation == .upright, try ifReadable(try map.stillCodec) == codec {
      encoded = EncodedMap(file: map, metadata: metadata)
    } else {
      let image = try Execution.part(upTo: 0.85) { () throws(ImageError) -> GainMapImage in
        let image = try SourceImage.open(map).decodeAsGainMap(metadata)
        guard rotation != .upright else { return image }
        let (width, height) = (image.image.layout.width, image.image.layout.height)
        let whole = PixelRectangle(x: 0, y: 0, width: width, height: height)
        return try image.resampled(
          Resampling(part: whole, width: width, height: height), rotated: rotation)
      }
      encoded = try Self.encoded(
        image, metadata,
        as: options.replacesAppleCurve(of: image.metadata)
          ? try image.metadata.withoutAppleCurve() : nil, options,
        encoder: options.map)
    }
    var result = try baseline.file.joining(
      encoded.file, encoded.metadata, in: options.flavors,
      originals: base.wholePayloads() + map.wholePayloads())
    result.add(baseline.notices + encoded.notices, worstError: encoded.worstError)
    return result
  }

  // MARK: The gain map

  /// A gain map in a file of its own.
  struct EncodedMap {
    var file: ImageFile
    var metadata: FoundGainMap
    /// Largest error of the gain, in stops.
    var worstError = 0.0
    var notices: [Notice] = []
  }

  /// Returns the gain map unchanged or re-encoded.
  ///
  /// - Parameter isKept: Whether the new file can store the encoded gain map.
  /// - Returns: The gain map in a file of its own.
  /// - Throws: Errors of `exactMetadata(isReencoded:)` and of codecs.
  func encodedMap(isKept: Bool) throws(ImageError) -> EncodedMap {
    let exact = try exactMetadata(isReencoded: !isKept)
    if isKept, exact == nil {
      return EncodedMap(
        file: try file.parsing(try file.standaloneFile(ofGainMapAt: place)), metadata: found)
    }
    var encoder = options.map
    // Rounding is the only error of an exact gain map, except in JPEG.
    if exact != nil, isKept {
      (encoder.isLossless, encoder.quality) = (options.format.traits.isVideoCoded, 100)
    }
    return try Self.encoded(map, found, as: exact, options, encoder: encoder)
  }

  /// Encodes a gain map that was cropped, resized or rotated.
  ///
  /// - Parameters:
  ///   - map: The transformed gain map.
  ///   - found: Its metadata, whose XMP is adapted.
  ///   - orientation: Orientation that the file specifies.
  /// - Returns: The gain map in a file of its own.
  /// - Throws: Errors of `exactMetadata(isReencoded:)` and of codecs.
  func encodedMap(
    _ map: GainMapImage, _ found: FoundGainMap, orientation: Orientation
  ) throws(ImageError) -> EncodedMap {
    var found = found
    found.xmp = try found.xmp.map { xmp throws(ImageError) in
      try XMPPacket(parsing: xmp).fitted(to: map.image.layout, orientation: orientation).bytes
    }
    return try Self.encoded(
      map, found, as: try exactMetadata(isReencoded: true), options, encoder: options.map)
  }

  /// Encodes a gain map.
  ///
  /// - Parameters:
  ///   - map: The gain map.
  ///   - found: Its metadata.
  ///   - exact: Metadata to requantize it for; `nil` for the same.
  ///   - options: Properties of the file.
  ///   - encoder: Quality and speed.
  /// - Returns: The gain map in a file of its own, with its error.
  /// - Throws: Errors of codecs; `.cancelled`.
  static func encoded(
    _ map: GainMapImage, _ found: FoundGainMap, as exact: GainMapMetadata? = nil,
    _ options: Options, encoder: EncoderOptions
  ) throws(ImageError) -> EncodedMap {
    let metadata = exact ?? map.metadata
    var stages = Stages(1, 4, 1)
    let codes = try stages.next { () throws(ImageError) in try map.codes() }
    let isLimitedTo8Bits = metadata.isApple || options.format.traits.isLimitedTo8Bits
    let depths = isLimitedTo8Bits ? [8] : exact == nil ? [8, 10, 12] : [10]
    let requantizer = GainMapRequantizer(
      from: map.metadata, bits: codes.bits, to: metadata,
      bits: depths.first { $0 >= codes.bits } ?? depths[depths.count - 1])
    let bytes = try stages.next { () throws(ImageError) in
      try OutputImage(gainMap: requantizer.apply(to: codes), in: options.format)
        .encoded(as: options.format, options: encoder)
    }
    var encoded = found
    encoded.replaceMetadata(
      with: metadata, flavor: metadata.isApple ? .apple : .iso, dropsOthers: exact != nil)
    let file = try ImageFile(parsing: ByteSource(bytes))
    let decoded = try stages.next { () throws(ImageError) in
      try SourceImage.open(file).decodeAsGainMap(encoded)
    }
    let difference = try LogGainDifference(codes, metadata: map.metadata, decoded)
    return EncodedMap(
      file: file, metadata: encoded,
      worstError: difference.worst,
      notices: [
        Notice(
          exact == nil
            ? NoticeCode(
              .reencoded,
              "re-encoded: gain map (to {format}; maximum error {worst stop}, mean {mean stop})")
            : NoticeCode(
              .reencoded,
              "re-encoded: gain map (for {flavors flavor}; maximum error {worst stop}, mean "
                + "{mean stop})"
            ),
          [
            "format": options.format.title,
            "flavors": (options.flavors ?? [.iso]).map(\.title).sorted(),
            "worst": difference.worst, "mean": difference.mean,
          ])
      ])
  }

  /// Returns the metadata to requantize the gain map for, if the flavors cannot represent it exactly;
  /// `nil` if its metadata are kept.
  ///
  /// - Parameter isReencoded: Whether the samples are re-encoded anyway.
  /// - Returns: The metadata, or `nil`.
  /// - Throws: `.invalidArgument` for a flavor that cannot represent the gain map.
  private func exactMetadata(isReencoded: Bool) throws(ImageError) -> GainMapMetadata? {
    guard isReencoded || options.isExact else { return nil }
    let metadata = map.metadata
    let isReplaced = isReencoded && options.replacesAppleCurve(of: metadata)
    let flavors = options.flavors ?? (isReplaced ? [.iso] : [found.flavor ?? .iso])
    let isMixed = flavors.contains(.apple) && flavors.count > 1
    if metadata.isApple {
      guard flavors != [.apple] else { return nil }
      guard !isMixed else {
        guard options.isExact else { return nil }
        throw Self.conflict(try AppleFit(to: metadata).isTolerable ? "approximation" : "apple")
      }
      return try metadata.withoutAppleCurve()
    }
    guard flavors.contains(.apple) else { return nil }
    if let obstacle = metadata.obstacleToApple(mapIsGray: map.isGray) {
      // One channel and components with different samples: other flavors do not help.
      let differs = !map.isGray && metadata.channels.all.count == 1
      throw ImageError(
        differs ? .gainMapFlavorNotPossiblePerComponent : .gainMapFlavorNotPossible,
        [
          "flavor": GainMapFlavor.apple.title, "cause": obstacle,
          "usable": GainMapFlavor.apple.alternatives(among: flavors),
        ])
    }
    guard !isMixed || options.isExact else { return nil }
    // Exact samples for Apple; the metadata of the other flavors are fitted to them.
    let apple = try metadata.withAppleCurve()
    let fitsOthers = try AppleFit(to: apple).isTolerable
    guard !isMixed || fitsOthers else { throw Self.conflict("apple") }
    return apple
  }

  /// Creates the error of flavors that exclude each other.
  ///
  /// - Parameter alternative: The flavors that are possible in addition to ISO 21496-1.
  /// - Returns: The error.
  private static func conflict(_ alternative: String) -> ImageError {
    ImageError(.gainMapExactConflict, ["alternative": alternative])
  }
}

extension GainMapTranscoder.Options {
  /// Whether a re-encoded Apple gain map is requantized for ISO 21496-1: no flavors are given, and
  /// readers do not apply Apple gain maps in files of the format.
  fileprivate func replacesAppleCurve(of metadata: GainMapMetadata) -> Bool {
    flavors == nil && metadata.isApple && !format.traits.holdsAppleGainMaps
  }
}

extension ImageFile {
  /// Refuses a gain map that cannot be decoded.
  ///
  /// - Throws: `.unsuitable` with the cause; `.cancelled` and `.limitExceeded` as they are.
  package func requireDecodableGainMap() throws(ImageError) {
    guard let cause = try gainMapDefect else { return }
    throw ImageError(.gainMapSamplesNotDecodable, ["cause": cause], at: cause.location)
  }
}

extension SourceImage {
  /// The notice about a color that the caller declares, if there is one.
  fileprivate var declarationNotices: [Notice] { notices.filter { $0.code == .colorDeclared } }

  /// Decodes the gain map.
  ///
  /// - Throws: `.unsuitable` with the cause if it cannot be decoded; `.cancelled`, `.limitExceeded`
  ///   and `.missingCodec` as they are.
  package func requireGainMap() throws(ImageError) -> GainMapImage {
    let cause: ImageError
    do throws(ImageError) {
      if let map = try decodeGainMap() { return map }
      cause = ImageError(.noGainMap)
    } catch {
      guard [.malformed, .truncated, .unsupported, .codecFailure].contains(error.category) else {
        throw error
      }
      cause = error
    }
    throw ImageError(.gainMapSamplesNotDecodable, ["cause": cause], at: cause.location)
  }
}

/// An image in a file of its own, re-encoded or as it was.
struct ReencodedImage {
  var file: ImageFile
  /// The image before it was encoded; `nil` if it is as it was.
  var image: Image?
  var notices: [Notice] = []
}

extension ImagePlanes {
  fileprivate var bits: Int {
    guard case .integer(let bits) = layout.samples else {
      preconditionFailure("a gain map has integer samples")
    }
    return bits
  }
}
