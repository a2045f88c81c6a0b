// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension HEIFFile {
  /// Corrects everything that follows from the bitstreams, the items and the standards.
  ///
  /// `hdlr` becomes the first box of `meta`. Configurations, `ispe` and `pixi` get the values of the
  /// bitstream, `tmap` the size of its baseline image. Duplicates are removed. Descriptive properties
  /// precede transformative ones, whose order is significant and is kept.
  ///
  /// - Throws: Errors that end the whole job.
  mutating func correctStructure() throws(ImageError) {
    layout.meta = layout.meta.filter(\.isHandler) + layout.meta.filter { !$0.isHandler }
    for item in items {
      let header = item.type == "av01" ? try ifReadable(try av1SequenceHeader(of: item.id)) : nil
      updateItem(item.id) { $0.correctProperties(header) }
    }
    for item in items {
      let (size, depths) = (try codedSize(of: item), try codedDepths(of: item))
      updateItem(item.id) { item in
        if let size { item.correct(.imageSpatialExtents(size)) }
        if let depths { item.correct(.pixelInformation(depths)) }
      }
    }
    arrangeProperties()
    correctBrands()
  }

  /// Gives `av1C`, `hvcC` and `pixi` with other depths, chroma or lengths than the bitstream its
  /// values, in a file that is rewritten.
  ///
  /// - Returns: A notice for each coded image.
  /// - Throws: Errors that end the whole job.
  mutating func correctConfigurations() throws(ImageError) -> [Notice] {
    var corrected: Set<UInt32> = []
    for item in items {
      let box: ItemProperty.Box
      if item.type == "av01", let present = item.property(AV1ConfigurationBox.self),
        let header = try ifReadable(try av1SequenceHeader(of: item.id)),
        present.inconsistentFields(with: header).contains(where: { !$0.hasPrefix("seq_") })
      {
        box = .av1Configuration(present.corrected(with: header))
      } else if let present = item.property(HEVCConfigurationBox.self) {
        var right = present
        if let fields = try? present.inconsistentFields, let corrected = try? present.corrected,
          fields.contains(where: { $0.hasPrefix("bitDepth") || $0 == "chromaFormat" })
        {
          right = corrected
        }
        if let size = try ifReadable(try nalLengthSize(of: item.id)) { right.nalLengthSize = size }
        guard right != present else { continue }
        box = .hevcConfiguration(right)
      } else {
        continue
      }
      updateItem(item.id) { $0.correct(box) }
      corrected.insert(item.id)
    }
    for item in items where codedImage(of: item).map({ corrected.contains($0.id) }) == true {
      if item.property(PixelInformationBox.self) != nil, let depths = try codedDepths(of: item) {
        updateItem(item.id) { $0.correct(.pixelInformation(depths)) }
      }
    }
    return corrected.sorted().map {
      Notice(
        .irregular, "corrected: configuration, which contradicts the bitstream",
        at: .init(path: ["item \($0)"]))
    }
  }

  private var isAVIF: Bool {
    fileType.contains("avif") || fileType.contains("avis")
      || primaryItemID.flatMap(item).flatMap(codedImage)?.type == "av01"
  }

  /// The size that `ispe` must specify; `nil` if it is unknown, or as it is on purpose.
  private func codedSize(of item: HEIFItem) throws(ImageError) -> ImageSpatialExtentsBox? {
    switch item.type {
    case "av01" where item.selectsLayer: return nil
    // Cameras crop padding of thumbnails by 'ispe'.
    case _ where !references(from: item.id, type: "thmb").isEmpty: return nil
    case "hvc1":
      let set = try? item.property(HEVCConfigurationBox.self)?.sequenceParameterSet
      return set.map {
        .init(width: UInt32(clamping: $0.width), height: UInt32(clamping: $0.height))
      }
    case "av01":
      return try ifReadable(try av1SequenceHeader(of: item.id)).map {
        .init(width: UInt32(clamping: $0.maximumWidth), height: UInt32(clamping: $0.maximumHeight))
      }
    case "grid":
      let grid = try ifReadable(try grid(of: item.id))
      return grid.map { .init(width: $0.width, height: $0.height) }
    case "tmap":
      let base = references(from: item.id, type: "dimg").first.flatMap(self.item)
      guard let base, let size = base.property(ImageSpatialExtentsBox.self) else { return nil }
      // Phones give 'tmap' the size of the displayed baseline image.
      let rotated = ImageSpatialExtentsBox(width: size.height, height: size.width)
      let isDisplayed =
        base.orientation.swapsSides && item.property(ImageSpatialExtentsBox.self) == rotated
      return isDisplayed && !isAVIF ? nil : size
    default: return nil
    }
  }

  /// The depths that `pixi` must specify; `nil` if they are unknown or not required.
  private func codedDepths(of item: HEIFItem) throws(ImageError) -> PixelInformationBox? {
    let isAlpha = item.property(AuxiliaryTypeBox.self)?.isAlpha ?? false
    guard item.type != "tmap", let coded = codedImage(of: item),
      item.properties.contains(where: { $0.type == PixelInformationBox.boxType })
        || item.id == primaryItemID || isAlpha
    else { return nil }
    var depths: [Int]
    if coded.type == "av01", let header = try ifReadable(try av1SequenceHeader(of: coded.id)) {
      depths = [Int](repeating: header.bitDepth, count: header.isMonochrome ? 1 : 3)
    } else if let set = try? coded.property(HEVCConfigurationBox.self)?.sequenceParameterSet {
      depths = [set.lumaBitDepth]
      if set.chroma != .yuv400 { depths += [set.chromaBitDepth, set.chromaBitDepth] }
    } else {
      return nil
    }
    return PixelInformationBox(bitsPerChannel: depths.map { UInt8(clamping: $0) })
  }

  /// A coded image itself, or the first input of a derived one.
  private func codedImage(of item: HEIFItem) -> HEIFItem? {
    let codings: Set<FourCC> = ["hvc1", "av01"]
    if codings.contains(item.type) { return item }
    return references(from: item.id, type: "dimg").lazy.compactMap(self.item).first {
      codings.contains($0.type)
    }
  }

  /// Adds the brands that the images require, and removes AV1 profiles that they exceed.
  private mutating func correctBrands() {
    let primary = primaryItemID.flatMap(item).flatMap(codedImage)
    var needed: [FourCC] = ["mif1"]
    if primary?.type == "av01" { needed.append("avif") }
    let brand = primary?.property(HEVCConfigurationBox.self).flatMap(fileType.missingBrand(for:))
    if let brand { needed.append(brand) }
    if items.contains(where: { $0.type == "tmap" }) { needed.append("tmap") }
    let missing = needed.filter { !fileType.contains($0) }
    let major = fileType.majorBrand
    if !fileType.compatibleBrands.contains(major) { fileType.compatibleBrands.append(major) }
    fileType.compatibleBrands += missing
    fileType.limitPromises(to: items.compactMap { $0.property(AV1ConfigurationBox.self) })
  }
}

extension HEIFItem {
  /// Corrects configuration, colors and essential flags.
  ///
  /// - Parameter header: The sequence header of an AV1 item.
  fileprivate mutating func correctProperties(_ header: AV1SequenceHeader?) {
    if let header {
      let box = property(AV1ConfigurationBox.self)
      correct(.av1Configuration(box?.corrected(with: header) ?? AV1ConfigurationBox(header)))
    }
    if let box = try? property(HEVCConfigurationBox.self)?.corrected {
      correct(.hevcConfiguration(box))
    }
    var colors: Set<FourCC> = []
    properties = properties.compactMap { property in
      var property = property
      property.isEssential = property.isEssential || property.box.isEssentialByDefault
      guard case .colorInformation(let color) = property.box else { return property }
      guard colors.insert(color.carrierType).inserted else { return nil }
      guard let corrected = color.withCorrectProfile else { return property }
      return ItemProperty(.colorInformation(corrected), isEssential: property.isEssential)
    }
  }

  /// Makes a property the only one of its type.
  fileprivate mutating func correct(_ box: ItemProperty.Box) {
    let type = ItemProperty(box).type
    let present = properties.filter { $0.type == type }
    if present.count != 1 || present[0].box != box { setProperty(type, to: box) }
  }
}

extension ColorInformationBox {
  /// The same for descriptions of which an image has at most one.
  fileprivate var carrierType: FourCC {
    switch self {
    case .nclx: "nclx"
    case .unrestrictedICC, .restrictedICC: "prof"
    case .other(let type, _): type
    }
  }

  /// The description with another profile ID; `nil` if nothing has to be corrected.
  fileprivate var withCorrectProfile: ColorInformationBox? {
    let corrected: ColorInformationBox =
      switch self {
      case .unrestrictedICC(let bytes):
        .unrestrictedICC(ICCProfile.correctingIdentifier(of: bytes))
      case .restrictedICC(let bytes): .restrictedICC(ICCProfile.correctingIdentifier(of: bytes))
      case .nclx, .other: self
      }
    return corrected == self ? nil : corrected
  }
}
