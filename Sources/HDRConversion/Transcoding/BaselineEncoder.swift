internal import GainMap
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// Codes base pictures and maps for another container.
struct BaselineEncoder {
  private let options: GainMapTranscoder.Options
  private let document: SourceImage

  init(_ options: GainMapTranscoder.Options, _ document: SourceImage) {
    self.options = options
    self.document = document
  }

  /// The base alone in a file of the wanted format, with Exif, XMP, profile and light metadata.
  ///
  /// - Parameter file: The file it is in, if that is a container.
  /// - Returns: The file, and what was lost.
  /// - Throws: `.invalidArgument` for a base that the format cannot hold, otherwise what the codecs
  ///   say.
  func base(of file: ImageFile?) throws(ImageError) -> ReencodedImage {
    let encoding = document.image.color
    guard case .integer(let bits) = document.image.layout.samples else {
      throw ImageError(
        document.declaredColor.icc == nil ? .baseFloatingPoint : .baseProfileNotPortable,
        ["format": options.format.title])
    }
    try options.format.checkHoldsGainMap(baseIsHDR: document.isHighDynamicRange)
    let target = coding(
      encoding,
      bits: options.format.traits.standardDepths.all.first { $0 >= bits }
        ?? options.format.traits.standardDepths.all.last ?? bits)
    var image = Image(
      target,
      try ImageTransform(from: document.image.description, to: target)
        .run(try document.image.makeReader()).image)
    image.light = document.image.light
    image.orientation = document.image.orientation
    var notices = [
      Notice(
        options.base.isLossless ? .baseReEncodedLossless : .baseReEncoded,
        ["format": options.format.title, "quality": options.base.quality])
    ]
    if document.adaptation != nil {
      notices.append(
        Notice(.adaptationNotCopied))
    }
    return ReencodedImage(
      file: try write(image, declaredColor: document.declaredColor),
      notices: notices + notCopied(in: file))
  }

  /// How a picture like the base is coded in the wanted format.
  ///
  /// - Parameters:
  ///   - encoding: What its samples mean; the matrix is adapted.
  ///   - bits: Of its samples.
  ///   - isGray: `nil` for as the base is.
  /// - Returns: Layout and meaning of the samples to code.
  func coding(
    _ encoding: ColorEncoding, bits: Int, isGray: Bool? = nil
  ) -> ImageDescription {
    var (encoding, format) = (encoding, document.image.layout)
    if isGray == false, format.components == .gray { format.components = .ycbcr(.yuv444) }
    let traits = options.format.traits
    switch format.components {
    case .gray: if !traits.isVideoCoded { encoding.matrix = .bt601 }
    case .rgb: format.components = .ycbcr(.yuv444)
    case .ycbcr(let chroma):
      format.components = .ycbcr(traits.subsamplings.contains(chroma) ? chroma : .yuv444)
    }
    if case .ycbcr = format.components {
      let known: Set<CICP.Matrix> = [.bt601, .bt470BG, .bt709, .bt2020NonConstant]
      if !traits.isVideoCoded || !known.contains(encoding.matrix) {
        encoding.matrix =
          encoding.primaries == .bt2020 && traits.isVideoCoded ? .bt2020NonConstant : .bt601
      }
    } else {
      encoding.matrix = .identity
    }
    format.samples = .integer(bits: bits)
    if !traits.holdsAlpha { (format.hasAlpha, format.isAlphaPremultiplied) = (false, false) }
    encoding.isFullRange = true
    encoding.chromaLocation = traits.chromaLocation
    return .init(layout: format, color: encoding)
  }

  /// Encodes an image, and parses the file.
  func write(
    _ image: Image, declaredColor: ColorDescription
  ) throws(ImageError) -> ImageFile {
    var image = image
    if image.color.matrix == .identity { image.color.matrix = .bt601 }
    let cicp = image.color.cicp
    var icc = declaredColor.icc
    // JPEG has no code points, and Ultra HDR wants a profile of sRGB, too.
    let isSRGB = cicp.primaries == .bt709 && cicp.transfer == .srgb
    if icc == nil, options.format.traits.declaresColorByProfileAlone,
      !isSRGB || image.layout.components != .gray
    {
      icc = try ICCProfile.generate(for: cicp)
    }
    if cicp.transfer == .pq || cicp.transfer == .hlg, image.light.diffuseWhite ?? 0 <= 0 {
      image.light.diffuseWhite = image.color.referenceWhite
    }
    var output = OutputImage(
      image, icc: icc, exif: try exif(with: image.layout, cicp), xmp: try wordsOfTheBase())
    output.auxiliaryMetadata = document.auxiliaryMetadata.carried(by: options.format)
    return try ImageFile(
      parsing: ByteSource(try output.encoded(as: options.format, options: options.base)))
  }

  /// The Exif of the base, with what must be in that of JPEG.
  private func exif(with format: ImageLayout, _ cicp: CICP) throws(ImageError) -> [UInt8]? {
    guard options.format.traits.exifDescribesSamples, let bytes = document.exif else {
      return document.exif
    }
    return try ExifBlock.completed(
      bytes, width: format.width, height: format.height, isGray: format.components == .gray,
      isSRGB: cicp.primaries == .bt709 && cicp.transfer == .srgb)
  }

  /// The XMP of the base without words about other pictures of its file.
  private func wordsOfTheBase() throws(ImageError) -> [UInt8]? {
    guard let bytes = document.xmp else { return nil }
    var packet = try XMPPacket(parsing: bytes)
    try packet.removeGainMapWords()
    try packet.removeDirectory()
    return packet.properties.isEmpty ? nil : packet.bytes
  }

  /// What does not follow a base into a new file.
  func notCopied(in file: ImageFile?) -> [Notice] {
    let alpha =
      document.image.layout.hasAlpha && !options.format.traits.holdsAlpha
      ? [Notice(.alphaDroppedInJPEG)] : []
    let words = document.auxiliaryMetadata.lost(in: options.format)
    return alpha + words + ImageFile.notCopied(file?.companions ?? [])
  }

  /// A map in a file of its own.
  ///
  /// - Parameters:
  ///   - codes: Gray or RGB, full range.
  ///   - format: Of the file.
  ///   - encoder: How well to code it.
  /// - Returns: The bytes of the file.
  /// - Throws: What the encoder says.
  static func mapFile(
    _ codes: ImagePlanes, format: FileFormat, encoder: EncoderOptions
  ) throws(ImageError) -> [UInt8] {
    let parameters = try GainMapEncodingParameters(
      GainMapEncoder.Options(format: format, encoder: encoder))
    let output = GainMapEncodingParameters.output(
      try parameters.coded(codes), format: format)
    return try output.encoded(as: format, options: encoder)
  }
}
