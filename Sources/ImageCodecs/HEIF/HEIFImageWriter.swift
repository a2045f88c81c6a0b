// SPDX-License-Identifier: Apache-2.0
#if HEIF || AVIF
internal import HDRCore
internal import ImageFiles

/// Writes an image with its metadata as HEIF items.
struct HEIFImageWriter {
  let output: OutputImage
  let codec: ItemCodec
  let options: EncoderOptions
  let limit: CodedItemLimit
  private var file: HEIFFile

  /// Prepares a file; an image beyond `limit` (default: that of the codec's levels) becomes a grid.
  init(
    _ output: OutputImage, codec: ItemCodec, options: EncoderOptions,
    limit: CodedItemLimit? = nil
  ) {
    self.output = output
    self.codec = codec
    self.options = options
    self.limit = limit ?? codec.limit(of: output.image.layout)
    file = HEIFFile(fileType: FileTypeBox(majorBrand: "mif1", compatibleBrands: []))
  }

  /// Encodes the image and writes the file.
  ///
  /// - Throws: Errors of the encoder and of the sink; `.invalidArgument` for samples that the
  ///   encoder does not support.
  mutating func write(to sink: any ByteSink) throws(ImageError) {
    let (main, alpha) = try output.image.planes().separatingAlpha()
    let cicp = signaledCICP
    let message = try output.headroomAdaptation?.t35Payload()
    let others = (alpha.map { [$0.layout] } ?? []) + output.auxiliaries.map(\.image.layout)
    var stages = Stages(main.layout.megapixels, others.reduce(0) { $0 + $1.megapixels })
    let primary = try stages.next { () throws(ImageError) in
      try addImage(main, cicp: cicp, message: message)
    }
    file.primaryItemID = primary
    setBrands()
    file.updateItem(primary) { item in
      item.setColor(cicp: cicp, icc: output.icc)
      item.setLightMetadata(output.image.light, transfer: output.image.color.cicp.transfer)
    }
    if let alpha, let stored = file.item(primary)?.property(ImageSpatialExtentsBox.self) {
      let urn = codec == .hevc ? AuxiliaryTypeBox.hevcAlpha : AuxiliaryTypeBox.alpha
      // Of the same stored size, so that the same clean aperture crops both.
      let padded = alpha.part(x: 0, y: 0, width: Int(stored.width), height: Int(stored.height))
      // Lossless, since errors in alpha are visible along edges and in opaque areas.
      let coverage = try stages.next { () throws(ImageError) in
        try addImage(padded, cicp: .alpha, isLossless: true)
      }
      file.updateItem(coverage) {
        $0.setProperty("auxC", to: .auxiliaryType(AuxiliaryTypeBox(urn)))
      }
      file.addReference("auxl", from: coverage, to: [primary])
      if output.image.layout.isAlphaPremultiplied {
        file.addReference("prem", from: primary, to: [coverage])
      }
    }
    for auxiliary in output.auxiliaries {
      var image = auxiliary.image
      image.color.matrix = .unspecified
      image.orientation = output.image.orientation
      let id = try stages.next { () throws(ImageError) in
        try Self.add(
          OutputImage(image, signalsCICP: false), to: &file, codec: codec, options: options)
      }
      file.updateItem(id) {
        $0.setProperty(
          "auxC",
          to: .auxiliaryType(auxiliary.typeBox(for: codec)))
      }
      file.addReference("auxl", from: id, to: [primary])
      if let xmp = auxiliary.xmp { file.addXMP(xmp, describing: [id]) }
    }
    if let exif = try orientedExif() { file.addExif(exif, describing: [primary]) }
    if let xmp = output.xmp { file.addXMP(xmp, describing: [primary]) }
    try sink.write(file.spliced())
  }

  /// Encodes an image without alpha and adds it to an existing file.
  ///
  /// - Returns: The item.
  /// - Throws: Errors of the encoder; `.invalidArgument` for samples that it does not support.
  static func add(
    _ output: OutputImage, to file: inout HEIFFile, codec: ItemCodec, options: EncoderOptions
  ) throws(ImageError) -> UInt32 {
    var writer = HEIFImageWriter(output, codec: codec, options: options)
    writer.file = file
    let id = try writer.addImage(try output.image.planes(), cicp: writer.signaledCICP)
    writer.setBrands()
    file = writer.file
    return id
  }

  /// Exif whose orientation equals that of `irot` and `imir`, if the image has Exif.
  ///
  /// Readers of HEIF and AVIF ignore this tag, but programs that read only Exif do not; cameras
  /// write both with the same value.
  ///
  /// Source: ISO/IEC 23000-22, 7.3.6.7.
  private func orientedExif() throws(ImageError) -> [UInt8]? {
    guard let exif = output.exif else { return nil }
    return try ExifBlock.consistent(
      exif, with: output.image.orientation, isSRGB: output.isSRGB)
  }

  /// The code points for `colr` and bitstream.
  ///
  /// Gray does not have a matrix, but both codecs require 4:4:4 for matrix 0, so the matrix of its
  /// primaries is signaled. If the color is specified by an ICC profile only, primaries and
  /// transfer are unspecified.
  ///
  /// Source: ITU-T H.265, E.3.1, matrix_coeffs; AV1, 6.4.2.
  private var signaledCICP: CICP {
    var cicp = output.image.color.cicp
    if output.image.layout.components == .gray, cicp.matrix == .identity {
      cicp.matrix =
        switch cicp.primaries {
        case .bt2020: .bt2020NonConstant
        case .bt709: .bt709
        default: .bt601
        }
    }
    if !output.signalsCICP { (cicp.primaries, cicp.transfer) = (.unspecified, .unspecified) }
    return cicp
  }

  /// Encodes an image without alpha as one item or as a grid of items.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - cicp: Code points for the bitstream.
  ///   - message: ITU-T T.35 message for the bitstream of each coded image.
  ///   - isLossless: Whether samples are encoded losslessly, regardless of the options.
  /// - Returns: The item.
  /// - Throws: Errors of the encoder; `.invalidArgument` for samples that it does not support.
  private mutating func addImage(
    _ image: ImagePlanes, cicp: CICP, message: [UInt8]? = nil, isLossless: Bool = false
  ) throws(ImageError) -> UInt32 {
    let size = image.layout
    let tiles = TileGrid(width: size.width, height: size.height, limit: limit)
    if tiles.tileCount == 1 {
      let coded = try encode(image, cicp: cicp, message: message, isLossless: isLossless)
      return file.addItem(
        codec.itemType,
        properties: properties(of: coded, size)
          + transformations(from: (coded.width, coded.height)),
        data: .file(coded.bytes))
    }
    guard tiles.columns <= 256, tiles.rows <= 256 else {
      throw ImageError(
        .invalidArgument, "an image of {size pixel} needs more than 256 tiles in a row or column",
        ["size": .size(size.width, size.height)])
    }
    // MIAF requires whole chroma samples in grids.
    let horizontal = size.chroma.horizontal
    let vertical = size.chroma.vertical
    let width = (size.width + horizontal - 1) / horizontal * horizontal
    let height = (size.height + vertical - 1) / vertical * vertical
    let grid = ImageGrid(
      rows: tiles.rows, columns: tiles.columns, width: UInt32(clamping: width),
      height: UInt32(clamping: height))
    let id = file.addItem(
      "grid",
      properties: [extents(width, height), depths(size)] + transformations(from: (width, height)),
      data: .itemDataBox(grid.bytes))
    var parts: [UInt32] = []
    for index in 0..<tiles.tileCount {
      try Execution.step(to: index + 1, of: tiles.tileCount) { () throws(ImageError) in
        let origin = tiles.origin(ofTile: index)
        let part = image.part(
          x: origin.x, y: origin.y, width: tiles.tileWidth, height: tiles.tileHeight)
        let coded = try encode(part, cicp: cicp, message: message, isLossless: isLossless)
        parts.append(
          file.addItem(
            codec.itemType, isHidden: true,
            properties: properties(of: coded, size) + [.colorInformation(.nclx(cicp))],
            data: .file(coded.bytes)))
      }
    }
    file.addReference("dimg", from: id, to: parts)
    return id
  }

  private func encode(
    _ image: ImagePlanes, cicp: CICP, message: [UInt8]?, isLossless: Bool
  ) throws(ImageError) -> CodedItem {
    var options = options
    if isLossless { options.isLossless = true }
    var coded = try codec.encode(
      image, cicp: cicp, chromaLocation: output.image.color.chromaLocation, options: options)
    if let message { try coded.add(registered: message) }
    return coded
  }

  /// Sets the brands for the most demanding of the coded images.
  private mutating func setBrands() {
    var most: AV1ConfigurationBox?
    for property in file.items.flatMap(\.properties) {
      switch property.box {
      case .hevcConfiguration(let configuration):
        if file.fileType.majorBrand != "heix" { file.fileType = .heic(configuration) }
      case .av1Configuration(let configuration):
        var demanded = most ?? configuration
        demanded.profile = max(demanded.profile, configuration.profile)
        demanded.level = max(demanded.level, configuration.level)
        file.fileType = .avif(demanded)
        most = demanded
      default: break
      }
    }
  }

  private func properties(of coded: CodedItem, _ format: ImageLayout) -> [ItemProperty.Box] {
    [coded.configuration, extents(coded.width, coded.height), depths(format)]
  }

  private func extents(_ width: Int, _ height: Int) -> ItemProperty.Box {
    .imageSpatialExtents(
      ImageSpatialExtentsBox(width: UInt32(clamping: width), height: UInt32(clamping: height)))
  }

  private func depths(_ format: ImageLayout) -> ItemProperty.Box {
    guard case .integer(let bits) = format.samples else {
      return .pixelInformation(.init(bitsPerChannel: []))
    }
    return .pixelInformation(
      .init(bitsPerChannel: .init(repeating: UInt8(clamping: bits), count: format.componentCount)))
  }

  /// Transformations from the coded image to the upright one: crop, rotation, mirroring.
  ///
  /// Alpha has the same ones, since readers apply to each item its own.
  private func transformations(from coded: (width: Int, height: Int)) -> [ItemProperty.Box] {
    let size = output.image.layout
    var crop: [ItemProperty.Box] = []
    if coded != (size.width, size.height) {
      crop = [.cleanAperture(.init(keepingTopLeft: (size.width, size.height), of: coded))]
    }
    return crop + HEIFItem.transformations(for: output.image.orientation)
  }
}

extension AuxiliaryImage {
  /// The `auxC` box; the URN of depth in HEVC is only valid for depth.
  ///
  /// Source: ISO/IEC 23008-12, B.2.2.2.2; AV1 Image File Format, 4.
  fileprivate func typeBox(for codec: ItemCodec) -> AuxiliaryTypeBox {
    codec == .av1 && type == AuxiliaryTypeBox.hevcDepth
      ? AuxiliaryTypeBox(AuxiliaryTypeBox.depth) : AuxiliaryTypeBox(type, subtype: subtype)
  }
}

extension CleanApertureBox {
  /// The clean aperture that removes columns at the right and rows at the bottom.
  fileprivate init(
    keepingTopLeft kept: (width: Int, height: Int), of coded: (width: Int, height: Int)
  ) {
    self.init(
      width: Size(UInt32(clamping: kept.width)), height: Size(UInt32(clamping: kept.height)),
      horizontalOffset: Offset(Int32(clamping: kept.width - coded.width), over: 2),
      verticalOffset: Offset(Int32(clamping: kept.height - coded.height), over: 2))
  }
}

extension CICP {
  /// Alpha: full range, the rest unspecified.
  fileprivate static let alpha = CICP(
    primaries: .unspecified, transfer: .unspecified, matrix: .unspecified)
}

/// Size limit of one coded image; larger images are stored as a grid of tiles.
struct CodedItemLimit: Hashable, Sendable {
  var pixels: Int
  var width: Int
  var height: Int

  /// Level 6.2, the highest.
  ///
  /// Source: ITU-T H.265, table A.8: MaxLumaPs; A.4.1: each side at most the square root of 8 times
  /// that.
  static let hevc = CodedItemLimit(pixels: 35_651_584, width: 16_888, height: 16_888)
  /// Level 6.3, the highest.
  ///
  /// Source: AV1, annex A.3: MaxPicSize, MaxHSize, MaxVSize.
  static let av1 = CodedItemLimit(pixels: 35_651_584, width: 16_384, height: 8_704)
  /// Limits of the bitstream syntax.
  ///
  /// Source: AV1, 5.5.1: max_frame_width_minus_1 has 16 bits at most; A.3: level 31 is unlimited.
  static let av1WithoutLevel = CodedItemLimit(pixels: .max, width: 65_536, height: 65_536)
}

/// Equal tiles that cover an image; tiles at the right and bottom edges may extend beyond it.
struct TileGrid: Hashable, Sendable {
  var columns: Int
  var rows: Int
  var tileWidth: Int
  var tileHeight: Int

  var tileCount: Int { columns * rows }

  /// The smallest number of tiles within a limit: one if the image fits.
  ///
  /// The sides of tiles are multiples of 64, which hardware decoders prefer.
  init(width: Int, height: Int, limit: CodedItemLimit) {
    (columns, rows, tileWidth, tileHeight) = (1, 1, width, height)
    while tileWidth * tileHeight > limit.pixels || tileWidth > limit.width
      || tileHeight > limit.height
    {
      if tileHeight <= 64 || tileWidth > limit.width || tileWidth >= tileHeight && tileWidth > 64 {
        columns += 1
      } else {
        rows += 1
      }
      tileWidth = Self.side(width, parts: columns)
      tileHeight = Self.side(height, parts: rows)
      if tileWidth == 64 && tileHeight == 64 { break }
    }
    columns = (width + tileWidth - 1) / tileWidth
    rows = (height + tileHeight - 1) / tileHeight
  }

  private static func side(_ length: Int, parts: Int) -> Int {
    let part = (length + parts - 1) / parts
    return (part + 63) & ~63
  }

  /// The upper left corner of tile `index` in the image; tiles are ordered row by row.
  func origin(ofTile index: Int) -> (x: Int, y: Int) {
    (index % columns * tileWidth, index / columns * tileHeight)
  }
}

extension ImagePlanes {
  /// Copies a part, which may extend beyond the right and bottom edges by repeating the last column
  /// and row.
  ///
  /// - Precondition: With subsampled chroma, `x` and `y` are even; both lie inside the image.
  func part(x: Int, y: Int, width: Int, height: Int) -> ImagePlanes {
    var partFormat = layout
    (partFormat.width, partFormat.height) = (width, height)
    func cut<Sample>(_ planes: [Plane<Sample>]) -> [Plane<Sample>] {
      planes.enumerated().map { index, plane in
        let isChroma = layout.componentCount == 3 && (index == 1 || index == 2)
        let size = partFormat.planeSize(index)
        return plane.part(
          x: isChroma ? x / layout.chroma.horizontal : x,
          y: isChroma ? y / layout.chroma.vertical : y, width: size.width, height: size.height)
      }
    }
    switch planes {
    case .integer(let planes):
      return ImagePlanes(layout: partFormat, planes: .integer(cut(planes)))
    case .float(let planes): return ImagePlanes(layout: partFormat, planes: .float(cut(planes)))
    case .half(let planes): return ImagePlanes(layout: partFormat, planes: .half(cut(planes)))
    }
  }
}

extension Plane {
  /// Copies a part; beyond the right and bottom edges the last column and row are repeated.
  func part(x: Int, y: Int, width: Int, height: Int) -> Plane<Sample> {
    Plane(width: width, height: height) { samples in
      for line in y..<y + height {
        let row = self.row(min(line, self.height - 1))
        for column in x..<x + width { samples.append(row[min(column, self.width - 1)]) }
      }
    }
  }
}
#endif
