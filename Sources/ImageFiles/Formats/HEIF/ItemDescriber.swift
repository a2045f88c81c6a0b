// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Resolves an image item and the items that it is derived from, without decoding samples.
package struct ItemDescriber {
  package let file: HEIFFile
  package let limits: ImageLimits
  private var active: Set<UInt32> = []
  private var count = 0

  package init(file: HEIFFile, limits: ImageLimits) {
    self.file = file
    self.limits = limits
  }

  /// Describes an image item.
  ///
  /// - Parameter id: The item ID.
  /// - Returns: The image with its inputs.
  /// - Throws: `.unsupported` for unsupported item types and essential properties, `.malformed` and
  ///   `.limitExceeded` for invalid derivations and sizes.
  package mutating func image(_ id: UInt32) throws(ImageError) -> ItemImage {
    let item = file.item(id)
    try item?.requireReadableProperties()
    do throws(ImageError) {
      return try describe(id, item)
    } catch {
      throw error.inside("item \(id)")
    }
  }

  /// Adds the color that the bitstream signals, or the bitstream of the first input of a derived
  /// image.
  ///
  /// - Throws: Errors that end the whole job.
  package func completed(_ image: ItemImage) throws(ImageError) -> ItemImage {
    var image = image
    do throws(ImageError) {
      try complete(&image, from: image)
    } catch {
      guard !error.endsJob else { throw error }
      image.notices.append(
        Notice(
          .irregular, "not readable: header of the bitstream: {cause}", ["cause": error],
          at: .init(path: ["item \(image.id)"] + error.location.path)))
    }
    image.noteCodePoints()
    return image
  }

  private func complete(_ image: inout ItemImage, from source: ItemImage) throws(ImageError) {
    switch source.source {
    case .identity(let input): try complete(&image, from: input)
    case .grid(_, let parts), .overlay(_, let parts): try complete(&image, from: parts[0])
    case .coded(.hevc):
      let usability = try file.hevcSequenceParameterSet(of: source.id).usability
      image.bitstreamCICP = usability?.cicp
      // Source: ITU-T H.265, E.3.1: without video_full_range_flag, its value is 0. Alpha, depth and
      // mattes are data of the container, and readers do not scale them.
      let isData = file.item(image.id)?.property(AuxiliaryTypeBox.self) != nil
      image.inferredFullRange = isData ? nil : false
      image.chromaLocation = usability?.chromaLocation ?? image.chromaLocation
      try noteConfiguration(of: &image, source)
    case .coded(.av1):
      let header = try file.av1SequenceHeader(of: source.id)
      image.bitstreamCICP = header.cicp
      noteSize(of: &image, source, header)
      try noteConfiguration(of: &image, source)
    }
  }

  /// Adds a notice for each box whose chroma format, depth or size of lengths contradicts the bitstream
  /// of `coded`, which is used.
  private func noteConfiguration(of image: inout ItemImage, _ coded: ItemImage) throws(ImageError) {
    guard let item = file.item(coded.id) else { return }
    func note(_ box: FourCC, _ chroma: ChromaSubsampling, _ depths: [Int]) {
      guard chroma != coded.chroma || depths.contains(where: { $0 != coded.bits }) else { return }
      let bits = depths.first { $0 != coded.bits } ?? coded.bits
      image.notices.append(
        Notice(
          .configurationDiffers,
          [
            "box": "\(box)", "bits": coded.bits, "chroma": coded.chroma.rawValue,
            "declaredBits": bits, "declaredChroma": chroma.rawValue,
          ], at: .init(path: ["item \(coded.id)", "\(box)"])))
    }
    if let record = item.property(HEVCConfigurationBox.self) {
      let chroma = [ChromaSubsampling.yuv400, .yuv420, .yuv422, .yuv444]
      note(
        HEVCConfigurationBox.boxType, chroma[Int(record.chromaFormat & 3)],
        [Int(record.lumaBitDepth)])
      if let size = try ifReadable(try file.nalLengthSize(of: coded.id)),
        size != record.nalLengthSize
      {
        image.notices.append(
          Notice(
            .lengthSizeDiffers, ["declared": record.nalLengthSize, "size": size],
            at: .init(path: ["item \(coded.id)", "\(HEVCConfigurationBox.boxType)"])))
      }
    }
    if let record = item.property(AV1ConfigurationBox.self) {
      note(AV1ConfigurationBox.boxType, record.chroma, [record.bitDepth])
    }
    guard let record = item.property(PixelInformationBox.self) else { return }
    note(PixelInformationBox.boxType, coded.chroma, record.bitsPerChannel.map(Int.init))
    let count = coded.chroma == .yuv400 ? 1 : 3
    guard record.bitsPerChannel.count != count else { return }
    image.notices.append(
      Notice(
        .channelCountDiffers, ["declared": record.bitsPerChannel.count, "count": count],
        at: .init(path: ["item \(coded.id)", "\(PixelInformationBox.boxType)"])))
  }

  /// Adds a notice if the image is scaled to `ispe`, as libavif does.
  ///
  /// The size of a layered image is that of the selected layer.
  private func noteSize(
    of image: inout ItemImage, _ coded: ItemImage, _ header: AV1SequenceHeader
  ) {
    guard (header.maximumWidth, header.maximumHeight) != (coded.width, coded.height),
      file.item(coded.id)?.selectsLayer == false
    else { return }
    image.notices.append(
      Notice(
        .itemSizeScaled,
        [
          "coded": .size(header.maximumWidth, header.maximumHeight),
          "declared": .size(coded.width, coded.height),
        ], at: .init(path: ["item \(coded.id)", "\(ImageSpatialExtentsBox.boxType)"])))
  }

  private mutating func describe(_ id: UInt32, _ item: HEIFItem?) throws(ImageError) -> ItemImage {
    guard let item else { throw ImageError(.malformed, "the item does not exist") }
    count += 1
    guard count <= limits.items else {
      throw ImageError(
        .limitExceeded, "an image made from more than {limit} items", ["limit": limits.items])
    }
    guard active.count < limits.nesting, active.insert(id).inserted else {
      throw ImageError(.malformed, "the image is derived from itself")
    }
    defer { active.remove(id) }
    let image = try image(of: item)
    if let unknown = item.unknownEssentialProperties.first {
      throw ImageError(.itemPropertyRequired, ["type": "\(unknown.type)"])
    }
    try checkMemory(of: image)
    return image
  }

  private func checkMemory(of image: ItemImage) throws(ImageError) {
    let chroma = image.chroma
    let step = chroma.horizontal * chroma.vertical
    let samples = image.width * image.height
    let bytes = 2 * (chroma == .yuv400 ? samples : samples + 2 * ((samples + step - 1) / step))
    guard bytes <= limits.memory else {
      throw ImageError(
        .sampleMemoryExceeded,
        ["size": .size(image.width, image.height), "memory": bytes, "limit": limits.memory])
    }
  }

  private mutating func image(of item: HEIFItem) throws(ImageError) -> ItemImage {
    switch item.type {
    case "hvc1", "hev1": return try hevcImage(item)
    case "av01": return try av1Image(item)
    case "grid": return try gridImage(item)
    case "iovl": return try overlayImage(item)
    case "iden":
      let inputs = file.references(from: item.id, type: "dimg")
      guard inputs.count == 1 else {
        throw ImageError(
          .malformed, "identity derivation from {count image} instead of one",
          ["count": inputs.count])
      }
      let input = try image(inputs[0])
      return try ItemImage(
        item, .identity(input), width: input.width, height: input.height, madeFrom: input)
    default:
      let name = item.type == "unci" ? "unci (uncompressed)" : "\(item.type)"
      throw ImageError(.unsupportedValue, ["field": "item type", "value": name])
    }
  }

  private func size(of item: HEIFItem) throws(ImageError) -> (width: Int, height: Int) {
    guard let extents = item.property(ImageSpatialExtentsBox.self) else {
      throw ImageError(.missingElement, ["element": "'ispe'"])
    }
    let size = (Int(extents.width), Int(extents.height))
    try limits.check(width: size.0, height: size.1)
    return size
  }

  private func hevcImage(_ item: HEIFItem) throws(ImageError) -> ItemImage {
    guard let configuration = item.property(HEVCConfigurationBox.self) else {
      throw ImageError(.missingElement, ["element": "'hvcC' of the HEVC image"])
    }
    let chromaFormats = [ChromaSubsampling.yuv400, .yuv420, .yuv422, .yuv444]
    var chroma = chromaFormats[Int(configuration.chromaFormat & 3)]
    var depths = (luma: Int(configuration.lumaBitDepth), chroma: Int(configuration.chromaBitDepth))
    if let set = try ifReadable(try file.hevcSequenceParameterSet(of: item.id)) {
      chroma = set.chroma
      depths = (set.lumaBitDepth, set.chromaBitDepth)
    }
    guard depths.luma == depths.chroma || chroma == .yuv400 else {
      throw ImageError(.hevcDepthsDiffer)
    }
    let size = try size(of: item)
    return try ItemImage(
      item, .hevc, width: size.width, height: size.height, chroma: chroma, bits: depths.luma,
      chromaLocation: .left)
  }

  private func av1Image(_ item: HEIFItem) throws(ImageError) -> ItemImage {
    guard var configuration = item.property(AV1ConfigurationBox.self) else {
      throw ImageError(.missingElement, ["element": "'av1C' of the AV1 image"])
    }
    if let header = try ifReadable(try file.av1SequenceHeader(of: item.id)) {
      configuration = configuration.corrected(with: header)
    }
    let size = try size(of: item)
    return try ItemImage(
      item, .av1, width: size.width, height: size.height,
      chroma: configuration.chroma, bits: configuration.bitDepth,
      chromaLocation: configuration.chromaLocation)
  }

  private mutating func gridImage(_ item: HEIFItem) throws(ImageError) -> ItemImage {
    let grid = try file.grid(of: item.id)
    let (width, height) = (Int(grid.width), Int(grid.height))
    try limits.check(width: width, height: height)
    let ids = file.references(from: item.id, type: "dimg")
    guard ids.count == grid.columns * grid.rows else {
      throw ImageError(
        .malformed, "grid of {columns}x{rows} with {tiles tile}",
        ["columns": grid.columns, "rows": grid.rows, "tiles": ids.count])
    }
    let tiles = try inputs(ids)
    let first = tiles[0]
    for tile in tiles {
      guard tile.width == first.width, tile.height == first.height else {
        throw ImageError(
          .malformed, "tiles differ in size: {first} and {other}",
          ["first": .size(first.width, first.height), "other": .size(tile.width, tile.height)])
      }
    }
    let (covered, isTooWide) = first.width.multipliedReportingOverflow(by: grid.columns)
    let (reached, isTooHigh) = first.height.multipliedReportingOverflow(by: grid.rows)
    // Each column and each row of tiles must be visible.
    guard !isTooWide, !isTooHigh, covered >= width, reached >= height,
      covered - first.width < width, reached - first.height < height
    else {
      throw ImageError(
        .malformed, "{columns}x{rows} tiles of {tile} do not fit an image of {size pixel}",
        [
          "columns": grid.columns, "rows": grid.rows, "tile": .size(first.width, first.height),
          "size": .size(width, height),
        ])
    }
    return try ItemImage(
      item, .grid(grid, tiles: tiles), width: width, height: height, madeFrom: first)
  }

  private mutating func overlayImage(_ item: HEIFItem) throws(ImageError) -> ItemImage {
    let ids = file.references(from: item.id, type: "dimg")
    guard !ids.isEmpty else { throw ImageError(.malformed, "overlay without images") }
    let overlay = try file.overlay(of: item.id, count: ids.count)
    let (width, height) = (Int(overlay.width), Int(overlay.height))
    try limits.check(width: width, height: height)
    let layers = try inputs(ids)
    for id in ids where !file.references(to: id, type: "auxl").isEmpty {
      throw ImageError(.unsupported, "an overlay of images with alpha is not supported")
    }
    try overlay.requireCovered(by: layers)
    return try ItemImage(
      item, .overlay(overlay, layers: layers), width: width, height: height, madeFrom: layers[0])
  }

  /// The inputs of a derived image, which must not be rotated or cropped.
  private mutating func inputs(_ ids: [UInt32]) throws(ImageError) -> [ItemImage] {
    var images: [ItemImage] = []
    for id in ids {
      let input = try image(id)
      try input.requireSameSamples(as: images.first ?? input)
      guard input.isShownAsStored else {
        throw ImageError(
          .unsupported, "derived from item {item}, which is cropped or rotated", ["item": id])
      }
      images.append(input)
    }
    return images
  }
}

extension AV1ConfigurationBox {
  /// Chroma sample location; for 4:2:0 the center if unknown, as encoders average luma positions.
  fileprivate var chromaLocation: ChromaLocation {
    switch (chroma, chromaSamplePosition) {
    case (.yuv420, 1): .left
    case (.yuv420, 2): .topLeft
    case (.yuv420, _): .center
    default: .left
    }
  }
}
