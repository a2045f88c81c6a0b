// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore
internal import ImageFiles

extension ImagePair {
  /// The HDR image in PQ and BT.2020, 16 bits per sample, upright.
  struct HDRImage {
    enum Samples {
      /// An image in memory, with its light levels.
      case image(Image, LightLevels, ContentHeadroom.Declarations)
      case rows(Rows)
      /// An image that is converted while the SDR image is encoded.
      case unconverted(SourceImage)
    }

    /// Rows that are converted and measured as they are read, once.
    struct Rows {
      let reader: ConvertedRows
      let prepared: PreparedConversion
      let declarations: ContentHeadroom.Declarations
    }

    private(set) var samples: Samples
    private(set) var description: ImageDescription
    /// Notices of the conversion; empty until the image is converted.
    let notices: [Notice]

    private static let color = ColorEncoding(primaries: .bt2020, transfer: .pq)

    /// A converted image in memory.
    struct Converted: Sendable {
      let result: ImageConverter.Result
      let declarations: ContentHeadroom.Declarations

      /// Converts an image.
      ///
      /// - Throws: Errors of the decoder; `.cancelled`.
      init(
        _ document: SourceImage, keepsAlpha: Bool, options: GainMapEncoder.Options
      ) throws(ImageError) {
        let (converter, document) = HDRImage.converter(of: document, keepsAlpha, options)
        result = try converter.run(document)
        declarations = converter.declarations(of: document, result.gainMap)
      }
    }

    init(_ converted: Converted) throws(ImageError) {
      let image = converted.result.output.image
      description = ImageDescription(layout: image.layout, color: Self.color)
      samples = .image(
        Image(description, try image.planes()), converted.result.lightLevels,
        converted.declarations)
      notices = converted.result.notices
    }

    /// Prepares to convert an image as its rows are read.
    ///
    /// - Precondition: The image is not cropped, resized or rotated.
    /// - Throws: Errors of the decoder.
    init(onDemand document: SourceImage, options: GainMapEncoder.Options) throws(ImageError) {
      let (converter, document) = Self.converter(of: document, false, options)
      let prepared = try PreparedConversion(converter.options, document)
      description = ImageDescription(layout: prepared.output.layout, color: Self.color)
      samples = .rows(
        Rows(
          reader: ConvertedRows(prepared.source.reader, by: prepared.source.transform),
          prepared: prepared, declarations: converter.declarations(of: document, prepared.gainMap)))
      notices = []
    }

    /// Describes an image that is to be converted.
    ///
    /// - Precondition: The image has three components, and is not cropped, resized or rotated.
    init(unconverted document: SourceImage) {
      let layout = ImageLayout(
        width: document.image.layout.width, height: document.image.layout.height,
        components: .rgb, samples: .integer(bits: 16))
      description = ImageDescription(layout: layout, color: Self.color)
      samples = .unconverted(document)
      notices = []
    }

    /// Places the image on the rows and columns of an SDR image.
    ///
    /// - Throws: `.invalidArgument` for images of different sizes, `.unsuitable` for an SDR image that
    ///   does not match a raw file.
    mutating func align(
      to sdr: Image, isRaw: Bool, orientation: Orientation, _ notices: inout [Notice]
    ) throws(ImageError) {
      let (hdr, shown) = (description.layout, sdr.layout.upright(from: orientation))
      guard isRaw || (shown.width, shown.height) == (hdr.width, hdr.height) else {
        throw ImageError(
          .pairSizesDiffer,
          ["sdr": .size(shown.width, shown.height), "hdr": .size(hdr.width, hdr.height)])
      }
      guard case .image(let image, var levels, let declarations) = samples else { return }
      let placed = try ImagePair.aligned(
        image, isRaw: isRaw, to: sdr, orientation: orientation, &notices)
      description = placed.image.description
      if placed.isResampled {
        levels = try ImageTransform(from: description, to: description)
          .measure(try placed.image.planes())
      }
      samples = .image(placed.image, levels, declarations)
    }

    fileprivate static func converter(
      of document: SourceImage, _ keepsAlpha: Bool, _ options: GainMapEncoder.Options
    ) -> (ImageConverter, SourceImage) {
      var document = document
      (document.auxiliaries, document.auxiliaryMetadata) = ([], AuxiliaryMetadata())
      document.exif = nil
      var conversion = ConversionOptions(format: .png, encoder: options.encoder)
      conversion.purpose = (options.format, options.encoder)
      conversion.orientation = .bake
      (conversion.geometry, conversion.limits) = (options.geometry, options.limits)
      conversion.alpha = keepsAlpha ? .keep : .drop
      for (item, _) in MetadataItem.light where !item.isMeasurable {
        item.drop(&conversion.metadata)
      }
      conversion.metadata.contentColorVolume = .drop
      // Gain maps have one reference white.
      let white = ColorEncoding.defaultReferenceWhite
      if document.image.color.transfer == .pq, let declared = document.image.light.diffuseWhite,
        declared > 0
      {
        conversion.exposure = Headroom(ratio: white / declared).stops
      }
      conversion.exposure += options.exposure
      conversion.referenceWhite = white
      return (ImageConverter(conversion), document)
    }
  }

  /// Light levels and headroom of the HDR image.
  struct Measurement {
    let levels: LightLevels
    /// Headroom, as the file declares or as measured.
    let headroom: Headroom
    let notices: [Notice]

    /// - Throws: `.unsuitable` for an image without pixels above reference white.
    init(
      _ levels: LightLevels, _ declarations: ContentHeadroom.Declarations, colorOrigin: String,
      _ options: GainMapEncoder.Options
    ) throws(ImageError) {
      guard levels.contentHeadroom.stops > 0 else {
        throw ImageError(.imageWithoutHeadroom, ["color": colorOrigin])
      }
      let content = ContentHeadroom(
        declarations, measured: levels.contentHeadroom,
        referenceWhite: ColorEncoding.defaultReferenceWhite)
      self.levels = levels
      // Metadata that declare no headroom leave no range for the gain.
      headroom = content.headroom.stops > 0 ? content.headroom : levels.contentHeadroom
      var notices = content.notice.map { [$0] } ?? []
      if options.flavors.contains(.apple),
        headroom.stops > AppleMakerNote.largestHeadroom.stops
      {
        notices.append(
          Notice(
            .clipped, "gains above {limit stop} exceed the maximum of the Apple maker note",
            ["limit": AppleMakerNote.largestHeadroom.stops]))
      }
      self.notices = notices
    }
  }
}

extension ImageConverter {
  fileprivate func declarations(
    of document: SourceImage, _ gainMap: AppliedGainMap?
  ) -> ContentHeadroom.Declarations {
    DeclaredHeadroom(document, gainMap: gainMap, exposure: options.exposure, method: nil).content
  }
}

extension ImagePair {
  /// The SDR image as its file stores it, which is decoded when it is encoded; `nil` if it has
  /// alpha, or is to be cropped, resized or rotated.
  static func standardOnDemand(
    _ sdr: SourceImage, _ baseline: EncodedBaseline?, options: GainMapEncoder.Options
  ) throws(ImageError) -> Source? {
    let stored = sdr.image
    if let baseline {
      return Source(
        image: Image(baseline.description) { () throws(ImageError) in try stored.makeReader() })
    }
    let description = standardDescription(of: stored)
    guard !description.layout.hasAlpha, try isWhole(stored, options) else { return nil }
    try description.checkDecodable()
    return Source(
      image: Image(description) { () throws(ImageError) in try stored.makeReader() },
      rendition: try standardRendition(of: description, options))
  }

  /// Whether an image is used as it is stored: not cropped, resized or rotated.
  static func isWhole(
    _ image: Image, _ options: GainMapEncoder.Options
  ) throws(ImageError) -> Bool {
    let (width, height) = (image.layout.width, image.layout.height)
    let geometry = try options.geometry.parameters(
      width: width, height: height, orientation: image.orientation, limits: options.limits)
    return geometry.orientation == .upright
      && geometry.resampling.isIdentity(forWidth: width, height: height)
  }

  /// Linear 1.0 is reference white, whatever its luminance.
  private static func standardDescription(of image: Image) -> ImageDescription {
    var description = image.description
    description.color.referenceWhite = ColorEncoding.defaultReferenceWhite
    return description
  }

  /// The mapping of colors outside of the target primaries; `nil` without such colors.
  private static func standardRendition(
    of image: ImageDescription, _ options: GainMapEncoder.Options
  ) throws(ImageError) -> Rendition? {
    guard image.color.primaries.reach(in: options.primaries) > 1 + widerTolerance else {
      return nil
    }
    return Rendition(ToneMap(try RationalShoulder(content: .standard, display: .standard)))
  }

  /// Converts the SDR image to the target primaries, upright.
  static func convertStandard(
    _ document: SourceImage, keepsAlpha: Bool, options: GainMapEncoder.Options
  ) throws(ImageError) -> Source {
    let source = standardDescription(of: document.image)
    let geometry = try options.geometry.parameters(
      width: source.layout.width, height: source.layout.height,
      orientation: document.image.orientation, limits: options.limits)
    var layout = ImageLayout(
      width: geometry.resampling.width, height: geometry.resampling.height, components: .rgb,
      samples: .integer(bits: 16), hasAlpha: keepsAlpha && source.layout.hasAlpha)
    layout = layout.upright(from: geometry.orientation)
    let target = ImageDescription(
      layout: layout, color: ColorEncoding(primaries: options.primaries, transfer: .srgb))
    let (image, resampling) =
      options.encoder.isExact(in: options.format)
      ? (document.image, geometry.resampling) : document.image.reduced(for: geometry.resampling)
    var decoded = source
    decoded.layout = image.layout
    let isWhole = resampling.isIdentity(
      forWidth: decoded.layout.width, height: decoded.layout.height)
    let result = try ImageTransform(
      validating: decoded, to: target, rendition: try standardRendition(of: source, options),
      resampling: isWhole ? nil : resampling, orientation: geometry.orientation
    ).run(try image.makeReader())
    return Source(image: Image(target, result.image))
  }

  /// Difference of equal primaries that ICC profiles round.
  private static let widerTolerance = 2e-3
}

/// Whether subsampled chroma would blur an image: edges of saturated colors, as in text, charts and signs.
enum ChromaDetail {
  /// Bands of rows at equal distances, which are measured.
  static func bands(ofHeight height: Int) -> [Range<Int>] {
    let interval = max(height / (bandHeight * bandCount), 1) * bandHeight
    return stride(from: 0, to: height, by: interval).map { $0..<min($0 + bandHeight, height) }
  }

  /// Returns whether many chroma samples differ from the mean of their 2 x 2 pixels.
  ///
  /// In photographs, at most 0.1 % of the samples differ by more than an eighth of the range; in red text on blue, 7 %.
  ///
  /// - Parameter image: Bands of the image below each other, in Y'CbCr of 4:4:4 and 8 bits.
  /// - Returns: Whether 4:4:4 is needed.
  static func isHigh(in image: ImagePlanes) -> Bool {
    guard case .integer(let planes) = image.planes else { preconditionFailure("Y'CbCr of 8 bits") }
    let chroma = planes[1...2]
    let differing = chroma.reduce(0) { $0 + differingCount($1) }
    let total = chroma.reduce(0) { $0 + $1.width * $1.height }
    return Double(differing) > leastShare * Double(total)
  }

  /// The number of samples that differ from the mean of their 2 x 2 samples.
  private static func differingCount(_ plane: Plane<UInt16>) -> Int {
    var count = 0
    for y in stride(from: 0, to: plane.height - 1, by: 2) {
      let (upper, lower) = (plane.row(y), plane.row(y + 1))
      for x in stride(from: 0, to: plane.width - 1, by: 2) {
        let (a, b) = (Int(upper[x]), Int(upper[x + 1]))
        let (c, d) = (Int(lower[x]), Int(lower[x + 1]))
        let sum = a + b + c + d
        func differs(_ sample: Int) -> Int { abs(4 * sample - sum) > 4 * leastDifference ? 1 : 0 }
        count += differs(a) + differs(b) + differs(c) + differs(d)
      }
    }
    return count
  }

  private static let bandHeight = 16
  private static let bandCount = 24
  private static let leastDifference = 32
  private static let leastShare = 0.01
}
