#if JPEG
internal import CShims
internal import GainMap
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// JPEG pictures of 8 bits: segments by `JPEGFile`, samples by libjpeg.
enum JPEGCodec: ImageDecoder, ImageEncoder {
  static let format = FileFormat.jpeg

  /// The library that codes samples, with its version.
  static var libraries: [String] {
    // SAFETY: a string that lives as long as the program.
    [unsafe String(cString: jpeg_library())]
  }

  /// Reads the first picture of a file.
  static func open(_ file: ImageFile) throws(ImageError) -> PictureDocument {
    guard case .jpeg(let jpeg) = file.container else { throw file.format.missingCodec }
    return try document(
      jpeg, try file.gainMaps(), try layout(of: jpeg.primary, limits: file.options.limits),
      file.options)
  }

  /// How a picture of a file is coded, if it is in a way that can be decoded here.
  private static func layout(
    of image: JPEGImage, limits: ImageLimits
  ) throws(ImageError) -> JPEGLayout {
    let place = ImageError.Location(
      path: ["frame"],
      offset: image.segments.first { $0.marker == image.frame.marker }?.stored?.lowerBound)
    guard image.frame.height > 0 else {
      throw ImageError(.jpegHeightUndefined, at: place)
    }
    guard image.frame.precision == 8, processes.contains(image.frame.marker.rawValue) else {
      throw ImageError(
        .jpegProcessUnsupported,
        ["bits": image.frame.precision, "process": image.frame.marker.rawValue - 0xC0], at: place)
    }
    try limits.check(
      width: image.frame.width, height: image.frame.height, in: "frame", at: place.offset)
    let samples = try JPEGSampleReader.open(image)
    let layout: JPEGLayout
    do throws(ImageError) {
      layout = try JPEGLayout(samples.layout)
    } catch {
      throw error.located(in: "frame", at: place.offset)
    }
    guard layout.format.width == image.frame.width, layout.format.height == image.frame.height
    else { throw ImageError(.jpegFramesDiffer, at: place) }
    guard layout.coefficientMemory <= limits.memory else {
      throw ImageError(.jpegCoefficientLimitExceeded, ["size": layout.coefficientMemory], at: place)
    }
    return layout
  }

  /// The samples of one of the pictures, as gain.
  private static func gainMapSamples(
    _ place: FoundGainMap.Place, of file: JPEGFile, limits: ImageLimits
  ) throws(ImageError) -> Image {
    let images = file.images
    let number: Int? =
      switch place {
      case .image(let index): index
      case .file: 0
      default: nil
      }
    guard let index = number, images.indices.contains(index) else {
      throw ImageError(.gainMapNotInFile, ["place": "\(place)"])
    }
    do throws(ImageError) {
      let layout = try layout(of: images[index], limits: limits)
      let reader = try JPEGReader(images[index], as: layout)
      let image = try reader.read(rows: 0..<layout.format.height)
      let isYCbCr = if case .ycbcr = layout.format.components { true } else { false }
      return Image(
        data: image, matrix: isYCbCr ? .bt601 : .identity, chromaLocation: .center)
    } catch {
      throw error.inside(JPEGFile.nameOfPicture(index))
    }
  }

  /// Baseline, extended and progressive, by Huffman or arithmetic coding.
  ///
  /// Source: ITU-T T.81, table B.1.
  private static let processes: Set<UInt8> = [0xC0, 0xC1, 0xC2, 0xC9, 0xCA]

  private static func document(
    _ file: JPEGFile, _ inventory: GainMapInventory, _ layout: JPEGLayout,
    _ options: OpeningOptions
  ) throws(ImageError) -> PictureDocument {
    let image = file.primary
    var notices = file.notices
    notices += inventory.notices
    var metadata = FileMetadata(exif: image.exif, xmp: image.readableXMP(&notices))
    let light = LightMetadata(diffuseWhite: metadata.diffuseWhite())
    notices += metadata.notices
    let color = ColorDescription(
      icc: image.profile(notices: &notices),
      isMarkedSRGB: metadata.exif?.isMarkedSRGB ?? false)
    let resolved = ResolvedColor(
      decoding: color, in: .jpeg, format: layout.format, diffuseWhite: light.diffuseWhite,
      assumed: options.assumed)
    let decoded = Image(
      layout: layout.format, resolved: resolved, chromaLocation: .center, light: light,
      orientation: metadata.orientation
    ) { () throws(ImageError) in
      try JPEGReader(image, as: layout)
    }
    var document = PictureDocument(
      format: .jpeg, image: decoded, declaredColor: color, gainMaps: inventory.maps,
      exif: metadata.exif?.bytes, xmp: metadata.xmp?.bytes, notices: notices + resolved.notices)
    document.furtherMetadata = image.furtherMetadata
    document.gainMapSamples = { place throws(ImageError) in
      try gainMapSamples(place, of: file, limits: options.limits)
    }
    return document
  }
}
#endif
