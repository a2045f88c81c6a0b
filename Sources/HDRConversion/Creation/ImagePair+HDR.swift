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
      conversion.referenceEnvironment = .drop
      conversion.ambientEnvironment = .drop
      conversion.contentColorVolume = .drop
      conversion.masteringDisplay = .drop
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
