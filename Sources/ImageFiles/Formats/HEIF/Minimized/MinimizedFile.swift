// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Expands a low-overhead file to the equivalent `meta` box.
///
/// Source: ISO/IEC 23008-12:2025, amendment 2, annex O: a reader processes the box as the
/// equivalent `meta` and `mdat`, with these item identifiers.
struct MinimizedFile {
  private let box: MinimizedImageBox
  private let origin: SourceBytes.Origin
  /// Offset of the content of the box.
  private let start: Int
  private let types: (item: FourCC, configuration: FourCC)

  private enum ID {
    static let image: UInt32 = 1
    static let alpha: UInt32 = 2
    static let toneMap: UInt32 = 3
    static let gainMap: UInt32 = 4
    static let group: UInt32 = 5
    static let exif: UInt32 = 6
    static let xmp: UInt32 = 7
  }

  /// Parses the box.
  ///
  /// - Parameters:
  ///   - content: Range of the content of the box.
  ///   - origin: The file.
  ///   - brand: Brand stored in place of the minor version of the file type box.
  /// - Throws: Errors of parsing the box; `.unsupported` for codecs other than HEVC and AV1.
  init(
    parsing content: Range<Int>, of origin: SourceBytes.Origin, brand: FourCC
  ) throws(ImageError) {
    self.origin = origin
    start = content.lowerBound
    let end = min(content.upperBound, start + MinimizedImageBox.longestHeader)
    do throws(ImageError) {
      box = try MinimizedImageBox(
        parsing: origin.source.bytes(in: start..<end), size: content.count)
      switch (box.codecTypes?.item, brand) {
      case ("av01"?, _), (nil, "avif"): types = ("av01", AV1ConfigurationBox.boxType)
      case ("hvc1"?, _), (nil, "heic"), (nil, "heix"):
        types = ("hvc1", HEVCConfigurationBox.boxType)
      case (let type, let brand):
        throw ImageError(
          .unsupportedValue, ["field": "codec of the minimized image", "value": "\(type ?? brand)"])
      }
    } catch {
      var error = error
      error.location.offset = error.location.offset ?? start
      throw error
    }
  }

  func expand(into file: inout HEIFFile) throws(ImageError) {
    file.layout.origin = origin
    file.layout.isMinimized = true
    file.primaryItemID = ID.image
    let configuration = try property(types.configuration, .configuration)
    var colors: [ItemProperty.Box] = [.colorInformation(.nclx(box.image.cicp))]
    if let profile = try bytes(.profile) {
      colors.append(.colorInformation(.unrestrictedICC(profile)))
    }
    file.items = [
      HEIFItem(
        id: ID.image, type: types.item,
        properties: properties(box.image, [configuration] + colors + box.light),
        data: data(.image))
    ]
    if box.hasAlpha { try addAlpha(to: &file, configuration) }
    if let map = box.gainMap { try add(map, to: &file, configuration) }
    try addMetadata(to: &file)
    for index in file.items.indices where Self.images.contains(file.items[index].id) {
      file.items[index].setOrientation(box.orientation)
    }
    file.fileType = fileType(configuration, file.fileType)
    file.notices.append(Notice(.heifMinimizedFormRead, at: .init(path: ["mini"], offset: start)))
  }

  /// Items that are rotated; the tone-mapped image is derived from rotated ones.
  private static let images: Set<UInt32> = [ID.image, ID.alpha, ID.gainMap]

  private func addAlpha(to file: inout HEIFFile, _ main: ItemProperty.Box) throws(ImageError) {
    let own =
      try bytes(.alphaConfiguration) == nil
      ? main : property(types.configuration, .alphaConfiguration)
    var image = box.image
    image.chromaSubsampling = 0
    file.items.append(
      HEIFItem(
        id: ID.alpha, type: types.item, isHidden: true,
        properties: properties(
          image, [own, .auxiliaryType(AuxiliaryTypeBox(AuxiliaryTypeBox.alpha))]),
        data: data(.alpha)))
    file.addReference("auxl", from: ID.alpha, to: [ID.image])
    if box.isPremultiplied { file.addReference("prem", from: ID.image, to: [ID.alpha]) }
  }

  private func add(
    _ map: MinimizedImageBox.GainMap, to file: inout HEIFFile, _ main: ItemProperty.Box
  ) throws(ImageError) {
    var colors: [ItemProperty.Box] = []
    if let cicp = map.toneMapped { colors.append(.colorInformation(.nclx(cicp))) }
    if let profile = try bytes(.toneMappedProfile) {
      colors.append(.colorInformation(.unrestrictedICC(profile)))
    }
    var size = (width: box.image.width, height: box.image.height)
    if box.orientation.swapsSides { swap(&size.width, &size.height) }
    let extents = ImageSpatialExtentsBox(width: size.width, height: size.height)
    // The box omits the payload version that precedes the metadata in an item.
    file.items.append(
      HEIFItem(
        id: ID.toneMap, type: "tmap",
        properties: ([.imageSpatialExtents(extents)] + colors + map.toneMappedLight)
          .map { ItemProperty($0) }.inRecommendedOrder,
        data: .itemDataBox([0] + (try bytes(.gainMapMetadata) ?? []))))
    let own =
      try bytes(.gainMapConfiguration) == nil
      ? main : property(types.configuration, .gainMapConfiguration)
    file.items.append(
      HEIFItem(
        id: ID.gainMap, type: types.item, isHidden: true,
        properties: properties(map.image, [own, .colorInformation(.nclx(map.image.cicp))]),
        data: data(.gainMap)))
    file.addReference("dimg", from: ID.toneMap, to: [ID.image, ID.gainMap])
    file.groups.append(EntityGroup(type: "altr", id: ID.group, entities: [ID.toneMap, ID.image]))
  }

  private func addMetadata(to file: inout HEIFFile) throws(ImageError) {
    if let range = box.chunks[.exif] {
      let type: FourCC = box.isMetadataCompressed ? "dExf" : "Exif"
      file.items.append(
        HEIFItem(
          id: ID.exif, type: type, isHidden: true,
          data: box.isMetadataCompressed ? data(.exif) : try exif(at: range)))
      file.addReference("cdsc", from: ID.exif, to: [ID.image])
      if box.isMetadataCompressed {
        file.notices.append(Notice(.irregular, "compressed Exif is not read"))
      }
    }
    if box.chunks[.xmp] != nil {
      var item = HEIFItem(
        id: ID.xmp, type: "mime", isHidden: true, contentType: HEIFFile.xmpContentType,
        data: data(.xmp))
      if box.isMetadataCompressed { item.contentEncoding = "deflate" }
      file.items.append(item)
      file.addReference("cdsc", from: ID.xmp, to: [ID.image])
      if box.isMetadataCompressed {
        file.notices.append(Notice(.irregular, "compressed XMP is not read"))
      }
    }
  }

  /// Returns Exif as item data; some writers omit the offset of the TIFF header.
  private func exif(at range: Range<Int>) throws(ImageError) -> ItemData {
    let first = start + range.lowerBound
    let head = try origin.source.bytes(in: first..<first + min(range.count, 6))
    let exif = SourceBytes(origin, first..<start + range.upperBound)
    let isBare =
      head.starts(with: [0x49, 0x49, 0x2A, 0]) || head.starts(with: [0x4D, 0x4D, 0, 0x2A])
    let isPrefixed = head.starts(with: "Exif\0\0".utf8)
    guard isBare || isPrefixed else { return .file([exif]) }
    return .file([SourceBytes([0, 0, 0, isPrefixed ? 6 : 0]), exif])
  }

  private func properties(
    _ image: MinimizedImageBox.StoredImage, _ others: [ItemProperty.Box]
  ) -> [ItemProperty] {
    let common: [ItemProperty.Box] = [
      .imageSpatialExtents(ImageSpatialExtentsBox(width: image.width, height: image.height)),
      .pixelInformation(
        PixelInformationBox(
          bitsPerChannel: [UInt8](repeating: image.bitDepth, count: image.channels))),
    ]
    return (common + others).map { ItemProperty($0) }.inRecommendedOrder
  }

  private func property(
    _ type: FourCC, _ chunk: MinimizedImageBox.Chunk
  ) throws(ImageError) -> ItemProperty.Box {
    let bytes = try bytes(chunk) ?? []
    var reader = ByteReader(bytes.span, fileOffset: start + (box.chunks[chunk]?.lowerBound ?? 0))
    return ItemProperty.Box(
      parsing: BoxHeader(type: type), at: ["mini", chunk.rawValue], bytes: bytes, content: &reader)
  }

  private func bytes(_ chunk: MinimizedImageBox.Chunk) throws(ImageError) -> [UInt8]? {
    guard let range = box.chunks[chunk] else { return nil }
    return try origin.source.bytes(in: start + range.lowerBound..<start + range.upperBound)
  }

  private func data(_ chunk: MinimizedImageBox.Chunk) -> ItemData {
    guard let range = box.chunks[chunk] else { return .absent }
    return .file([SourceBytes(origin, start + range.lowerBound..<start + range.upperBound)])
  }

  private func fileType(_ configuration: ItemProperty.Box, _ old: FileTypeBox) -> FileTypeBox {
    let hasGainMap = box.gainMap != nil
    var new = old
    switch configuration {
    case .av1Configuration(let box): new = .avif(box, hasGainMap: hasGainMap)
    case .hevcConfiguration(let box): new = .heic(box, hasGainMap: hasGainMap)
    default: break
    }
    new.compatibleBrands += old.compatibleBrands.filter {
      $0 != "mif3" && !new.compatibleBrands.contains($0)
    }
    return new
  }
}
