// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore
internal import ImageFiles

/// Encodes the baseline image of a document for another container.
struct BaselineEncoder {
  private let options: GainMapTranscoder.Options
  private var document: SourceImage

  init(_ options: GainMapTranscoder.Options, _ document: SourceImage) {
    self.options = options
    self.document = document
    if options.dropsXMP { self.document.auxiliaryMetadata.becomesXMP = false }
  }

  /// Encodes the baseline image alone, with Exif, XMP, ICC profile and light metadata.
  ///
  /// - Parameter file: Its file.
  /// - Returns: The new file, with notices.
  /// - Throws: `.invalidArgument` for a baseline image that the format cannot store; errors of codecs.
  func reencoded(from file: ImageFile?) throws(ImageError) -> ReencodedImage {
    try options.format.checkHoldsGainMap(isBaseHDR: document.isHighDynamicRange)
    var stages = stages
    var image = try stages.next(.converting) { () throws(ImageError) in
      try transformed(to: target()).image
    }
    image.orientation = document.image.orientation
    var notices = [try Self.reencoding(of: document.file, options)]
    if document.headroomAdaptation != nil { notices.append(Notice(.adaptationNotCopied)) }
    let reencoded = try stages.next(.encoding) { () throws(ImageError) in
      try write(image, declaredColor: document.declaredColor)
    }
    return ReencodedImage(file: reencoded, image: image, notices: try notices + notCopied(in: file))
  }

  /// The stages of transforming and encoding the baseline image.
  var stages: Stages {
    let layout = document.image.layout
    return Stages(
      ExpectedTime.reading(document) + ExpectedTime.converting(layout),
      ExpectedTime.encoding(layout, options.geometry, as: options.format, options.base))
  }

  /// Returns layout and color of the baseline image in the target format.
  ///
  /// - Throws: `.invalidArgument` for samples that the format cannot store.
  func target() throws(ImageError) -> ImageDescription {
    guard case .integer(let bits) = document.image.layout.samples else {
      throw ImageError(
        document.declaredColor.icc == nil ? .baseFloatingPoint : .baseProfileNotPortable,
        ["format": options.format.title])
    }
    return target(document.image.color, bits: storableBits(bits))
  }

  /// Decodes the baseline image to another layout, and measures its levels if it declares them.
  func transformed(
    to target: ImageDescription, resampling: Resampling? = nil, rotation: Orientation = .upright
  ) throws(ImageError) -> (image: Image, clipping: ImageTransform.Clipping) {
    var (source, resampling) = (document.image, resampling)
    if let whole = resampling, !options.base.isExact(in: options.format) {
      (source, resampling) = source.reduced(for: whole)
      let isWhole = resampling?.isIdentity(
        forWidth: source.layout.width, height: source.layout.height)
      if isWhole == true { resampling = nil }
    }
    var stages = Stages(ExpectedTime.reading(document), ExpectedTime.converting(source.layout))
    let reader = try stages.next(.reading) { () throws(ImageError) in try source.makeReader() }
    let transform = ImageTransform(
      from: source.description, to: target, resampling: resampling, orientation: rotation)
    let made = try stages.next { () throws(ImageError) in try transform.run(reader) }
    var image = Image(target, made.image)
    image.light = source.light
    if source.light.contentLightLevel != nil {
      image.light.contentLightLevel = made.lightLevels.contentLightLevel
    }
    if source.light.contentColorVolume != nil {
      image.light.contentColorVolume = made.lightLevels.contentColorVolume
    }
    return (image, made.clipping)
  }

  /// Returns the notice about a re-encoded baseline image.
  ///
  /// - Parameters:
  ///   - file: The file with the image as it was.
  ///   - options: Format and quality.
  ///   - isSameFormat: Whether the format could store the image as it was.
  /// - Returns: The notice.
  /// - Throws: Errors that end the whole job.
  static func reencoding(
    of file: ImageFile?, _ options: GainMapTranscoder.Options, isSameFormat: Bool = false
  ) throws(ImageError) -> Notice {
    guard !isSameFormat else {
      return Notice(.baseReEncodedInFormat, ["quality": options.base.effectiveQuality])
    }
    let isLossless = options.base.isLossless || !options.format.traits.hasQuality
    return Notice(
      isLossless
        ? NoticeCode(.reencoded, "re-encoded: base image ({codec} to {format}, lossless)")
        : .baseReEncoded,
      [
        "codec": try codecName(of: file), "format": options.format.title,
        "quality": options.base.quality,
      ])
  }

  /// The codec of the image of a file, or the format.
  static func codecName(of file: ImageFile?) throws(ImageError) -> String {
    guard let file else { return "samples" }
    return try ifReadable(try file.stillCodec)?.rawValue ?? file.format.title
  }

  /// Returns the depth of the format that stores samples of a depth, or its largest.
  func storableBits(_ bits: Int) -> Int {
    let depths = options.format.traits.standardDepths.all
    return depths.first { $0 >= bits } ?? depths.last ?? bits
  }

  /// Whether the image is resized for the web in JPEG, as an image without a gain map would be.
  private var hasNewSize: Bool {
    options.geometry.size != nil && !options.format.traits.isVideoCoded
      && !options.base.isForEditing(in: options.format)
  }

  /// Returns layout and color of an image like the baseline image in the target format.
  ///
  /// - Parameters:
  ///   - color: Color of the samples; the matrix is adapted.
  ///   - bits: Bits per sample.
  ///   - isGray: `nil` for that of the baseline image.
  /// - Returns: Layout and color to encode.
  func target(_ color: ColorEncoding, bits: Int, isGray: Bool? = nil) -> ImageDescription {
    var (color, layout) = (color, document.image.layout)
    if isGray == false, layout.components == .gray { layout.components = .ycbcr(.yuv444) }
    let traits = options.format.traits
    switch layout.components {
    case _ where !traits.storesYCbCr:
      if layout.components != .gray { layout.components = .rgb }
    case .gray: if !traits.isVideoCoded { color.matrix = .bt601 }
    case .rgb where hasNewSize, .ycbcr where hasNewSize: layout.components = .ycbcr(.yuv420)
    case .rgb: layout.components = .ycbcr(.yuv444)
    case .ycbcr(let chroma):
      layout.components = .ycbcr(traits.subsamplings.contains(chroma) ? chroma : .yuv444)
    }
    if case .ycbcr = layout.components {
      let known: Set<CICP.Matrix> = [.bt601, .bt470BG, .bt709, .bt2020NonConstant]
      if !traits.isVideoCoded || !known.contains(color.matrix) {
        color.matrix =
          color.primaries == .bt2020 && traits.isVideoCoded ? .bt2020NonConstant : .bt601
      }
    } else {
      color.matrix = .identity
    }
    layout.samples = .integer(bits: bits)
    if !traits.holdsAlpha { (layout.hasAlpha, layout.isAlphaPremultiplied) = (false, false) }
    color.isFullRange = true
    color.chromaLocation = traits.chromaLocation
    return ImageDescription(layout: layout, color: color)
  }

  /// Encodes an image, and parses the file.
  func write(_ image: Image, declaredColor: ColorDescription) throws(ImageError) -> ImageFile {
    var image = image
    if image.color.matrix == .identity, options.format.traits.storesYCbCr {
      image.color.matrix = .bt601
    }
    let cicp = image.color.cicp
    var icc = declaredColor.icc
    // JPEG has no code points, and Ultra HDR requires a profile also for sRGB.
    let isSRGB = cicp.primaries == .bt709 && cicp.transfer == .srgb
    // A color that the caller declares is written, or refused.
    let isLost =
      document.file?.options.declared != nil
      && (cicp.primaries == .unspecified || cicp.transfer == .unspecified)
    if icc == nil,
      options.format.traits.declaresColorByProfileAlone
        && (!isSRGB || image.layout.components != .gray) || isLost
    {
      icc = try ICCProfile.generate(for: cicp)
    }
    if cicp.transfer == .pq || cicp.transfer == .hlg, image.light.diffuseWhite ?? 0 <= 0 {
      image.light.diffuseWhite = image.color.referenceWhite
    }
    // They are reported by `notCopied(in:)`.
    var ignored: [Notice] = []
    let copied = try document.copiedMetadata(
      to: options.format, options.keepsMakerNotes, notices: &ignored)
    var output = OutputImage(
      image, icc: icc, exif: try exif(copied.exif, for: image.layout, cicp), xmp: copied.xmp)
    output.auxiliaryMetadata = copied.auxiliary
    return try ImageFile(
      parsing: ByteSource(try output.encoded(as: options.format, options: options.base)))
  }

  /// Returns the Exif of the baseline image, with the tags that JPEG requires.
  private func exif(
    _ exif: [UInt8]?, for layout: ImageLayout, _ cicp: CICP
  ) throws(ImageError) -> [UInt8]? {
    guard options.format.traits.exifDescribesSamples, let bytes = exif else { return exif }
    return try ExifBlock.completed(
      bytes, width: layout.width, height: layout.height, isGray: layout.components == .gray,
      isSRGB: cicp.primaries == .bt709 && cicp.transfer == .srgb)
  }

  /// Returns notices about items and metadata that are not copied to a new file.
  ///
  /// - Throws: Errors that end the whole job.
  func notCopied(in file: ImageFile?) throws(ImageError) -> [Notice] {
    let alpha =
      document.image.layout.hasAlpha && !options.format.traits.holdsAlpha
      ? [Notice(.dropped, "dropped: alpha channel (JPEG cannot store it)")] : []
    let metadata = try document.metadataNotCopied(
      to: options.format, keepsMakerNotes: options.keepsMakerNotes)
    let format = options.format
    let light = document.image.light.notCopied(
      but: format.traits.metadataFields, "\(format.title) cannot store them")
    let items = try file?.embeddedItems ?? []
    return alpha + metadata + light + ImageFile.notCopied(items)
  }
}

extension SourceImage {
  /// Notices about metadata that a new file with this image does not contain.
  func metadataNotCopied(
    to format: FileFormat, keepsMakerNotes: Bool
  ) throws(ImageError) -> [Notice] {
    var notices: [Notice] = []
    // Errors of metadata end the encoding.
    _ = try ifReadable(try copiedMetadata(to: format, keepsMakerNotes, notices: &notices))
    return notices
  }

  /// Metadata for a new file.
  fileprivate func copiedMetadata(
    to format: FileFormat, _ keepsMakerNotes: Bool, notices: inout [Notice]
  ) throws(ImageError) -> (exif: [UInt8]?, xmp: [UInt8]?, auxiliary: AuxiliaryMetadata) {
    let exif = try exif.map { bytes throws(ImageError) in
      try MetadataOfNewFile.exif(bytes, keepsMakerNotes: keepsMakerNotes, notices: &notices)
    }
    let xmp = try xmp.flatMap { bytes throws(ImageError) in
      try XMPPacket(parsing: bytes).forNewFile(keepsMakerNotes: keepsMakerNotes, notices: &notices)
    }
    let fitted = try auxiliaryMetadata.fitted(to: format, xmp: xmp)
    notices += fitted.notices
    return (exif, fitted.xmp, fitted.carried)
  }
}

extension EncoderOptions {
  /// The quality, 100 for lossless encoding.
  var effectiveQuality: Int { isLossless ? 100 : quality }

  /// Whether a format stores samples without loss or with the highest quality, so that they are computed from
  /// all samples of the source.
  func isExact(in format: FileFormat) -> Bool {
    !format.traits.hasQuality || effectiveQuality == Self.bestQuality
  }
}
