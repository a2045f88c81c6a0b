// SPDX-License-Identifier: Apache-2.0
#if HEIF || AVIF
internal import GainMap
internal import HDRCore
internal import ImageFiles

/// Decodes the images of a HEIF or AVIF file.
struct HEIFReader: Sendable {
  private let file: HEIFFile
  private let limits: ImageLimits
  private let decodingNotices: DecodingNotices

  /// - Throws: `.missingCodec` for a file of another format.
  init(_ file: ImageFile) throws(ImageError) {
    guard case .heif(let heif) = file.container else { throw file.format.missingCodec }
    self.file = heif
    limits = file.options.limits
    decodingNotices = file.decodingNotices
  }

  private var decoder: ItemDecoder {
    ItemDecoder(file: file, limits: limits, notices: decodingNotices)
  }

  /// The samples of the primary item, with alpha.
  ///
  /// - Throws: Errors of the structure; nothing is decoded.
  func image(of main: ItemImage, notices: inout [Notice]) throws(ImageError) -> Image {
    let alpha = try alphaImage(of: main, notices: &notices)
    let layout = layout(of: main, alpha: alpha)
    return Image(coded: layout) { () throws(ImageError) in
      try makeReader(main, alpha: alpha, as: layout)
    }
  }

  /// Returns the samples of an image item as gain.
  ///
  /// Y'CbCr with unspecified matrix is decoded as BT.601, as in libavif.
  func decodeGainMap(_ place: FoundGainMap.Location) throws(ImageError) -> Image {
    let id: UInt32
    switch place {
    case .item(let item): id = item
    case .file: id = try file.primaryItem.id
    default: throw ImageError(.gainMapNotInFile, ["place": "\(place)"])
    }
    let source = try description(of: id)
    let image = try decode(source)
    guard case .ycbcr = image.layout.components else {
      return Image(data: image, isFullRange: source.cicp?.isFullRange ?? true)
    }
    let declared = source.cicp?.matrix ?? .unspecified
    let matrix = declared == .unspecified ? .bt601 : declared
    // Primaries of gain map samples are not signaled; the other matrices need nonlinear arithmetic.
    guard YCbCr(matrix: matrix, primaries: .bt709) != nil, matrix != .chromaDerivedNonConstant
    else {
      throw ImageError(
        .unsupported, "gain map samples of {matrix} cannot be decoded",
        ["matrix": matrix.numberedName], at: .init(path: ["item \(id)"]))
    }
    return Image(
      data: image, matrix: matrix, isFullRange: source.cicp?.isFullRange ?? true,
      chromaLocation: source.chromaLocation)
  }

  /// Describes an image item without decoding it.
  private func description(of id: UInt32) throws(ImageError) -> ItemImage {
    var describer = ItemDescriber(file: file, limits: limits)
    return try describer.completed(try describer.image(id))
  }

  /// Decodes the visible samples of an image item in stored order, without alpha.
  ///
  /// - Throws: Errors of the item.
  private func decode(_ image: ItemImage) throws(ImageError) -> ImagePlanes {
    try visiblePlanes(of: image).decoded(as: image.format, rows: 0..<image.geometry.height)
  }

  /// Decodes the visible samples of an image item in coding order; those of RGB in full resolution.
  private func visiblePlanes(of image: ItemImage) throws(ImageError) -> ImagePlanes {
    let planes = try decoder.decode(image).cropped(to: image.geometry)
    return image.isSubsampledRGB ? try planes.withFullChroma() : planes
  }

  private func layout(of main: ItemImage, alpha: ItemImage?) -> ImageLayout {
    var format = main.format
    guard let alpha else { return format }
    format.hasAlpha = true
    format.isAlphaPremultiplied = file.references(from: main.id, type: "prem").contains(alpha.id)
    return format
  }

  private func makeReader(
    _ main: ItemImage, alpha: ItemImage?, as format: ImageLayout
  ) throws(ImageError) -> any RowReader {
    let (left, top) = (main.geometry.left, main.geometry.top)
    // Interpolating chroma for a crop between chroma samples, or for RGB, needs the whole image.
    let isAligned =
      left.isMultiple(of: main.chroma.horizontal) && top.isMultiple(of: main.chroma.vertical)
    if isAligned, !main.isSubsampledRGB, let decoded = try decoder.decodeCoded(main) {
      return DecodedItemReader(
        decoded, left: left, top: top, as: format, alpha: try coverage(alpha, of: main))
    }
    let coverage = try coverage(alpha, of: main)
    let decode = { () throws(ImageError) -> ImagePlanes in
      try visiblePlanes(of: main).decoded(as: format, rows: 0..<format.height, alpha: coverage)
    }
    guard !main.isSubsampledRGB,
      let grid = GridReader(
        main.origin, decoder: decoder, left: left, top: top, as: format, alpha: coverage)
    else { return PlanesReader(try decode()) }
    return main.chroma == .yuv444 || coverage != nil ? grid : CanvasReader(grid, decode)
  }

  // MARK: Alpha

  private func alphaImage(
    of main: ItemImage, notices: inout [Notice]
  ) throws(ImageError) -> ItemImage? {
    let auxiliary = file.references(to: main.id, type: "auxl").filter {
      file.item($0)?.property(AuxiliaryTypeBox.self)?.isAlpha ?? false
    }
    guard let id = auxiliary.first else { return nil }
    let alpha: ItemImage
    do throws(ImageError) {
      alpha = try description(of: id)
    } catch {
      guard error.category == .unsupported else { throw error }
      notices.append(
        Notice(
          .dropped, "not copied: unreadable alpha channel: {cause}", ["cause": error],
          at: error.location))
      return nil
    }
    let isOfShownSize = alpha.geometry.size == main.geometry.size
    if !isOfShownSize, (alpha.width, alpha.height) != (main.width, main.height) {
      notices.append(
        Notice(
          .irregular, "alpha channel of {alpha} resized to {image pixel}",
          ["alpha": .size(alpha.width, alpha.height), "image": .size(main.width, main.height)],
          at: .init(path: ["item \(id)"])))
    }
    return alpha
  }

  private func coverage(
    _ alpha: ItemImage?, of main: ItemImage
  ) throws(ImageError) -> Plane<UInt16>? {
    guard let alpha else { return nil }
    return try decodeAlpha(alpha, of: main)
  }

  /// Decodes the alpha of the visible part of an image, converted to the image's bit depth.
  ///
  /// If the alpha item does not have transformations of its own, those of its image apply, since
  /// files exist that store them for the image only.
  private func decodeAlpha(
    _ alpha: ItemImage, of main: ItemImage
  ) throws(ImageError) -> Plane<UInt16> {
    var luma = try decoder.decode(alpha).codedPlanes[0]
    if alpha.isShownAsStored, alpha.geometry.size != main.geometry.size {
      luma = try luma.interpolated(width: main.width, height: main.height)
        .cropped(to: main.geometry)
    } else {
      luma = try luma.cropped(to: alpha.geometry)
        .interpolated(width: main.geometry.width, height: main.geometry.height)
    }
    return luma.coverage(
      fromBits: alpha.bits, isFullRange: alpha.cicp?.isFullRange ?? true, toBits: main.bits)
  }

  // MARK: Auxiliary images

  /// Number of auxiliary images that are decoded; more are only counted.
  private static let mostAuxiliaries = 64

  /// Depth maps and mattes, decoded on demand.
  ///
  /// - Throws: Errors that end the whole job.
  func auxiliaries(
    of main: ItemImage, notices: inout [Notice]
  ) throws(ImageError) -> [AuxiliaryImage] {
    let ids = file.auxiliaries(of: main.id)
    if ids.count > Self.mostAuxiliaries {
      notices.append(
        Notice(
          .dropped, "the image has {count auxiliary image}; the first {limit} are used",
          ["count": ids.count, "limit": Self.mostAuxiliaries]))
    }
    var found: [AuxiliaryImage] = []
    for id in ids.prefix(Self.mostAuxiliaries) {
      do throws(ImageError) {
        found.append(try auxiliary(id, of: main, notices: &notices))
      } catch {
        guard !error.endsJob else { throw error }
        notices.append(
          Notice(
            .dropped, "not copied: unreadable auxiliary image: {cause}", ["cause": error],
            at: error.location))
      }
    }
    return found
  }

  private func auxiliary(
    _ id: UInt32, of main: ItemImage, notices: inout [Notice]
  ) throws(ImageError) -> AuxiliaryImage {
    let described = try description(of: id)
    let type = file.item(id)?.property(AuxiliaryTypeBox.self)
    // As for alpha, the transformations of the image apply to an item without its own.
    let isStoredAlike =
      described.isShownAsStored || described.geometry.orientation == main.geometry.orientation
    let rotation = described.geometry.orientation
    var layout = ImageLayout(
      width: described.geometry.width, height: described.geometry.height, components: .gray,
      samples: .integer(bits: described.bits))
    if !isStoredAlike {
      layout = layout.upright(from: rotation).upright(from: main.geometry.orientation.inverse)
    }
    let image = Image(
      ImageDescription(layout: layout, color: .data, orientation: main.geometry.orientation)
    ) { [layout] () throws(ImageError) in
      let luma = try decoder.decode(described).codedPlanes[0].cropped(to: described.geometry)
      let plane = luma.coverage(
        fromBits: described.bits, isFullRange: described.cicp?.isFullRange ?? true,
        toBits: described.bits)
      let stored =
        isStoredAlike
        ? plane : plane.upright(from: rotation).upright(from: main.geometry.orientation.inverse)
      return PlanesReader(ImagePlanes(layout: layout, planes: .integer([stored])))
    }
    let metadata = try file.metadata(describing: id)
    notices += metadata.notices
    return AuxiliaryImage(
      type: type?.auxiliaryType ?? "", subtype: type?.subtype ?? [], image: image,
      xmp: metadata.xmp?.bytes)
  }
}

extension ItemGeometry {
  fileprivate var size: [Int] { [width, height] }
}

extension Plane<UInt16> {
  /// Converts alpha to full range and another bit depth, rounding to the nearest code value.
  func coverage(fromBits: Int, isFullRange: Bool, toBits: Int) -> Plane<UInt16> {
    let target = 1 << toBits - 1
    let source = 1 << fromBits - 1
    guard fromBits != toBits || !isFullRange else { return self }
    // Source: ITU-T H.273, 8.3: narrow range has 219 steps starting at 16, for 8 bits.
    let (black, range) =
      isFullRange ? (0, source) : (16 << (fromBits - 8), 219 << (fromBits - 8))
    let samples = span
    return Plane(width: width, height: height) { output in
      for index in samples.indices {
        let code = min(max(Int(samples[index]) - black, 0), range)
        output.append(UInt16((code * target * 2 + range) / (range * 2)))
      }
    }
  }
}
#endif
